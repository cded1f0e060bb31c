/** assay.json: what a relation model needs to be told that Hugging Face's files do not say. */
import type { Task } from '../../protocol/dataset';
import { ModelError } from './model-error';
import { type EntityForm, type EntityTemplate, entityPresets } from './template';

export interface AssayFile {
  task: Task;
  /** Null for a sentiment model, or where the file does not say how entities are written. */
  entities: EntityTemplate | null;
  negativeLabel: string | null;
}

/**
 * Reads the parsed JSON of `file`:
 *
 *     { "task": "relation", "entities": { "head": ["[E1]", "[/E1]"], "tail": ["[E2]", "[/E2]"] },
 *       "negativeLabel": "Other", "mentions": "first" }
 *
 * `entities` may also be the name of a preset, and `head` and `tail` one string each, the mask written in their place.
 */
export function parseAssayFile(json: unknown, file: string): AssayFile {
  if (!isRecord(json)) throw new ModelError(`${file} must hold one JSON object.`);
  const { task, entities, negativeLabel, mentions } = json;
  if (task !== 'relation' && task !== 'sentiment') {
    throw new ModelError(`${file}: "task" must be "relation" or "sentiment".`);
  }
  if (negativeLabel !== undefined && negativeLabel !== null && typeof negativeLabel !== 'string') {
    throw new ModelError(`${file}: "negativeLabel" must be the label that means no relation, a string.`);
  }
  if (mentions !== undefined && mentions !== 'first' && mentions !== 'closest') {
    throw new ModelError(`${file}: "mentions" must be "first" or "closest".`);
  }
  const forms = entities === undefined ? null : parseEntities(entities, file);
  return {
    task,
    entities: task === 'sentiment' || forms === null ? null : { ...forms, mentions: mentions ?? 'closest' },
    negativeLabel: negativeLabel ?? null,
  };
}

function parseEntities(entities: unknown, file: string): Pick<EntityTemplate, 'head' | 'tail'> {
  if (typeof entities === 'string') {
    const preset = Object.hasOwn(entityPresets, entities) ? entityPresets[entities] : undefined;
    if (preset !== undefined) return preset;
    const names = Object.keys(entityPresets).join(', ');
    throw new ModelError(
      `${file}: "entities" names no known way of writing entities ("${entities}"). Known: ${names}.`,
    );
  }
  if (!isRecord(entities)) throw new ModelError(`${file}: "entities" must be an object with "head" and "tail".`);
  return { head: parseForm(entities.head, 'head', file), tail: parseForm(entities.tail, 'tail', file) };
}

function parseForm(form: unknown, role: string, file: string): EntityForm {
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim().length > 0;
  if (isText(form)) return { kind: 'mask', mask: form };
  if (Array.isArray(form) && form.length === 2) {
    const [open, close]: unknown[] = form;
    if (isText(open) && isText(close)) return { kind: 'markers', open, close };
  }
  throw new ModelError(
    `${file}: "entities.${role}" must be the two strings written before and after the entity, e.g. ["[E1]", "[/E1]"], or one string written in its place.`,
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
