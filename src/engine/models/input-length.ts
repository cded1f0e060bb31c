import type { InputLength } from '../datasets/checks/settings';
import { coverText } from '../text/alignment';
import type { ModelFolder } from './model-folder';
import { type ClassifierInput, writeInput } from './model-input';
import { sourceRange } from './template';
import { createTokenizer } from './tokenizer';

/** A token is one character at least in WordPiece; byte-level and byte-fallback ones may be a third of a UTF-16 unit. */
const TOKENS_A_UNIT = { WordPiece: 1, other: 3 };
/** Tokens that the types of two entities may take besides. */
const TYPE_TOKENS = 24;

/** How long the inputs of a model are. Needs its tokenizer only, not its graph. Throws ModelError. */
export function inputLengthOf(folder: ModelFolder): InputLength {
  const tokenizer = createTokenizer(folder);
  const { maxTokens } = folder.info;
  const encode = (input: ClassifierInput) => tokenizer.encode(writeInput(folder, input).text);
  const nowhere = { start: 0, end: 0 };
  const spans = folder.markers === null ? null : { head: nowhere, tail: nowhere };
  const overhead = encode({ text: '', spans, mentions: null, types: null }).length + (spans === null ? 0 : TYPE_TOKENS);
  const { json } = folder.tokenizer;
  const kind = (json.model as { type?: unknown } | undefined)?.type;
  const perUnit = kind === 'WordPiece' ? TOKENS_A_UNIT.WordPiece : TOKENS_A_UNIT.other;
  return {
    name: folder.info.name,
    maxTokens,
    shortUnits: Math.max(0, Math.floor((maxTokens - overhead) / perUnit)),
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
