import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { OffsetMapBuilder, plainMap, toDocument, toText, withoutRanges } from '../../../src/engine/text/offset-map';

/** A text unit and how it is written, or document characters that belong to no text. */
type Piece =
  | { kind: 'copy'; length: number }
  | { kind: 'unit'; text: number; document: number }
  | { kind: 'gap'; length: number };

const pieces = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('copy' as const), length: fc.integer({ min: 0, max: 300 }) }),
    fc.record({
      kind: fc.constant('unit' as const),
      text: fc.integer({ min: 1, max: 2 }),
      document: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100_000 })),
    }),
    fc.record({ kind: fc.constant('gap' as const), length: fc.integer({ min: 0, max: 200 }) }),
  ),
  { maxLength: 12 },
);

/** The same map as one entry a text unit: where the unit it belongs to starts and ends in the document. */
function build(parts: readonly Piece[], documentStart: number) {
  const builder = new OffsetMapBuilder(documentStart);
  const starts: number[] = [];
  const ends: number[] = [];
  const first: number[] = [];
  let at = documentStart;
  for (const part of parts) {
    if (part.kind === 'copy') {
      builder.copy(part.length, at);
      for (let index = 0; index < part.length; index++) {
        first.push(starts.length);
        starts.push(at + index);
        ends.push(at + index + 1);
      }
    } else if (part.kind === 'unit') {
      builder.unit(part.text, at, part.document);
      const unit = starts.length;
      for (let index = 0; index < part.text; index++) {
        first.push(unit);
        starts.push(at);
        ends.push(at + part.document);
      }
    }
    at += part.kind === 'unit' ? part.document : part.length;
  }
  return { map: builder.finish(), starts, ends, first };
}

describe('text: offset map', () => {
  it('maps a plain text by adding its start', () => {
    const map = plainMap(5, 10);
    assert.deepEqual(toDocument(map, 1, 3), { start: 11, end: 13 });
    assert.deepEqual(toDocument(map, -4, 99), { start: 10, end: 15 });
    assert.deepEqual([toText(map, 9), toText(map, 12), toText(map, 99)], [0, 2, 5]);
  });

  it('takes an escaped surrogate pair whole', () => {
    const builder = new OffsetMapBuilder(1);
    builder.copy(1, 1);
    builder.unit(2, 2, 12);
    builder.copy(1, 14);
    const map = builder.finish();
    assert.deepEqual(toDocument(map, 1, 2), { start: 2, end: 14 });
    assert.deepEqual(toDocument(map, 2, 3), { start: 2, end: 14 });
    assert.deepEqual(toDocument(map, 2, 4), { start: 2, end: 15 });
    assert.deepEqual(
      [1, 2, 8, 13, 14].map((offset) => toText(map, offset)),
      [0, 1, 1, 1, 3],
    );
  });

  it('keeps markers out of ranges that end before them or start behind them', () => {
    const builder = new OffsetMapBuilder(0);
    builder.copy(2, 4);
    builder.copy(3, 11);
    const map = builder.finish();
    assert.deepEqual(toDocument(map, 0, 2), { start: 4, end: 6 });
    assert.deepEqual(toDocument(map, 2, 5), { start: 11, end: 14 });
    assert.deepEqual(toDocument(map, 1, 3), { start: 5, end: 12 });
    assert.deepEqual(toDocument(map, 2, 2), { start: 11, end: 11 });
    assert.deepEqual(toDocument(map, 5, 5), { start: 14, end: 14 });
    assert.deepEqual(
      [0, 4, 8, 12, 20].map((offset) => toText(map, offset)),
      [0, 0, 2, 3, 5],
    );
  });

  it('maps an empty text to its start', () => {
    assert.deepEqual(toDocument(new OffsetMapBuilder(7).finish(), 0, 0), { start: 7, end: 7 });
  });

  it('stores equal units as one run, and a plain text without runs', () => {
    const escapes = new OffsetMapBuilder(0);
    for (let index = 0; index < 100; index++) escapes.unit(1, index * 6, 6);
    assert.equal(escapes.finish().runs?.length, 4);
    const plain = new OffsetMapBuilder(3);
    plain.copy(4, 3);
    plain.copy(2, 7);
    assert.deepEqual(plain.finish(), plainMap(6, 3));
  });

  it('agrees with a table of every position (property)', () => {
    fc.assert(
      fc.property(pieces, fc.nat(70_000), fc.nat(), fc.nat(), (parts, documentStart, a, b) => {
        const { map, starts, ends, first } = build(parts, documentStart);
        assert.equal(map.textLength, starts.length);
        const [from, to] = [a % (starts.length + 1), b % (starts.length + 1)].sort((x, y) => x - y) as [number, number];
        const range = toDocument(map, from, to);
        if (from < to) {
          assert.deepEqual(range, { start: starts[from], end: ends[to - 1] });
        } else {
          assert.equal(range.start, range.end);
          assert.equal(range.start, starts[from] ?? ends.at(-1) ?? documentStart);
        }
        if (from < starts.length) {
          assert.equal(toText(map, starts[from]!), first[from]);
          assert.equal(toText(map, ends[from]! - 1), first[from]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('without ranges of the text maps what is left as before (property)', () => {
    fc.assert(
      fc.property(pieces, fc.nat(70_000), fc.array(fc.nat(), { maxLength: 8 }), (parts, documentStart, drawn) => {
        const { map, starts, ends, first } = build(parts, documentStart);
        const uncut = [...starts.keys(), starts.length].filter((at) => at === starts.length || first[at] === at);
        const cuts = drawn.map((each) => uncut[each % uncut.length]!).sort((a, b) => a - b);
        const ranges = Array.from({ length: cuts.length >> 1 }, (_, index) => ({
          start: cuts[index * 2]!,
          end: cuts[index * 2 + 1]!,
        }));
        const left = withoutRanges(map, ranges);
        const kept = [...starts.keys()].filter((at) => !ranges.some(({ start, end }) => start <= at && at < end));
        assert.equal(left.textLength, kept.length);
        for (const index of [0, kept.length >> 1, kept.length - 1]) {
          const at = kept[index];
          if (at === undefined) continue;
          assert.deepEqual(toDocument(left, index, index + 1), { start: starts[at], end: ends[at] });
          assert.equal(kept[toText(left, starts[at]!)], first[at]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
