/**
 * A string made from another one (lower-cased, composed, with parts replaced), every UTF-16 unit of which knows the
 * range of the source that it came from. Ranges never decrease from one unit to the next, so any slice of the string has
 * one source range. A unit that came from nothing has an empty range.
 */
export interface MappedText {
  text: string;
  /** Source range of each UTF-16 unit of `text`; both arrays are as long as `text`. */
  starts: readonly number[];
  ends: readonly number[];
}

/** The text as its own source. */
export function mapIdentity(text: string): MappedText {
  const starts = Array.from({ length: text.length }, (_, index) => index);
  const ends = starts.map((index) => index + 1);
  // Both halves of a surrogate pair stand for the whole character.
  for (let index = 0; index + 1 < text.length; index++) {
    if (isPair(text, index)) {
      ends[index] = index + 2;
      starts[index + 1] = index;
      index++;
    }
  }
  return { text, starts, ends };
}

/** True where `text` has a high surrogate at `index` followed by a low one. */
export function isPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  const next = text.charCodeAt(index + 1);
  return unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
}

export function sliceMapped(mapped: MappedText, start: number, end: number): MappedText {
  return {
    text: mapped.text.slice(start, end),
    starts: mapped.starts.slice(start, end),
    ends: mapped.ends.slice(start, end),
  };
}

/** The part that `String.trimStart` / `trimEnd` would leave. */
export function trimMapped(mapped: MappedText, left: boolean, right: boolean): MappedText {
  const start = left ? mapped.text.length - mapped.text.trimStart().length : 0;
  const end = right ? mapped.text.trimEnd().length : mapped.text.length;
  return sliceMapped(mapped, start, Math.max(start, end));
}

/** Puts characters that came from nothing before the text. */
export function prependToMapped(mapped: MappedText, prefix: string): MappedText {
  const position = mapped.starts[0] ?? 0;
  const nothing = new Array<number>(prefix.length).fill(position);
  return { text: prefix + mapped.text, starts: [...nothing, ...mapped.starts], ends: [...nothing, ...mapped.ends] };
}

/**
 * Replaces every match of a global pattern by `content`; each unit written comes from the whole match.
 * Like `String.replaceAll`, but `content` is taken literally.
 */
export function replaceInMapped(mapped: MappedText, pattern: RegExp, content: string): MappedText {
  const builder = new MappedBuilder(mapped);
  let position = 0;
  for (const match of mapped.text.matchAll(pattern)) {
    builder.copy(position, match.index);
    position = match.index + match[0].length;
    builder.write(content, match.index, position);
  }
  builder.copy(position, mapped.text.length);
  return builder.finish();
}

/**
 * Bytes of the text's UTF-8 form, each written as one character (`alphabet[byte]`), as byte-level tokenizers do; each
 * comes from the whole character. A lone surrogate becomes the bytes of U+FFFD.
 */
export function toByteAlphabet(mapped: MappedText, alphabet: Readonly<Record<number, string>>): MappedText {
  const encoder = new TextEncoder();
  const builder = new MappedBuilder(mapped);
  let position = 0;
  for (const character of mapped.text) {
    const end = position + character.length;
    builder.write(Array.from(encoder.encode(character), (byte) => alphabet[byte] ?? '').join(''), position, end);
    position = end;
  }
  return builder.finish();
}

/**
 * What must stay together for a normaliser to treat it as it does within the whole: a base character with what may
 * combine with it. Runs of printable ASCII change character by character, so that a run may be one segment, but for its
 * last character, which a mark may follow.
 */
const segmentPattern = /[\x20-\x7e]+(?![\p{M}])|[^\p{M}][\p{M}\u1160-\u11ff\uff9e\uff9f]*|[\p{M}]+/gsu;

/** How many places are tried before a stretch that does not divide is taken as one. */
const divisionTries = 64;

/**
 * Applies a function that normalises text (changes case, composes, drops or widens characters) and finds out which part
 * of the result came from which part of the text: the text is divided into segments such that the results of the
 * segments, put together, are the result of the whole.
 */
export function mapThrough(mapped: MappedText, normalise: (text: string) => string): MappedText {
  const { text } = mapped;
  const whole = normalise(text);
  if (whole === text) return mapped;
  const segments = Array.from(text.matchAll(segmentPattern), (match) => match[0]);
  const results = segments.map(normalise);
  const builder = new MappedBuilder(mapped);
  if (results.join('') === whole) {
    let position = 0;
    segments.forEach((segment, index) => {
      builder.transform(results[index]!, position, position + segment.length, normalise);
      position += segment.length;
    });
  } else {
    // Some segment is not independent of its neighbours (a final sigma, say): find places where the text does divide.
    const boundaries = characterBoundaries(text);
    divide(text, whole, 0, boundaries.length - 1, boundaries, normalise, (result, start, end) =>
      builder.transform(result, start, end, normalise),
    );
  }
  return builder.finish();
}

function characterBoundaries(text: string): number[] {
  const boundaries = [0];
  let position = 0;
  for (const character of text) {
    position += character.length;
    boundaries.push(position);
  }
  return boundaries;
}

/** Halves text[boundaries[first], boundaries[last]) where the results of the halves join to `result`, and so on. */
function divide(
  text: string,
  result: string,
  first: number,
  last: number,
  boundaries: readonly number[],
  normalise: (text: string) => string,
  emit: (result: string, start: number, end: number) => void,
): void {
  const start = boundaries[first]!;
  const end = boundaries[last]!;
  const middle = (first + last) >> 1;
  const tries = Math.min(last - first - 1, divisionTries);
  for (let attempt = 0; attempt < tries; attempt++) {
    // The middle, then alternately right and left of it.
    const at = middle + (attempt % 2 === 0 ? -attempt / 2 : (attempt + 1) / 2);
    if (at <= first || at >= last) continue;
    const left = normalise(text.slice(start, boundaries[at]!));
    if (!result.startsWith(left)) continue;
    const right = normalise(text.slice(boundaries[at]!, end));
    if (left + right !== result) continue;
    divide(text, left, first, at, boundaries, normalise, emit);
    divide(text, right, at, last, boundaries, normalise, emit);
    return;
  }
  emit(result, start, end);
}

const isAscii = /^[\x20-\x7e]*$/;

/** Writes a new mapped text from parts of an old one. */
class MappedBuilder {
  private text = '';
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  constructor(private readonly from: MappedText) {}

  /** Units [start, end) as they are. */
  copy(start: number, end: number): void {
    this.text += this.from.text.slice(start, end);
    for (let index = start; index < end; index++) {
      this.starts.push(this.from.starts[index]!);
      this.ends.push(this.from.ends[index]!);
    }
  }

  /** New units, each from all of [start, end). */
  write(content: string, start: number, end: number): void {
    if (content.length === 0) return;
    const [sourceStart, sourceEnd] = this.sourceRange(start, end);
    this.text += content;
    for (let index = 0; index < content.length; index++) {
      this.starts.push(sourceStart);
      this.ends.push(sourceEnd);
    }
  }

  /**
   * What a normaliser made of [start, end): character by character as far as the results of single characters agree with
   * it from both ends, and the rest as one.
   */
  transform(result: string, start: number, end: number, normalise: (text: string) => string): void {
    const segment = this.from.text.slice(start, end);
    if (isAscii.test(segment) && isAscii.test(result) && segment.length === result.length) {
      for (let index = 0; index < result.length; index++) this.write(result[index]!, start + index, start + index + 1);
      return;
    }
    const before = Array.from(segment);
    const alone = before.map((character) => (character === segment ? result : normalise(character)));
    let first = 0;
    let last = before.length;
    let unexplained = result;
    while (first < last && unexplained.startsWith(alone[first]!)) {
      unexplained = unexplained.slice(alone[first]!.length);
      first++;
    }
    while (last > first && unexplained.endsWith(alone[last - 1]!)) {
      last--;
      unexplained = unexplained.slice(0, unexplained.length - alone[last]!.length);
    }
    let position = start;
    const writeEach = (from: number, to: number): void => {
      for (let index = from; index < to; index++) {
        this.write(alone[index]!, position, position + before[index]!.length);
        position += before[index]!.length;
      }
    };
    writeEach(0, first);
    const restEnd = position + before.slice(first, last).join('').length;
    this.write(unexplained, position, restEnd);
    position = restEnd;
    writeEach(last, before.length);
  }

  finish(): MappedText {
    return { text: this.text, starts: this.starts, ends: this.ends };
  }

  private sourceRange(start: number, end: number): [number, number] {
    if (end > start) return [this.from.starts[start]!, this.from.ends[end - 1]!];
    const position = start > 0 ? this.from.ends[start - 1]! : (this.from.starts[0] ?? 0);
    return [position, position];
  }
}
