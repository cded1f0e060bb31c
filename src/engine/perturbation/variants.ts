/** From a perturbation to the variants of one example. */
import type { Task } from '../../protocol/dataset';
import type { Part } from '../../protocol/perturbation';
import { shuffled } from '../statistics/random';
import { applyEdits } from './edits';
import type { EntityPool } from './entity/entity-pool';
import {
  isNotApplicable,
  type NotApplicable,
  type Perturbation,
  type PerturbationContext,
  type SearchPerturbation,
} from './perturbation';
import { regionsOf } from './regions';
import { randomFor } from './seeds';
import type { Source, Variant } from './source';

export interface VariantOptions {
  seed: number;
  /** Null: where the perturbation acts by itself. */
  parts: readonly Part[] | null;
  /** Values of the perturbation's options by name; those that are not named stand as they are. */
  values: Readonly<Record<string, number>>;
  /** At most so many are kept, a random choice of those that it makes. */
  most: number;
  pool: EntityPool | null;
}

export interface MadeVariants {
  /** Each differs from the source and from the others. */
  readonly variants: readonly Variant[];
  /** Equal to the source, or to another one. */
  readonly dropped: number;
  /** Why there is none; null where there is one, or where all were equal to the source. */
  readonly notApplicable: string | null;
}

/** The variants of one example. A search is driven by its runner, and what it found kept by `keepVariants`. */
export function makeVariants(
  perturbation: Exclude<Perturbation, SearchPerturbation>,
  source: Source,
  options: VariantOptions,
): MadeVariants {
  const context = contextOf(perturbation, source, options);
  if (isNotApplicable(context)) return none(context);
  if (perturbation.kind === 'variants') {
    const made = perturbation.variants(source, context);
    return isNotApplicable(made) ? none(made) : keepVariants(perturbation, source, made, options);
  }
  const made = perturbation.edits(source, context);
  if (isNotApplicable(made)) return none(made);
  const variants = made.map((edits) => applyEdits(source, edits));
  return keepVariants(perturbation, source, variants, options);
}

/** What a perturbation may look at for one example, or why it cannot act there. */
export function contextOf(
  perturbation: Perturbation,
  source: Source,
  options: VariantOptions,
): PerturbationContext | NotApplicable {
  const task: Task = source.spans === null ? 'sentiment' : 'relation';
  if (!perturbation.tasks.includes(task)) return { reason: `it is for ${perturbation.tasks.join(' and ')} examples` };
  const wanted = options.parts ?? perturbation.parts;
  const regions = regionsOf(source).filter(({ part }) => wanted.includes(part));
  return {
    seed: options.seed,
    random: randomFor(options.seed, perturbation.id, keyOf(source)),
    regions,
    option(name) {
      const option = perturbation.options.find((one) => one.name === name);
      if (option === undefined) throw new RangeError(`${perturbation.id} has no option ${name}.`);
      return options.values[name] ?? option.standard;
    },
    pool: options.pool,
  };
}

/** Drops what is equal to the source or to an earlier one, and chooses among the rest where there are too many. */
export function keepVariants(
  perturbation: Perturbation,
  source: Source,
  variants: readonly Variant[],
  options: Pick<VariantOptions, 'seed' | 'most'>,
): MadeVariants {
  const known = new Set([keyOf(source)]);
  const kept: Variant[] = [];
  for (const variant of variants) {
    const key = keyOf(variant);
    if (known.has(key)) continue;
    known.add(key);
    kept.push(variant);
  }
  const dropped = variants.length - kept.length;
  if (kept.length <= options.most) return { variants: kept, dropped, notApplicable: null };
  const order = kept.map((_, index) => index);
  const random = randomFor(options.seed, `${perturbation.id} choice`, keyOf(source));
  const chosen = shuffled(order, random)
    .slice(0, options.most)
    .sort((a, b) => a - b);
  return { variants: chosen.map((index) => kept[index]!), dropped, notApplicable: null };
}

function none({ reason }: NotApplicable): MadeVariants {
  return { variants: [], dropped: 0, notApplicable: reason };
}

/** All that a model can be told of an example. */
function keyOf({ text, spans, types, mentions }: Pick<Source, 'text' | 'spans' | 'types' | 'mentions'>): string {
  return JSON.stringify([text, spans, types, mentions]);
}
