import { HAN, KANA, LATIN, scriptNames } from './characters';
import { languageNames } from './function-words';
import type { TextScan } from './text-scan';

/**
 * Which script and language a text is in, and whether a part of it is in another. Scripts are exact. Languages of the Latin script are told by
 * their function words: a text says its language only where it holds several of them and clearly more than of any other, so short texts and
 * lists of names say none.
 */
export interface TextLanguages {
  /** Number of the script that most letters are of (`scriptNames`); 0: there are too few letters. Kana: Japanese. */
  readonly script: number;
  /** Another script in which a good part of the text is written; else 0. */
  readonly otherScript: number;
  /** Number of the language (`languageNames`); 0: none is sure. */
  readonly language: number;
  /** A language of the Latin script in which a part of the text is written that is in another one; else 0. */
  readonly otherLanguage: number;
}

/** Letters that say what script a text is in. Han and kana write with one what Latin writes with three. */
const FEWEST_LETTERS = 10;
const DENSE_LETTERS = 3;
/** Of a second script. A name is no second script. */
const FEWEST_OTHER_LETTERS = 20;
const OTHER_SHARE = 0.2;

/** Different ones. */
const FEWEST_FUNCTION_WORDS = 3;
/** Of the words; English has about a half. */
const FUNCTION_WORD_SHARE = 0.2;
/** Function words that no other language of the text has, for each of two languages. */
const FEWEST_OWN_WORDS = 4;
/** Function words among Latin words in a text of another script that make them more than a name. */
const FEWEST_IN_OTHER_SCRIPT = 4;

const counts = new Uint32Array(scriptNames.length);
const hits = new Uint32Array(languageNames.length);

export function languagesOf(scan: TextScan): TextLanguages {
  counts.set(scan.letters);
  counts[0] = 0;
  counts[HAN]! *= DENSE_LETTERS;
  counts[KANA]! *= DENSE_LETTERS;
  if (counts[KANA]! > 0 && counts[KANA]! * 10 >= counts[HAN]!) {
    // Kana among Han: Japanese.
    counts[KANA]! += counts[HAN]!;
    counts[HAN] = 0;
  }
  const script = largest(counts, 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (counts[script]! < FEWEST_LETTERS || counts[script]! < total * 0.5) {
    return { script: 0, otherScript: 0, language: 0, otherLanguage: 0 };
  }
  const { language, otherLanguage } = latinLanguages(scan);
  if (script === LATIN) {
    const second = largest(counts, script);
    const isWritten = counts[second]! >= Math.max(FEWEST_OTHER_LETTERS, total * OTHER_SHARE);
    return { script, otherScript: isWritten ? second : 0, language, otherLanguage };
  }
  // Latin words are names and loans wherever they stand; function words make them sentences.
  const isSentence = counts[LATIN]! >= total * OTHER_SHARE && scan.functionWords.length >= FEWEST_IN_OTHER_SCRIPT;
  return { script, otherScript: isSentence && language !== 0 ? LATIN : 0, language: 0, otherLanguage: 0 };
}

/** The number that has the most, but one; 0 where there are none. */
function largest(of: Uint32Array, but: number): number {
  let best = 0;
  for (let at = 1; at < of.length; at++) if (at !== but && of[at]! > of[best]!) best = at;
  return best;
}

function latinLanguages({ functionWords, letters }: TextScan): { language: number; otherLanguage: number } {
  const none = { language: 0, otherLanguage: 0 };
  if (functionWords.length < FEWEST_FUNCTION_WORDS) return none;
  hits.fill(0);
  for (const { languages, count } of functionWords) {
    for (let bits = languages; bits !== 0; bits &= bits - 1) hits[31 - Math.clz32(bits & -bits)]! += count;
  }
  const language = largest(hits, 0);
  const latinWords = letters[LATIN]! / MEAN_WORD_LETTERS;
  if (hits[language]! < latinWords * FUNCTION_WORD_SHARE) return none;
  let second = 0;
  let secondOwn = 0;
  for (let other = 1; other < hits.length; other++) {
    if (other === language || hits[other]! <= secondOwn) continue;
    const own = ownWords(functionWords, other, language);
    if (own > secondOwn) {
      second = other;
      secondOwn = own;
    }
  }
  const firstOwn = second === 0 ? functionWords.length : ownWords(functionWords, language, second);
  if (secondOwn >= FEWEST_OWN_WORDS && firstOwn >= FEWEST_OWN_WORDS) return { language, otherLanguage: second };
  // Kin share most of their words: the words that tell them apart decide.
  return firstOwn >= FEWEST_FUNCTION_WORDS && firstOwn >= 2 * secondOwn ? { language, otherLanguage: 0 } : none;
}

/** For how many words some letters may stand. */
const MEAN_WORD_LETTERS = 5;

/** Different function words of a language that another one lacks. */
function ownWords(functionWords: TextScan['functionWords'], language: number, other: number): number {
  let count = 0;
  for (const { languages } of functionWords) {
    if (((languages >> language) & 1) === 1 && ((languages >> other) & 1) === 0) count++;
  }
  return count;
}

/** In 20 bits, for a row's facts. */
export function packedLanguages({ script, otherScript, language, otherLanguage }: TextLanguages): number {
  return script | (otherScript << 5) | (language << 10) | (otherLanguage << 15);
}

export function unpackedLanguages(packed: number): TextLanguages {
  const at = (shift: number) => (packed >> shift) & 31;
  return { script: at(0), otherScript: at(5), language: at(10), otherLanguage: at(15) };
}
