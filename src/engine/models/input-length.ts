import type { InputLength } from '../datasets/checks/settings';
import { coverText } from '../text/alignment';
import { tokenBound } from '../text/token-bound';
import type { ModelFolder } from './model-folder';
import { type ClassifierInput, writeInput } from './model-input';
import { needsTypes, sourceRange } from './template';
import { createTokenizer } from './tokenizer';

/** Tokens that may stand for a space alone: before the text, and around what is written into it. */
const SPACE_TOKENS = 16;
/** Times that a type is written at most: before and behind an entity. */
const TYPE_COPIES = 2;

/** How long the inputs of a model are. Needs its tokenizer only, not its graph. Throws ModelError. */
export function inputLengthOf(folder: ModelFolder): InputLength {
  const tokenizer = createTokenizer(folder);
  const { maxTokens } = folder.info;
  const encode = (input: ClassifierInput) => tokenizer.encode(writeInput(folder, input).text);
  const nowhere = { start: 0, end: 0 };
  const spans = folder.markers === null ? null : { head: nowhere, tail: nowhere };
  const { json } = folder.tokenizer;
  const isWordPiece = (json.model as { type?: unknown } | undefined)?.type === 'WordPiece';
  const { mayExceed, mostTokens } = tokenBound(isWordPiece ? 'character' : 'byte');
  const overhead = encode({ text: '', spans, mentions: null, types: null }).length + (isWordPiece ? 0 : SPACE_TOKENS);
  const typesCount = folder.markers !== null && needsTypes(folder.markers);
  const typeTokens = (type: string | null | undefined) => (typesCount ? TYPE_COPIES * mostTokens(type ?? '') : 0);
  return {
    name: folder.info.name,
    maxTokens,
    mayBeTooLong({ text, types }) {
      return mayExceed(text, maxTokens - overhead - typeTokens(types?.head) - typeTokens(types?.tail));
    },
    count(example) {
      const written = writeInput(folder, example);
      const ids = tokenizer.encode(written.text);
      if (ids.length <= maxTokens) return { tokens: ids.length, keptUnits: example.text.length };
      const aligned = tokenizer.align(written.text).map((token) => {
        const range = token.start === null || token.end === null ? null : sourceRange(written, token.start, token.end);
        return { ...token, start: range?.start ?? null, end: range?.end ?? null };
      });
      const kept = tokenizer.truncate(coverText(example.text, aligned));
      return { tokens: ids.length, keptUnits: kept.reduce((last, { end }) => Math.max(last, end ?? 0), 0) };
    },
  };
}
