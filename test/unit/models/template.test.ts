import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  chooseMentions,
  type EntityTemplate,
  entityPresets,
  needsTypes,
  sourceRange,
  writeEntities,
} from '../../../src/engine/models/template';

const template = (preset: string): EntityTemplate => ({ ...entityPresets[preset]!, mentions: 'closest' });
const letters: EntityTemplate = {
  head: { kind: 'markers', open: '<h>', close: '</h>' },
  tail: { kind: 'markers', open: '<t>', close: '</t>' },
  mentions: 'closest',
};
const span = (start: number, end: number) => ({ start, end });
const write = (text: string, head: [number, number], tail: [number, number], form = letters): string =>
  writeEntities(text, { head: span(...head), tail: span(...tail) }, { head: 'PERSON', tail: 'FREE_TIME' }, form).text;

describe('entities written into the text', () => {
  it('stand between markers with one space on each side', () => {
    assert.equal(write('Ann met Bob.', [0, 3], [8, 11]), '<h> Ann </h> met <t> Bob </t> .');
    assert.equal(write('Ann met Bob', [8, 11], [0, 3]), '<t> Ann </t> met <h> Bob </h>');
    assert.equal(write('AnnBob', [0, 3], [3, 6]), '<h> Ann </h> <t> Bob </t>');
    assert.equal(write(' Ann\tBob ', [1, 4], [5, 8]), ' <h> Ann </h>\t<t> Bob </t> ');
  });

  it('nest: the longer one outside, the head where they are equal', () => {
    assert.equal(write('New York City', [0, 13], [4, 8]), '<h> New <t> York </t> City </h>');
    assert.equal(write('New York City', [4, 8], [0, 13]), '<t> New <h> York </h> City </t>');
    assert.equal(write('New York', [0, 3], [0, 8]), '<t> <h> New </h> York </t>');
    assert.equal(write('New York', [0, 8], [4, 8]), '<h> New <t> York </t> </h>');
    assert.equal(write('York', [0, 4], [0, 4]), '<h> <t> York </t> </h>');
  });

  it('may overlap, lie outside the text, be empty, or cut a surrogate pair', () => {
    assert.equal(write('a b c', [0, 3], [2, 5]), '<h> a <t> b </h> c </t>');
    assert.equal(write('abc', [-5, 2], [2, 99]), '<h> ab </h> <t> c </t>');
    assert.equal(write('abc', [99, 120], [0, 1]), '<t> a </t> bc <h> </h>');
    assert.equal(write('abc', [1, 1], [1, 2]), 'a <t> <h> </h> b </t> c');
    assert.equal(write('abc', [2, 2], [1, 2]), 'a <t> b </t> <h> </h> c');
    assert.equal(write('', [0, 0], [0, 0]), '<h> <t> </t> </h>');
    assert.equal(write('😀😀', [1, 2], [2, 3]), '<h> 😀 </h> <t> 😀 </t>');
  });

  it('take the forms of the presets', () => {
    const written = (preset: string): string => write('Ann sails.', [0, 3], [4, 9], template(preset));
    assert.equal(written('entity-markers'), '[E1] Ann [/E1] [E2] sails [/E2] .');
    assert.equal(written('entity-markers-punctuation'), '@ Ann @ # sails # .');
    assert.equal(written('typed-markers'), '[SUBJ-PERSON] Ann [/SUBJ-PERSON] [OBJ-FREE_TIME] sails [/OBJ-FREE_TIME] .');
    assert.equal(written('typed-markers-punctuation'), '@ * person * Ann @ # ^ free time ^ sails # .');
    assert.equal(written('entity-mask'), '[SUBJ-PERSON] [OBJ-FREE_TIME] .');
    assert.equal(written('none'), 'Ann sails.');
    assert.deepEqual(
      Object.keys(entityPresets).filter((preset) => needsTypes(template(preset))),
      ['typed-markers', 'typed-markers-punctuation', 'entity-mask'],
    );
  });

  it('are written with a type that has the characters of a replacement pattern', () => {
    const spans = { head: span(0, 1), tail: span(2, 3) };
    assert.equal(
      writeEntities('a b', spans, { head: "$&$'", tail: null }, template('entity-mask')).text,
      "[SUBJ-$&$'] [OBJ-entity]",
    );
  });

  it('leave masks in order where entities overlap', () => {
    const mask = template('entity-mask');
    assert.equal(write('New York City', [0, 13], [4, 8], mask), '[SUBJ-PERSON] [OBJ-FREE_TIME]');
    assert.equal(write('a b c d', [0, 3], [2, 5], mask), '[SUBJ-PERSON] [OBJ-FREE_TIME] d');
  });

  it('keep a map to the text: what is copied is found again, in order, and nothing is lost', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', '\t', '😀', 'é', '[') });
    const offsets = fc.tuple(fc.nat(20), fc.nat(20)).map(([a, b]) => span(Math.min(a, b), Math.max(a, b)));
    const forms = fc.constantFrom(...Object.keys(entityPresets));
    fc.assert(
      fc.property(text, offsets, offsets, forms, (source, head, tail, preset) => {
        const written = writeEntities(source, { head, tail }, null, template(preset));
        const reached = new Uint8Array(source.length);
        let before = { start: 0, end: 0 };
        for (let at = 0; at < written.text.length; at++) {
          const range = sourceRange(written, at, at + 1);
          if (range === null) continue;
          assert.ok(range.start >= before.start && range.end >= before.end && range.end <= source.length);
          if (range.end - range.start === 1 && preset !== 'entity-mask')
            assert.equal(written.text[at], source[range.start]);
          reached.fill(1, range.start, range.end);
          before = range;
        }
        assert.ok(
          reached.every((flag) => flag === 1),
          'part of the text was not written',
        );
        assert.deepEqual(
          sourceRange(written, 0, written.text.length),
          source.length === 0 ? null : span(0, source.length),
        );
      }),
    );
  });
});

describe('which mentions are written', () => {
  const spans = { head: span(0, 3), tail: span(90, 93) };

  it('are the closest pair, the earlier where equal, one without overlap before others', () => {
    const mentions = {
      head: [span(0, 3), span(50, 53), span(91, 92)],
      tail: [span(90, 93), span(57, 60), span(43, 46)],
    };
    assert.deepEqual(chooseMentions(spans, mentions, 'closest'), { head: span(50, 53), tail: span(57, 60) });
  });

  it('are the first ones where the model was trained so', () => {
    const mentions = { head: [span(0, 3), span(50, 53)], tail: [span(90, 93), span(57, 60)] };
    assert.deepEqual(chooseMentions(spans, mentions, 'first'), { head: span(0, 3), tail: span(90, 93) });
  });

  it('are the spans where no mentions are told', () => {
    assert.deepEqual(chooseMentions(spans, null, 'closest'), spans);
    assert.deepEqual(chooseMentions(spans, { head: [], tail: [] }, 'first'), spans);
    const overlapping = { head: [span(0, 5)], tail: [span(3, 8)] };
    assert.deepEqual(chooseMentions(spans, overlapping, 'closest'), { head: span(0, 5), tail: span(3, 8) });
  });
});
