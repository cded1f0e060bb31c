import type { ColumnChoice, Span } from '../../protocol/dataset';
import { type OffsetMap, OffsetMapBuilder } from '../text/offset-map';
import { fixedReading, sampleRecords } from './fixed-places';
import { type Format, noProblems, type Place, type Reading, type Row, type Sample, unreadable } from './format';
import { cutHeaded, isSpace } from './line-records';

/**
 * Sentiment trees (Stanford Sentiment Treebank, Socher et al. 2013): `(3 (2 The) (4 best))`, a tree a line, or over several
 * lines of which those after the first are indented. The text is the leaves, joined by one space; gold is the root's label.
 */
export const sstTrees: Format = { id: 'sst-trees', detect };

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  if (!/^\s*\(\s*-?\d+\s/.test(sample.text)) return null;
  const rows = sampleRecords(sample, cutTree, (text, { start, end }) => readTree(text, start, end));
  const good = rows.filter((row) => row.examples.length > 0).length;
  if (good === 0 || good < rows.length / 2) return null;
  return fixedReading(
    {
      format: 'sst-trees',
      confidence: 0.9 + (0.1 * good) / rows.length,
      detail: 'sentiment trees, label of the root',
      columns: { text: 'leaves', gold: 'root' },
      cut: cutTree,
      read: readTree,
    },
    rows,
    choice,
  );
}

function cutTree(text: string, place: Place) {
  return cutHeaded(text, place, (whole, at) => !isSpace(whole.charCodeAt(at)) && whole.charCodeAt(at) !== CLOSE);
}

const OPEN = 40;
const CLOSE = 41;

function isTreeSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}

function skipTreeSpace(text: string, at: number, end: number): number {
  let offset = at;
  while (offset < end && isTreeSpace(text.charCodeAt(offset))) offset++;
  return offset;
}

/** Where a label or word ends. */
function wordEnd(text: string, at: number, end: number): number {
  let offset = at;
  for (; offset < end; offset++) {
    const unit = text.charCodeAt(offset);
    if (unit === OPEN || unit === CLOSE || isTreeSpace(unit)) break;
  }
  return offset;
}

function readTree(text: string, start: number, end: number): Row {
  const tree = parseTree(text, start, end);
  if ('fault' in tree) {
    const at = Math.min(tree.at, end - 1) - start;
    return unreadable(`Not a tree: ${tree.fault}. It is left out.`, at, at + 1);
  }
  const example = {
    id: null,
    text: tree.text,
    spans: null,
    mentions: null,
    types: null,
    gold: text.slice(start + tree.root.start, start + tree.root.end),
    map: tree.map,
    textField: tree.field,
    goldField: tree.root,
  };
  return { examples: [example], problems: noProblems };
}

/** What a node has had so far. */
const NOTHING = 0;
const WORDS = 1;
const NODES = 2;

interface Fault {
  fault: string;
  at: number;
}

/** Offsets of the result are relative to `start`. */
function parseTree(
  text: string,
  start: number,
  end: number,
): { root: Span; text: string; map: OffsetMap; field: Span } | Fault {
  const open: number[] = [];
  const leaves = new Leaves(start);
  let root: Span | null = null;
  const first = skipTreeSpace(text, start, end);
  for (let at = first; ; at = skipTreeSpace(text, at, end)) {
    const inner = open.at(-1);
    if (at >= end) return { fault: open.length === 0 ? 'it is empty' : `${open.length} ) are missing at its end`, at };
    const unit = text.charCodeAt(at);
    if (unit === OPEN) {
      if (inner === WORDS) return { fault: 'a node holds either words or nodes', at };
      if (inner !== undefined) open[open.length - 1] = NODES;
      const label = skipTreeSpace(text, at + 1, end);
      at = wordEnd(text, label, end);
      if (!/^-?\d+$/.test(text.slice(label, Math.min(at, label + 12))))
        return { fault: 'the number of a label should stand behind (', at: label };
      root ??= { start: label - start, end: at - start };
      open.push(NOTHING);
    } else if (unit === CLOSE) {
      if (inner === undefined) return { fault: 'it should begin with (', at };
      if (inner === NOTHING) return { fault: 'a node holds neither a word nor nodes', at };
      open.pop();
      at++;
      if (open.length > 0) continue;
      const after = skipTreeSpace(text, at, end);
      if (after < end) return { fault: 'something follows it', at: after };
      return { root: root!, ...leaves.finish(), field: { start: first - start, end: at - start } };
    } else {
      if (inner === undefined) return { fault: 'it should begin with (', at };
      if (inner === NODES) return { fault: 'a node holds either words or nodes', at };
      open[open.length - 1] = WORDS;
      const stop = wordEnd(text, at, end);
      leaves.add(text.slice(at, stop), at);
      at = stop;
    }
  }
}

const brackets = new Map([
  ['lrb', '('],
  ['rrb', ')'],
  ['lsb', '['],
  ['rsb', ']'],
  ['lcb', '{'],
  ['rcb', '}'],
]);

/** Joins the leaves; the space between two stands for all that separates them. */
class Leaves {
  readonly #origin: number;
  readonly #parts: string[] = [];
  #builder: OffsetMapBuilder | null = null;
  #end = 0;

  constructor(origin: number) {
    this.#origin = origin;
  }

  add(word: string, at: number): void {
    const start = at - this.#origin;
    this.#builder ??= new OffsetMapBuilder(start);
    if (this.#parts.length > 0) {
      this.#parts.push(' ');
      this.#builder.unit(1, this.#end, start - this.#end);
    }
    this.#end = start + word.length;
    let done = 0;
    for (const match of word.matchAll(/-([lr][rsc]b)-|\\([/*])/gi)) {
      this.#parts.push(word.slice(done, match.index), brackets.get(match[1]?.toLowerCase() ?? '') ?? match[2]!);
      this.#builder.copy(match.index - done, start + done);
      this.#builder.unit(1, start + match.index, match[0].length);
      done = match.index + match[0].length;
    }
    this.#parts.push(word.slice(done));
    this.#builder.copy(word.length - done, start + done);
  }

  finish(): { text: string; map: OffsetMap } {
    return { text: this.#parts.join(''), map: (this.#builder ?? new OffsetMapBuilder(0)).finish() };
  }
}
