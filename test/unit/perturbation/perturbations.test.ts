/** What holds of every perturbation, whatever the example. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { collectEntities } from '../../../src/engine/perturbation/entity/entity-pool';
import type { Source, Variant } from '../../../src/engine/perturbation/source';
import { perturbations } from '../../../src/engine/perturbation/table';
import { makeVariants } from '../../../src/engine/perturbation/variants';
import { isPair } from '../../../src/engine/text/mapped-text';
import type { Span } from '../../../src/protocol/dataset';
import { relation, relationSources, sentimentSources } from './examples';

const cut = ({ text }: { text: string }, { start, end }: Span): string => text.slice(start, end);

const others = [
  relation('[h:Ada Lovelace] knows [t:Charles Babbage].', 'knows'),
  relation('[h:Berlin] lies in [t:Germany].', 'in'),
  relation('In [t:1843] [h:Ada Lovelace] wrote notes.', 'wrote'),
].map((source, index) => ({
  ...source,
  types: { head: ['PERSON', 'CITY', 'PERSON'][index]!, tail: ['PERSON', 'COUNTRY', 'DATE'][index]! },
}));
const pool = collectEntities(others);
const optionsWith = (seed: number) => ({ seed, parts: null, values: {}, most: 50, pool });

function assertSound(source: Source, variant: Variant): void {
  const differs = variant.text !== source.text || JSON.stringify(variant.spans) !== JSON.stringify(source.spans);
  assert.ok(differs || JSON.stringify(variant.types) !== JSON.stringify(source.types), 'it is equal to its source');
  // What lies outside of the edits is the source's text, character by character.
  let [from, at] = [0, 0];
  for (const edit of variant.edits) {
    assert.equal(variant.text.slice(at, edit.variant.start), source.text.slice(from, edit.source.start));
    [from, at] = [edit.source.end, edit.variant.end];
  }
  assert.equal(variant.text.slice(at), source.text.slice(from));
  for (const span of [
    ...Object.values(variant.spans ?? {}),
    ...(variant.mentions?.head ?? []),
    ...(variant.mentions?.tail ?? []),
  ]) {
    assert.ok(0 <= span.start && span.start <= span.end && span.end <= variant.text.length);
    for (const place of [span.start, span.end]) {
      const cutsPair = place > 0 && isPair(variant.text, place - 1);
      const cutBefore = Object.values(source.spans ?? {}).some((own) =>
        [own.start, own.end].some((end) => end > 0 && isPair(source.text, end - 1)),
      );
      assert.ok(!cutsPair || cutBefore, 'a span cuts a surrogate pair');
    }
  }
}

describe('perturbation: every one of them', () => {
  for (const perturbation of perturbations) {
    const { kind } = perturbation;
    it(`${perturbation.id} says what it is`, () => {
      assert.match(perturbation.id, /^[a-z0-9-]+$/);
      assert.match(perturbation.description, /^[A-Z].*\.$/);
      assert.ok(perturbation.tasks.length > 0 && perturbation.parts.length > 0 && perturbation.name.length > 2);
      for (const { low, high, standard } of perturbation.options) assert.ok(low <= standard && standard <= high);
    });
    if (kind === 'search') continue;
    it(`${perturbation.id}: variants differ from any example, and lose nothing else (property)`, () => {
      fc.assert(
        fc.property(fc.oneof(sentimentSources, relationSources), fc.nat(1000), (source, seed) => {
          const made = makeVariants(perturbation, source, optionsWith(seed));
          for (const variant of made.variants) {
            assertSound(source, variant);
            if (perturbation.family !== 'random') continue;
            // Entities are left alone.
            for (const role of ['head', 'tail'] as const) {
              if (source.spans !== null)
                assert.equal(cut(variant, variant.spans![role]), cut(source, source.spans[role]));
            }
          }
          assert.ok(made.variants.length > 0 || made.notApplicable !== null || made.dropped > 0, 'it says nothing');
          assert.deepEqual(makeVariants(perturbation, source, optionsWith(seed)), made);
        }),
        { numRuns: 150 },
      );
    });
  }

  it('ids are used once', () => {
    assert.equal(new Set(perturbations.map(({ id }) => id)).size, perturbations.length);
  });
});
