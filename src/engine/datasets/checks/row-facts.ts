import type { Example } from '../dataset';
import { languagesOf, packedLanguages, type TextLanguages, unpackedLanguages } from './languages';
import { entityKey } from './normalised';
import { bitCount, SKETCH_BINS, writeSketch } from './sketch';
import { TextScan } from './text-scan';

/** By how much the arrays grow when they are full. */
const GROWTH = 1.125;
const FIRST_SLOTS = 64;

/** Reads texts for everyone: what it holds of one is used up before the next. */
const scan = new TextScan();

/**
 * What the checks of a whole file keep of a row, in typed arrays: a slot a row, 162 bytes. A slot that is given up is used again, so an
 * edit costs only the rows it changes.
 */
export class RowFacts {
  readonly #free: number[] = [];
  #count = 0;
  #capacity = 0;
  /** Of the normalised text. */
  #textLow = new Uint32Array(0);
  #textHigh = new Uint32Array(0);
  /** Of where the entities stand, and of their words. */
  #spans = new Uint32Array(0);
  #entities = new Uint32Array(0);
  #labels = new Uint32Array(0);
  #languages = new Uint32Array(0);
  /** Up to 65,535. */
  #shingleCounts = new Uint16Array(0);
  #sketches = new Uint16Array(0);
  /** Two words a row: which bins of its sketch are full of themselves. */
  #full = new Uint32Array(0);
  /** 0: none. */
  readonly #labelIds = new Map<string, number>();
  readonly #labelTexts: (string | null)[] = [null];

  /** Makes room for so many slots in all. */
  reserve(slots: number): void {
    if (slots <= this.#capacity) return;
    this.#capacity = slots;
    this.#textLow = resized(this.#textLow, new Uint32Array(slots));
    this.#textHigh = resized(this.#textHigh, new Uint32Array(slots));
    this.#spans = resized(this.#spans, new Uint32Array(slots));
    this.#entities = resized(this.#entities, new Uint32Array(slots));
    this.#labels = resized(this.#labels, new Uint32Array(slots));
    this.#languages = resized(this.#languages, new Uint32Array(slots));
    this.#shingleCounts = resized(this.#shingleCounts, new Uint16Array(slots));
    this.#full = resized(this.#full, new Uint32Array(slots * 2));
    this.#sketches = resized(this.#sketches, new Uint16Array(slots * SKETCH_BINS));
  }

  /** One more than the largest slot that was given. */
  get slotCount(): number {
    return this.#count;
  }

  /** Returns the slot. `onShingles` is handed the text's different shingles, ascending, in a view that is soon overwritten. */
  add(
    example: Pick<Example, 'text' | 'spans' | 'aspect' | 'gold'>,
    onShingles?: (shingles: Uint32Array) => void,
  ): number {
    const slot = this.#free.pop() ?? this.#count++;
    if (slot >= this.#capacity) this.reserve(Math.max(FIRST_SLOTS, Math.ceil(this.#capacity * GROWTH)));
    scan.read(example.text);
    const { spans, words } = entityKey(example);
    const { shingles } = scan;
    this.#textLow[slot] = scan.low;
    this.#textHigh[slot] = scan.high;
    this.#spans[slot] = spans;
    this.#entities[slot] = words;
    this.#labels[slot] = this.#idOf(example.gold);
    this.#languages[slot] = packedLanguages(languagesOf(scan));
    this.#shingleCounts[slot] = Math.min(shingles.length, 0xffff);
    writeSketch(shingles, this.#sketches, slot * SKETCH_BINS, this.#full, slot * 2);
    onShingles?.(shingles);
    return slot;
  }

  remove(slot: number): void {
    this.#free.push(slot);
  }

  #idOf(label: string | null): number {
    if (label === null) return 0;
    const known = this.#labelIds.get(label);
    if (known !== undefined) return known;
    const id = this.#labelTexts.length;
    // A copy: what is cut from a document keeps all of it.
    const copy = ` ${label}`.slice(1);
    this.#labelIds.set(copy, id);
    this.#labelTexts.push(copy);
    return id;
  }

  /** Of a row's gold label; 0: it has none. Equal within these facts only. */
  labelId(slot: number): number {
    return this.#labels[slot]!;
  }

  label(slot: number): string | null {
    return this.#labelTexts[this.#labels[slot]!]!;
  }

  /** The label of an id; null for 0. */
  labelText(id: number): string | null {
    return this.#labelTexts[id]!;
  }

  /** One more than the largest label id. */
  get labelIdCount(): number {
    return this.#labelTexts.length;
  }

  languages(slot: number): TextLanguages {
    return unpackedLanguages(this.#languages[slot]!);
  }

  /** `languages`, as a number: equal where they are. */
  packedLanguages(slot: number): number {
    return this.#languages[slot]!;
  }

  /** A hash of text and entities: a part of what `isSame` compares. */
  identityHash(slot: number): number {
    return (this.#textLow[slot]! ^ this.#spans[slot]!) >>> 0;
  }

  /** Whether two rows have the same normalised text. */
  isSameText(slot: number, other: number, otherFacts: RowFacts = this): boolean {
    return this.#textLow[slot] === otherFacts.#textLow[other] && this.#textHigh[slot] === otherFacts.#textHigh[other];
  }

  /** Whether two rows have the same normalised text and the same entities in it. */
  isSame(slot: number, other: number, otherFacts: RowFacts = this): boolean {
    return this.isSameText(slot, other, otherFacts) && this.#spans[slot] === otherFacts.#spans[other];
  }

  /** Different shingles of the text, up to 65,535; 0: it is like no other text. */
  shingleCount(slot: number): number {
    return this.#shingleCounts[slot]!;
  }

  /** A hash of the bins [first, end) of a row's sketch and of its entities' words. */
  bandKey(slot: number, first: number, end: number): number {
    let key = this.#entities[slot]! ^ first;
    for (let at = slot * SKETCH_BINS + first, last = slot * SKETCH_BINS + end; at < last; at++) {
      key = Math.imul(key ^ this.#sketches[at]!, 0x9e3779b1);
      key ^= key >>> 15;
    }
    return key >>> 0;
  }

  /** The similarity of two rows' shingles as their sketches tell it; 0 where it is surely below `least`. */
  estimate(slot: number, other: number, otherFacts: RowFacts, least: number): number {
    const [low, high] = [this.#full[slot * 2]!, this.#full[slot * 2 + 1]!];
    const [otherLow, otherHigh] = [otherFacts.#full[other * 2]!, otherFacts.#full[other * 2 + 1]!];
    const either = bitCount(low | otherLow) + bitCount(high | otherHigh);
    const both = bitCount(low & otherLow) + bitCount(high & otherHigh);
    if (both < least * either) return 0;
    const ours = this.#sketches;
    const theirs = otherFacts.#sketches;
    let equal = 0;
    for (let half = 0; half < 2; half++) {
      const first = slot * SKETCH_BINS + half * 32;
      const second = other * SKETCH_BINS + half * 32;
      for (let bits = half === 0 ? low & otherLow : high & otherHigh; bits !== 0; bits &= bits - 1) {
        const bin = 31 - Math.clz32(bits & -bits);
        if (ours[first + bin] === theirs[second + bin]) equal++;
      }
    }
    return equal / either;
  }
}

function resized<T extends Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The shingles of a text as `RowFacts` sketches them, ascending. */
export function shinglesOf(text: string): Uint32Array {
  scan.read(text);
  return scan.shingles.slice();
}
