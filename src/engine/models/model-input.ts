/** What a model reads of an example, before it is cut into tokens. */
import type { EntitySpans, Span } from '../../protocol/dataset';
import { ModelError } from './model-error';
import type { ModelFolder } from './model-folder';
import { chooseMentions, type EntityTypes, type WrittenText, writeEntities, writePlain } from './template';

export interface ClassifierInput {
  text: string;
  /** Null for a sentiment example. */
  spans: EntitySpans | null;
  /** Every mention of the entities, where the dataset tells more than one. */
  mentions: { head: Span[]; tail: Span[] } | null;
  types: EntityTypes | null;
}

/** Throws ModelError where the model reads entities and the example has none. */
export function writeInput({ info, markers }: ModelFolder, input: ClassifierInput): WrittenText {
  if (markers === null) return writePlain(input.text);
  if (input.spans === null) throw new ModelError(`${info.name} classifies relations: the example has no entities.`);
  const spans = chooseMentions(input.spans, input.mentions, markers.mentions);
  return writeEntities(input.text, spans, input.types, markers);
}
