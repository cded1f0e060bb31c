import type { Example } from '../engine/datasets/dataset';
import { occurrences } from '../engine/datasets/entities';
import { counted } from './dataset-notes';

/** Share of the rows from which on names that do not fit are the way of the file. */
const RULE_SHARE = 0.5;

/**
 * Whether the offsets of entities seem to be counted otherwise than they are read, as the names beside them say. Names that stand nowhere in
 * their texts are no words of them (a knowledge base's titles) and say nothing.
 */
export function entityNotes(examples: readonly Example[]): string[] {
  let ends = 0;
  let elsewhere = 0;
  for (const { text, misfits } of examples) {
    if (misfits === null) continue;
    if (misfits.some(({ endShift }) => endShift !== 0)) ends++;
    else if (misfits.some(({ name }) => occurrences(text, name).length > 0)) elsewhere++;
  }
  const rows = counted(examples.length, 'example');
  const notes: string[] = [];
  if (ends > 0 && ends >= examples.length * RULE_SHARE) {
    notes.push(
      `in ${ends} of ${rows} an entity ends one off its name: ends seem to be counted inclusively where they are read as exclusive, or the other way round (assay check says which)`,
    );
  }
  if (elsewhere > 0 && elsewhere >= examples.length * RULE_SHARE) {
    notes.push(
      `in ${elsewhere} of ${rows} an entity is not where its name stands: offsets seem to count something else than characters of the text, or words of a list (assay check says which)`,
    );
  }
  return notes;
}
