import type { Span } from '../../../protocol/dataset';
import { LATIN, scriptNames, scriptOf, unitTable } from './characters';
import type { CheckedFile } from './file-check';
import type { CheckFinding, FindingPlace } from './finding';
import { languageNames } from './function-words';
import { unpackedLanguages } from './languages';

/** Of the texts that tell, so many have to agree before one that differs is odd. */
const NEARLY_ALL = 0.95;
const FEWEST_TEXTS = 20;
/** A file where more texts are mixed is one of code-switching. */
const MOST_MIXED = 0.1;

const SLICE_ROWS = 8192;

/** What nearly all texts of a file are written in; 0: nothing is. */
interface MainLanguage {
  readonly script: number;
  /** Of the texts that tell. */
  readonly scriptShare: number;
  readonly language: number;
  readonly languageShare: number;
}

/** Texts in another script or language than nearly all others. */
export function* otherLanguage(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const counts = yield* countLanguages(file);
  const main = mainLanguage(counts);
  const odd = [...counts.keys()].filter((packed) => describeOdd(packed, main) !== null);
  return yield* findingsFor(file, new Set(odd), (packed) => {
    const what = describeOdd(packed, main)!;
    return {
      code: 'assay/other-language',
      place: () => ({ part: 'row' }),
      message: `The text is in ${what.odd}; ${percent(what.share)} of the texts here that tell are in ${what.main}. Translate it or remove it, unless it is meant.`,
    };
  });
}

/** Texts of which a good part is in another script or language than the rest. */
export function* mixedLanguage(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const counts = yield* countLanguages(file);
  let told = 0;
  let mixedCount = 0;
  const mixed = new Set<number>();
  for (const [packed, count] of counts) {
    const { script, otherScript, otherLanguage: second } = unpackedLanguages(packed);
    if (script !== 0) told += count;
    if (otherScript === 0 && second === 0) continue;
    mixed.add(packed);
    mixedCount += count;
  }
  if (mixedCount > told * MOST_MIXED && told >= FEWEST_TEXTS) return [];
  return yield* findingsFor(file, mixed, (packed) => {
    const { script, otherScript, language, otherLanguage: second } = unpackedLanguages(packed);
    const parts =
      second === 0
        ? `in ${scriptTitle(script)} and a good part in ${scriptTitle(otherScript)}`
        : `in ${languageNames[language]} and a part in ${languageNames[second]}`;
    return {
      code: 'assay/mixed-language',
      place: (text) => (otherScript === 0 ? { part: 'row' } : { part: 'text', span: lettersOf(text, otherScript) }),
      message: `Most of the text is ${parts}: it may be two texts in one, or half a translation. Look at it.`,
    };
  });
}

/** How many texts there are of each combination (`packedLanguages`). */
function* countLanguages({ slots, facts }: CheckedFile): Generator<void, Map<number, number>> {
  const counts = new Map<number, number>();
  for (let row = 0; row < slots.length; row++) {
    const packed = facts.packedLanguages(slots[row]!);
    counts.set(packed, (counts.get(packed) ?? 0) + 1);
    if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
  }
  return counts;
}

function mainLanguage(counts: ReadonlyMap<number, number>): MainLanguage {
  const scripts = new Map<number, number>();
  const languages = new Map<number, number>();
  for (const [packed, count] of counts) {
    const { script, language } = unpackedLanguages(packed);
    if (script !== 0) scripts.set(script, (scripts.get(script) ?? 0) + count);
    if (language !== 0) languages.set(language, (languages.get(language) ?? 0) + count);
  }
  const script = nearlyAll(scripts);
  const language = nearlyAll(languages);
  return {
    script: script.value,
    scriptShare: script.share,
    language: language.value,
    languageShare: language.share,
  };
}

function nearlyAll(counts: ReadonlyMap<number, number>): { value: number; share: number } {
  let total = 0;
  let best = 0;
  for (const [value, count] of counts) {
    total += count;
    if (count > (counts.get(best) ?? 0)) best = value;
  }
  const share = (counts.get(best) ?? 0) / total;
  return total >= FEWEST_TEXTS && share >= NEARLY_ALL ? { value: best, share } : { value: 0, share: 0 };
}

/** Null: it is what nearly all are in, or says too little. */
function describeOdd(packed: number, main: MainLanguage): { odd: string; main: string; share: number } | null {
  const { script, language } = unpackedLanguages(packed);
  if (script !== 0 && main.script !== 0 && script !== main.script) {
    return { odd: scriptTitle(script), main: scriptTitle(main.script), share: main.scriptShare };
  }
  if (script === LATIN && language !== 0 && main.language !== 0 && language !== main.language) {
    return { odd: languageNames[language]!, main: languageNames[main.language]!, share: main.languageShare };
  }
  return null;
}

type Description = Pick<CheckFinding, 'code' | 'message'> & { place(text: string): FindingPlace };

function* findingsFor(
  { examples, slots, facts }: CheckedFile,
  wanted: ReadonlySet<number>,
  describe: (packed: number) => Description,
): Generator<void, readonly CheckFinding[]> {
  const findings: CheckFinding[] = [];
  if (wanted.size === 0) return findings;
  for (let row = 0; row < slots.length; row++) {
    const packed = facts.packedLanguages(slots[row]!);
    if (wanted.has(packed)) {
      const { code, message, place } = describe(packed);
      const example = examples[row]!;
      findings.push({ code, example, place: place(example.text), message, related: [], fix: null });
    }
    if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
  }
  return findings;
}

function scriptTitle(script: number): string {
  const name = scriptNames[script]!;
  if (name === 'Han') return 'Chinese characters';
  return name === 'Kana' ? 'Japanese' : `${name} script`;
}

/** From the first to the last letter of a script. */
function lettersOf(text: string, script: number): Span {
  let start = -1;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    if (scriptOf(unitTable[text.charCodeAt(at)]!) !== script) continue;
    if (start === -1) start = at;
    end = at + 1;
  }
  return start === -1 ? { start: 0, end: text.length } : { start, end };
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
