/** The entities of a dataset, for perturbations that put another one in an entity's place. */
import type { Source } from '../source';
import { guessType } from './guess-type';

export type Role = 'head' | 'tail';
export const roles: readonly Role[] = ['head', 'tail'];

/** One surface form. */
export interface PooledEntity {
  /** As the text has it where it was met first. */
  readonly text: string;
  /** Its type: the dataset's where it was met first, else guessed; null where nothing tells. */
  readonly type: string | null;
  /** How often it stands as head or tail. */
  readonly count: number;
}

/** Which of the examples of its pair of entities a source is. */
export interface PairPlace {
  /** The pair, for random numbers that its examples share. */
  readonly pair: string;
  readonly index: number;
  /** Examples of the pair. */
  readonly count: number;
}

/** In the order in which they were met, so that the same dataset gives the same choice. Forms that differ in case only are one. */
export interface EntityPool {
  readonly entities: readonly PooledEntity[];
  /** Those that stand in the role in examples with the gold label. */
  ofRole(role: Role, gold: string): readonly PooledEntity[];
  ofType(type: string): readonly PooledEntity[];
  /** Every type that some entity has, sorted. */
  readonly types: readonly string[];
  /** The dataset's type of an example's entity, else that of the pool, else guessed. */
  typeOf(source: Source, role: Role): string | null;
  /** Null: the source is not one of the examples that were collected. */
  placeOf(source: Source): PairPlace | null;
  /** Examples of the rarest and of the most frequent pair. */
  readonly pairCounts: { readonly least: number; readonly most: number };
}

export function entityText({ text, spans }: Source, role: Role): string {
  return spans === null ? '' : text.slice(spans[role].start, spans[role].end);
}

/** The entities of all examples of a dataset. Takes a pass over them; each form is guessed once, when its type is asked for. */
export function collectEntities(examples: readonly Source[]): EntityPool {
  const byForm = new Map<string, { text: string; type: string | null | undefined; count: number }>();
  const byRole = new Map<string, Set<string>>();
  const pairs = new Map<string, Source[]>();
  for (const source of examples) {
    if (source.spans === null) continue;
    for (const role of roles) {
      const text = entityText(source, role);
      if (text === '') continue;
      const form = formOf(text);
      const known = byForm.get(form);
      const type = source.types?.[role] ?? undefined;
      if (known === undefined) byForm.set(form, { text, type, count: 1 });
      else {
        known.count++;
        known.type ??= type;
      }
      if (source.gold !== null) {
        const key = keyOf(role, source.gold);
        byRole.set(key, (byRole.get(key) ?? new Set()).add(form));
      }
    }
    const pair = pairOf(source);
    pairs.set(pair, [...(pairs.get(pair) ?? []), source]);
  }
  const places = new WeakMap<Source, PairPlace>();
  for (const [pair, sources] of pairs) {
    for (const [index, source] of sources.entries()) places.set(source, { pair, index, count: sources.length });
  }
  const counts = [...pairs.values()].map(({ length }) => length);
  const entity = (form: string): PooledEntity => {
    const known = byForm.get(form)!;
    if (known.type === undefined) known.type = guessType(known.text);
    return { text: known.text, type: known.type, count: known.count };
  };
  let all: PooledEntity[] | null = null;
  const entities = (): PooledEntity[] => {
    all ??= [...byForm.keys()].map(entity);
    return all;
  };
  let byType: Map<string, PooledEntity[]> | null = null;
  const typed = (): Map<string, PooledEntity[]> => {
    if (byType !== null) return byType;
    byType = new Map();
    for (const one of entities()) {
      if (one.type === null) continue;
      const others = byType.get(one.type);
      if (others === undefined) byType.set(one.type, [one]);
      else others.push(one);
    }
    return byType;
  };
  return {
    get entities() {
      return entities();
    },
    ofRole: (role, gold) => [...(byRole.get(keyOf(role, gold)) ?? [])].map(entity),
    ofType: (type) => typed().get(type) ?? [],
    get types() {
      return [...typed().keys()].sort();
    },
    typeOf(source, role) {
      const said = source.types?.[role] ?? null;
      const text = entityText(source, role);
      if (said !== null || text === '') return said;
      return byForm.has(formOf(text)) ? entity(formOf(text)).type : guessType(text);
    },
    placeOf: (source) => places.get(source) ?? null,
    pairCounts: {
      least: counts.reduce((least, count) => Math.min(least, count), Number.POSITIVE_INFINITY),
      most: counts.reduce((most, count) => Math.max(most, count), 0),
    },
  };
}

export const formOf = (text: string): string => text.toLowerCase();
const keyOf = (role: Role, gold: string): string => JSON.stringify([role, gold]);

/** Head and tail, whatever their case: DiagnoseRE's pair. */
function pairOf(source: Source): string {
  return JSON.stringify(roles.map((role) => formOf(entityText(source, role))));
}
