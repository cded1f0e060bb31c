/** Nolano et al. 2024 (arXiv 2402.19076): same role, same type, other type and mask, each for the head, the tail and both: twelve. */
import { type Random, shuffled } from '../../statistics/random';
import type { NotApplicable, PerturbationContext, VariantPerturbation } from '../perturbation';
import type { Source, Variant } from '../source';
import { entityPerturbation, rolesOf, type Which, whichOnes } from './entity-perturbation';
import { type EntityPool, entityText, formOf, type PooledEntity, type Role } from './entity-pool';
import { replaced, whyNotReplaceable } from './replaced';

/** Variants that are drawn of an example. */
const DRAWS = 8;

type Candidates = (
  source: Source,
  role: Role,
  pool: EntityPool,
  random: Random,
) => readonly PooledEntity[] | NotApplicable;

interface Strategy {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly candidates: Candidates;
  /** The types of the variants are those of the new entities. */
  readonly changesTypes: boolean;
}

const strategies: readonly Strategy[] = [
  {
    id: 'same-role',
    name: 'Entity of the same role',
    description: 'Writes an entity that stands in the same role of the same relation elsewhere',
    changesTypes: false,
    candidates(source, role, pool) {
      if (source.gold === null) return { reason: 'it has no gold label' };
      return othersThan(source, pool.ofRole(role, source.gold), `no other entity stands as ${role} of this relation`);
    },
  },
  {
    id: 'same-type',
    name: 'Entity of the same type',
    description: 'Writes another entity of the same type',
    changesTypes: false,
    candidates(source, role, pool) {
      const type = pool.typeOf(source, role);
      if (type === null) return { reason: `the type of the ${role} is not known` };
      return othersThan(source, pool.ofType(type), `no other entity is of the type of the ${role}`);
    },
  },
  {
    id: 'other-type',
    name: 'Entity of another type',
    description: 'Writes an entity of another type, drawn first',
    changesTypes: true,
    candidates(source, role, pool, random) {
      const type = pool.typeOf(source, role);
      if (type === null) return { reason: `the type of the ${role} is not known` };
      const [other] = shuffled(
        pool.types.filter((one) => one !== type),
        random,
      );
      return other === undefined
        ? { reason: 'all entities are of one type' }
        : othersThan(source, pool.ofType(other), 'no entity is of another type');
    },
  },
];

/** Neither of its own two. */
function othersThan(
  source: Source,
  entities: readonly PooledEntity[],
  reason: string,
): readonly PooledEntity[] | NotApplicable {
  const own = new Set([formOf(entityText(source, 'head')), formOf(entityText(source, 'tail'))]);
  const others = entities.filter(({ text }) => !own.has(formOf(text)));
  return others.length === 0 ? { reason } : others;
}

const citation = 'Nolano et al. 2024';
const titles: Readonly<Record<Which, string>> = { head: 'head', tail: 'tail', both: 'head and tail' };

function replacing({ id, name, description, candidates, changesTypes }: Strategy, which: Which): VariantPerturbation {
  const info = {
    id: `${id}-${which}`,
    name: `${name}, ${titles[which]}`,
    description: `${description}, in the place of the ${titles[which]}: ${citation}.`,
  };
  return entityPerturbation(info, (source, { pool, random }: PerturbationContext) => {
    if (pool === null) return { reason: 'the entities of the dataset were not collected' };
    const reason = whyNotReplaceable(source);
    if (reason !== null) return reason;
    const variants: Variant[] = [];
    for (let draw = 0; draw < DRAWS; draw++) {
      const by: Partial<Record<Role, string>> = {};
      const types = source.types === null ? null : { ...source.types };
      for (const role of rolesOf(which)) {
        const found = candidates(source, role, pool, random);
        if ('reason' in found) return found;
        const { text, type } = found[random.int(found.length)]!;
        by[role] = text;
        if (changesTypes && types !== null) types[role] = type;
      }
      variants.push(replaced(source, by, types));
    }
    return variants;
  });
}

function masking(which: Which): VariantPerturbation {
  const info = {
    id: `mask-${which}`,
    name: `Masked entity, ${titles[which]}`,
    description: `Writes [MASK] in the place of the ${titles[which]}: ${citation}.`,
  };
  return entityPerturbation(info, (source) => {
    const reason = whyNotReplaceable(source);
    if (reason !== null) return reason;
    return [replaced(source, Object.fromEntries(rolesOf(which).map((role) => [role, '[MASK]'])))];
  });
}

export const replaceEntities: readonly VariantPerturbation[] = [
  ...strategies.flatMap((strategy) => whichOnes.map((which) => replacing(strategy, which))),
  ...whichOnes.map(masking),
];

/** The least frequent entity of the same type: what a model that knows names by heart has seen least. */
export const lowFrequencyEntities = entityPerturbation(
  {
    id: 'low-frequency-entities',
    name: 'Rare entities',
    description: 'Writes the rarest entities of the same type in the places of head and tail.',
  },
  (source, { pool, random }) => {
    if (pool === null) return { reason: 'the entities of the dataset were not collected' };
    const reason = whyNotReplaceable(source);
    if (reason !== null) return reason;
    const sameType = strategies.find(({ id }) => id === 'same-type')!;
    const rarest: Partial<Record<Role, readonly PooledEntity[]>> = {};
    for (const role of rolesOf('both')) {
      const found = sameType.candidates(source, role, pool, random);
      if ('reason' in found) return found;
      const least = found.reduce((count, one) => Math.min(count, one.count), Number.POSITIVE_INFINITY);
      rarest[role] = found.filter(({ count }) => count === least);
    }
    const drawn = (role: Role): string => rarest[role]![random.int(rarest[role]!.length)]!.text;
    return Array.from({ length: DRAWS }, () => replaced(source, { head: drawn('head'), tail: drawn('tail') }));
  },
);
