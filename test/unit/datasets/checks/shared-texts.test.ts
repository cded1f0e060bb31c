import assert from 'node:assert/strict';
import { changesOf } from '../../../../src/engine/datasets/checks/fixes';
import { applyChanges, offsetChanges } from '../../../../src/engine/datasets/edits';
import { open } from '../opening';
import { findingsWith } from './checking';

const mention = (name: string, at: number) => [{ name, pos: [at, at + 1], sent_id: 0, type: 'PER' }];
const labels = [
  { r: 'met', h: 0, t: 1 },
  { r: 'knew', h: 1, t: 0 },
];

const paper = (first: string, verb: string) => ({
  title: 'x',
  sents: [[first, verb, 'Bo', '.']],
  vertexSet: [mention(first, 0), mention('Bo', 2)],
  labels,
});

describe('checks of texts that several examples share', () => {
  it('tell what is wrong once, on the first, and mend it for all', () => {
    const file = (verb: string) => JSON.stringify([paper('Ada', verb), paper('Cy', 'met')], null, 1);
    const document = open(file('mâ€™t'));
    assert.equal(document.examples.length, 4);
    const found = findingsWith('assay/mojibake', document);
    assert.deepEqual(
      found.map(({ example }) => example.id),
      ['1'],
    );
    const changes = changesOf(document, found[0]!);
    assert.equal(applyChanges(document.text, offsetChanges(changes!, document.lines)), file('m’t'));
  });

  it('tell it of each document, though the texts are alike', () => {
    const document = open(JSON.stringify([paper('Ada', 'm\u0007et'), paper('Ada', 'm\u0007et')]));
    assert.deepEqual(
      findingsWith('assay/control-character', document).map(({ example }) => example.id),
      ['1', '3'],
    );
  });

  it('tell it of each aspect whose sentence stands apart', () => {
    const sentence = (id: number) =>
      `<sentence id="${id}"><text>A f\u200bilm and its end</text><aspectTerms><aspectTerm term="end" polarity="p" from="16" to="19"/><aspectTerm term="A" polarity="n" from="0" to="1"/></aspectTerms></sentence>`;
    const document = open(`<sentences>\n${sentence(1)}\n${sentence(2)}\n</sentences>`);
    assert.equal(document.examples.length, 4);
    const found = findingsWith('assay/control-character', document);
    assert.deepEqual(
      found.map(({ example }) => example.id),
      ['1#1', '2#1'],
    );
    // One of the aspects stands behind it: its place would be wrong.
    assert.equal(changesOf(document, found[0]!), null);
  });
});
