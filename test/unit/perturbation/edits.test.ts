import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits } from '../../../src/engine/perturbation/edits';
import { regionsOf } from '../../../src/engine/perturbation/regions';
import type { Edit, Source, Variant } from '../../../src/engine/perturbation/source';
import type { Span } from '../../../src/protocol/dataset';
import { relation, relationSources, sentiment, sentimentSources } from './examples';

const cut = ({ text }: { text: string }, { start, end }: Span): string => text.slice(start, end);
const entities = (one: Source | Variant) => [cut(one, one.spans!.head), cut(one, one.spans!.tail)];

describe('perturbation: regions', () => {
  it('are the five parts in the order of the text, whichever entity is first', () => {
    const parts = (source: Source) => regionsOf(source).map((region) => [region.part, cut(source, region)]);
    assert.deepEqual(parts(relation('On Monday [h:Ada] met [t:Grace] again.')), [
      ['before', 'On Monday '],
      ['head', 'Ada'],
      ['between', ' met '],
      ['tail', 'Grace'],
      ['after', ' again.'],
    ]);
    assert.deepEqual(parts(relation('[t:Grace] met [h:Ada]')), [
      ['tail', 'Grace'],
      ['between', ' met '],
      ['head', 'Ada'],
    ]);
    assert.deepEqual(parts(sentiment('Fine.')), [['context', 'Fine.']]);
  });

  it('leave out other mentions and the aspect', () => {
    const source = relation('Ada, that is [h:Ada Lovelace], met [t:Grace].');
    const mentions = { head: [source.spans!.head, { start: 0, end: 3 }], tail: [source.spans!.tail] };
    assert.deepEqual(
      regionsOf({ ...source, mentions }).map((region) => cut(source, region)),
      [', that is ', 'Ada Lovelace', ', met ', 'Grace', '.'],
    );
    const aspect = { start: 4, end: 8 };
    assert.deepEqual(
      regionsOf({ ...sentiment('The food was cold.'), aspect }).map(({ start, end }) => [start, end]),
      [
        [0, 4],
        [8, 18],
      ],
    );
  });

  it('cover the text once but for what must not change, and cut no entity', () => {
    fc.assert(
      fc.property(fc.oneof(relationSources, sentimentSources), (source) => {
        let last = 0;
        for (const region of regionsOf(source)) {
          assert.ok(region.start >= last && region.end > region.start && region.end <= source.text.length);
          last = region.end;
          for (const span of [...Object.values(source.spans ?? {}), ...(source.mentions?.head ?? [])]) {
            const isCut = (at: number) => region.start < at && at < region.end;
            assert.ok(!isCut(span.start) && !isCut(span.end));
          }
        }
      }),
    );
  });
});

describe('perturbation: edits', () => {
  const source = relation('[t:Grace Hopper] met [h:Ada].');

  it('move the entities along', () => {
    const [tail, between, head, after] = regionsOf(source) as [Region, Region, Region, Region];
    const variant = applyEdits(source, [
      { start: 0, end: 5, text: 'Rear Admiral Grace', region: tail },
      { start: between.end, end: between.end, text: 'young ', region: between },
      { start: head.end, end: head.end, text: 'm', region: head },
      { start: after.start, end: after.start, text: ' too', region: after },
    ]);
    assert.equal(variant.text, 'Rear Admiral Grace Hopper met young Adam too.');
    assert.deepEqual(entities(variant), ['Adam', 'Rear Admiral Grace Hopper']);
    assert.deepEqual(
      variant.edits.map((edit) => [cut(source, edit.source), cut(variant, edit.variant)]),
      [
        ['Grace', 'Rear Admiral Grace'],
        ['', 'young '],
        ['', 'm'],
        ['', ' too'],
      ],
    );
  });

  it('refuse what a perturbation must not do', () => {
    const all = { start: 0, end: source.text.length };
    const edit = (start: number, end: number): Edit => ({ start, end, text: 'x', region: all });
    assert.throws(() => applyEdits(source, [edit(10, 14)]), /crosses the boundary of the entity at 0–12/);
    assert.throws(() => applyEdits(source, [edit(13, 15), edit(14, 16)]), /overlap/);
    assert.throws(() => applyEdits(source, [edit(13, 99)]), /reach out of the text/);
    assert.throws(() => applyEdits(sentiment('😀'), [{ ...edit(1, 1), region: { start: 0, end: 2 } }]), /surrogate/);
  });

  it('within regions: what lies between them stays, and spans cut out what the edits made of their entities', () => {
    fc.assert(
      fc.property(
        relationSources,
        fc.array(fc.tuple(fc.nat(), fc.constantFrom('', 'X', '😀 y')), { maxLength: 6 }),
        (source, picks) => {
          const regions = regionsOf(source);
          const chosen = new Map(picks.map(([index, text]) => [index % Math.max(1, regions.length), text]));
          const edits = [...chosen].flatMap(([index, text]) => {
            const region = regions[index];
            return region === undefined ? [] : [{ start: region.start, end: region.end, text, region }];
          });
          const variant = applyEdits(source, edits);
          // The text of a stretch as it must be now: replaced regions whole, all else as it was.
          const expected = ({ start, end }: Span): string => {
            let text = '';
            let from = start;
            for (const edit of edits
              .filter((one) => one.start >= start && one.end <= end)
              .sort((a, b) => a.start - b.start)) {
              text += source.text.slice(from, edit.start) + edit.text;
              from = edit.end;
            }
            return text + source.text.slice(from, end);
          };
          assert.equal(variant.text, expected({ start: 0, end: source.text.length }));
          assert.deepEqual(entities(variant), [expected(source.spans!.head), expected(source.spans!.tail)]);
          for (const [index, mention] of (source.mentions?.head ?? []).entries()) {
            assert.equal(cut(variant, variant.mentions!.head[index]!), expected(mention));
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

type Region = ReturnType<typeof regionsOf>[number];
