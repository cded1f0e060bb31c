/** A model's tokenizer: text to ids, cut to what the model reads. Nothing is fetched and no global setting is read. */
import { Tokenizer } from '@huggingface/tokenizers';
import { countSpecialTokens, createAligner, type TokenAlignment } from '../text/alignment';
import { isRecord } from './assay-file';
import { ModelError } from './model-error';
import type { ModelFolder } from './model-folder';
import { stringsOf } from './template';

export interface ModelTokenizer {
  /** All the ids, special ones included, however many. */
  encode(text: string): number[];
  /** As `encode`, each with its range in the text (see `createAligner`). */
  align(text: string): TokenAlignment[];
  /**
   * The items of a row that the model reads where there are more than `maxTokens`: special tokens at both ends stay, the
   * end of the text is left out.
   */
  truncate<T>(row: readonly T[]): T[];
}

export function createTokenizer(folder: ModelFolder): ModelTokenizer {
  const { json, config } = folder.tokenizer;
  const { maxTokens } = folder.info;
  let tokenizer: Tokenizer;
  try {
    tokenizer = new Tokenizer(withEntityMarkers(folder), config);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelError(`${folder.info.folder}: the tokenizer in tokenizer.json cannot be used (${reason}).`);
  }
  if (!isRecord(json.model) || tokenizer.model === null)
    throw new ModelError(`${folder.info.folder}: tokenizer.json has no model.`);
  const special = countSpecialTokens(tokenizer);
  return {
    encode: (text) => tokenizer.encode(text).ids,
    align: createAligner(tokenizer, config),
    truncate: (row) => {
      if (row.length <= maxTokens) return [...row];
      const end = Math.max(special.before, maxTokens - special.after);
      return [...row.slice(0, end), ...row.slice(row.length - special.after)];
    },
  };
}

/**
 * tokenizer.json with the entity markers as added tokens. A marker that is an entry of the vocabulary (`[unused0]`) but
 * was not added would be cut into pieces (`[`, `unused`, …), which no model was trained on.
 */
function withEntityMarkers(folder: ModelFolder): Record<string, unknown> {
  const { json } = folder.tokenizer;
  const vocabulary = isRecord(json.model) && isRecord(json.model.vocab) ? json.model.vocab : null;
  const added: unknown[] = Array.isArray(json.added_tokens) ? json.added_tokens : [];
  if (folder.markers === null || vocabulary === null) return { ...json, added_tokens: added };
  const known = new Set(added.map((token) => (isRecord(token) ? token.content : null)));
  const missing = stringsOf(folder.markers)
    .flatMap((written) => entriesFor(written, vocabulary))
    .filter((entry) => !known.has(entry.content));
  return { ...json, added_tokens: [...added, ...missing] };
}

/** Marker tokens have brackets; `@` and `#` are words like any other. */
const isBracketed = /^[[<{].+[\]>}]$/;

/** The entries of the vocabulary that a marker may be written as (several where it names types). */
function entriesFor(
  written: string,
  vocabulary: Record<string, unknown>,
): { content: string; id: number; special: true }[] {
  if (!isBracketed.test(written)) return [];
  const [before, after] = written.split(/\{type\}|\{TYPE\}/);
  const names =
    after === undefined
      ? [written]
      : Object.keys(vocabulary).filter(
          (name) => name.startsWith(before!) && name.endsWith(after) && isBracketed.test(name),
        );
  return names.flatMap((content) => {
    const id = Object.hasOwn(vocabulary, content) ? vocabulary[content] : undefined;
    return typeof id === 'number' ? [{ content, id, special: true as const }] : [];
  });
}
