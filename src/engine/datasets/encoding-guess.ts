/**
 * Which older encoding bytes are in that are no UTF-8. Each is tried: where a text is in it, the letters beyond ASCII are for a good part the few that
 * are most frequent in its language; read as another, they are rare ones, of wrong case, or none at all.
 */

export type SingleByteLabel = 'windows-1251' | 'koi8-r' | 'ibm866' | 'iso-8859-5' | 'windows-1253';
export type MultiByteLabel = 'gb18030' | 'big5' | 'shift_jis' | 'euc-jp' | 'euc-kr';

/** An encoding that is told by the language written in it; `label` is TextDecoder's. */
export interface OlderEncoding {
  readonly label: SingleByteLabel | MultiByteLabel;
  /** For people. */
  readonly name: string;
}

interface Candidate extends OlderEncoding {
  readonly frequent: ReadonlySet<string>;
  /** Frequent letters' share in texts of the language is well above this, in others it is below a third of it. */
  readonly share: number;
}

/** Of a language, the letters that are used most; of Japanese the syllabaries. */
const russian = new Set('оеаинтсрвліы');
const greek = new Set('αοιετνσηρςπ');
const japanese = new Set('のにはをたがでてとしれさいるなもかこうらりくきすまよせんあけっそえつーンスルトイリラクシア');
const korean = new Set(
  '이다는의에을가고하지로를도한사은그아어나자대기있서리인시라과해만일와게수보정부것들었제전상스으면오여세요니습',
);
const simplified = new Set(
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想很',
);
const traditional = new Set(
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想很',
);

const candidates: readonly Candidate[] = [
  { label: 'windows-1251', name: 'Windows-1251', frequent: russian, share: 0.5 },
  { label: 'koi8-r', name: 'KOI8-R', frequent: russian, share: 0.5 },
  { label: 'ibm866', name: 'CP866', frequent: russian, share: 0.5 },
  { label: 'iso-8859-5', name: 'ISO 8859-5', frequent: russian, share: 0.5 },
  { label: 'windows-1253', name: 'Windows-1253', frequent: greek, share: 0.5 },
  { label: 'gb18030', name: 'GB18030 (GBK)', frequent: simplified, share: 0.1 },
  { label: 'big5', name: 'Big5', frequent: traditional, share: 0.1 },
  { label: 'shift_jis', name: 'Shift-JIS', frequent: japanese, share: 0.25 },
  { label: 'euc-jp', name: 'EUC-JP', frequent: japanese, share: 0.25 },
  { label: 'euc-kr', name: 'EUC-KR', frequent: korean, share: 0.18 },
];

/** From the first byte above 7F on, so many are decoded. */
const PROBE_BYTES = 131_072;
/** Fewer letters than this say nothing of their language. */
const LEAST_LETTERS = 8;
/** What a text of the encoding does not hold weighs so many letters. */
const ODD_WEIGHT = 10;
/** The best is so much better than the next. */
const LEAD = 1.6;

const letter = /\p{L}/u;
/** No character, one of the reader's own, or a control character. */
const odd = /[\ufffd\p{Co}\p{Cn}\u0080-\u009f]/u;

/** In alphabets: beside a Latin letter in a word, a capital behind a small letter, a sign within a word. */
const strayLetters =
  /[A-Za-z](?=[\u0370-\u04ff])|[\u0370-\u04ff](?=[A-Za-z])|(?<=\p{Ll})(?=\p{Lu})|(?<=[\u0370-\u04ff])[\u00a1-\u00ba\u2190-\u25ff](?=[\u0370-\u04ff])/gu;

/** The encoding that bytes are in, by the language written in it; null where none is sure. */
export function olderEncoding(bytes: Uint8Array): OlderEncoding | null {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first === -1) return null;
  const probe = bytes.subarray(first, first + PROBE_BYTES);
  // No byte below 30 continues a character in any of them.
  const end = first + PROBE_BYTES < bytes.length ? probe.findLastIndex((byte) => byte < 0x30) + 1 : probe.length;
  const sample = probe.subarray(0, end || probe.length);
  const scored = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate, sample) }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = [scored[0]!, scored[1]!];
  return best.score >= 1 && best.score >= next.score * LEAD ? best.candidate : null;
}

/** The share of frequent letters by the one that is asked for: 1 or more where the text may be in it. */
function scoreOf({ label, frequent, share }: Candidate, bytes: Uint8Array): number {
  const text = new TextDecoder(label).decode(bytes);
  let letters = 0;
  let known = 0;
  let strange = text.match(strayLetters)?.length ?? 0;
  for (const character of text) {
    if (character < '\u0080') continue;
    if (frequent.has(character)) known++;
    if (letter.test(character)) letters++;
    else if (odd.test(character)) strange++;
  }
  return letters < LEAST_LETTERS ? 0 : known / (letters + strange * ODD_WEIGHT) / share;
}

/**
 * How many bytes of a part can be decoded by themselves in a multi-byte encoding; the part begins between two characters.
 */
export function wholeMultiByte(label: MultiByteLabel, bytes: Uint8Array): number {
  // A byte below 30 is a character by itself, wherever it stands.
  let at = bytes.findLastIndex((byte) => byte < 0x30) + 1;
  while (at < bytes.length) {
    const length = characterLength(label, bytes[at]!, bytes[at + 1] ?? 0);
    if (at + length > bytes.length) return at;
    at += length;
  }
  return at;
}

function characterLength(label: MultiByteLabel, first: number, second: number): number {
  if (first <= 0x80 || first === 0xff) return 1;
  if (label === 'shift_jis') return first >= 0xa1 && first <= 0xdf ? 1 : 2;
  if (label === 'euc-jp') return first === 0x8f ? 3 : 2;
  return label === 'gb18030' && second >= 0x30 && second <= 0x39 ? 4 : 2;
}
