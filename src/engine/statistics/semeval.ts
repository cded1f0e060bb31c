import type { ConfusionMatrix } from './confusion';

/** How directed labels (`Cause-Effect(e1,e2)`) fall into relations. */
export interface DirectedRelations {
  /** Without direction, in the order of their first label. */
  names: readonly string[];
  /** For each label the index into `names`; -1 for the negative one. */
  relationOfLabel: Int32Array;
}

const directedLabel = /^(.+)\((e1,e2|e2,e1)\)$/;

/**
 * The relations, where the labels are those of a task like SemEval-2010 Task 8: each `Name(e1,e2)` with its
 * `Name(e2,e1)`, and one negative label. Null where they are not.
 */
export function directedRelations(labels: readonly string[], negativeLabel: string | null): DirectedRelations | null {
  const names: string[] = [];
  const directions = new Map<string, Set<string>>();
  const relationOfLabel = new Int32Array(labels.length).fill(-1);
  for (const [index, label] of labels.entries()) {
    if (label === negativeLabel) continue;
    const match = directedLabel.exec(label);
    if (match === null) return null;
    const [, name, direction] = match as unknown as [string, string, string];
    if (!directions.has(name)) {
      directions.set(name, new Set());
      names.push(name);
    }
    directions.get(name)?.add(direction);
    relationOfLabel[index] = names.indexOf(name);
  }
  const isComplete = [...directions.values()].every((found) => found.size === 2);
  if (names.length === 0 || !isComplete || negativeLabel === null || !labels.includes(negativeLabel)) return null;
  return { names, relationOfLabel };
}

/**
 * The official figure of SemEval-2010 Task 8, "(9+1)-way evaluation with directionality taken into account", as the
 * task's scorer 1.2 computes it: the two directions of a relation are one class, a right relation in the wrong direction
 * counts as predicted and as gold but not as right, the mean is over the relations that occur in gold, the negative label
 * left out. Null where none occurs in gold (the scorer divides by zero there).
 * Source: Hendrickx et al. (2010), SemEval, section 4; README of the scorer.
 */
export function officialMacroF1(matrix: ConfusionMatrix, relations: DirectedRelations): number | null {
  const { right, gold, predicted } = relationCounts(matrix, relations);
  let sum = 0;
  let relationCount = 0;
  for (let relation = 0; relation < relations.names.length; relation++) {
    const goldCount = gold[relation] as number;
    if (goldCount === 0) continue;
    relationCount++;
    sum += (2 * (right[relation] as number)) / (goldCount + (predicted[relation] as number));
  }
  return relationCount === 0 ? null : sum / relationCount;
}

/** How many relations `officialMacroF1` is the mean of. */
export function goldRelationCount(matrix: ConfusionMatrix, relations: DirectedRelations): number {
  return relationCounts(matrix, relations).gold.filter((count) => count > 0).length;
}

interface RelationCounts {
  right: Float64Array;
  gold: Float64Array;
  predicted: Float64Array;
}

function relationCounts(matrix: ConfusionMatrix, { names, relationOfLabel }: DirectedRelations): RelationCounts {
  const size = matrix.labels.length;
  const right = new Float64Array(names.length);
  const gold = new Float64Array(names.length);
  const predicted = new Float64Array(names.length);
  const add = (counts: Float64Array, relation: number, count: number): void => {
    if (relation >= 0) counts[relation] = (counts[relation] as number) + count;
  };
  for (let goldLabel = 0; goldLabel < size; goldLabel++) {
    for (let predictedLabel = 0; predictedLabel < size; predictedLabel++) {
      const count = matrix.counts[goldLabel * size + predictedLabel] as number;
      if (count === 0) continue;
      add(gold, relationOfLabel[goldLabel] as number, count);
      add(predicted, relationOfLabel[predictedLabel] as number, count);
      if (goldLabel === predictedLabel) add(right, relationOfLabel[goldLabel] as number, count);
    }
  }
  return { right, gold, predicted };
}
