import assert from 'node:assert/strict';
import type { CheckFinding } from '../../../../src/engine/datasets/checks/finding';
import { changesOf } from '../../../../src/engine/datasets/checks/fixes';
import type { DatasetDocument } from '../../../../src/engine/datasets/document';
import { applyChanges, offsetChanges } from '../../../../src/engine/datasets/edits';
import { open } from '../opening';
import { findingsWith } from './checking';

const sentence = 'Ada Lovelace wrote to Charles Babbage in London';
const words = sentence.split(' ');

/** A row of tokens whose entities say their names, as OpenNRE has them. */
function tokenRow(
  head: [number, number],
  tail: [number, number],
  names: [string, string] = ['Ada Lovelace', 'Charles Babbage'],
) {
  return { token: words, h: { name: names[0], pos: head }, t: { name: names[1], pos: tail }, relation: 'wrote to' };
}
const right = tokenRow([0, 2], [4, 6]);
const jsonLines = (...rows: object[]) => open(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

function fixed(document: DatasetDocument, finding: CheckFinding): string | null {
  const changes = changesOf(document, finding);
  return changes === null ? null : applyChanges(document.text, offsetChanges(changes, document.lines));
}

describe('checks of entities', () => {
  it('crossing and equal entities; one within the other is none of both', () => {
    const rows = [
      right,
      tokenRow([0, 5], [4, 6], ['Ada Lovelace wrote to Charles', 'Charles Babbage']),
      tokenRow([4, 6], [4, 6], ['Charles Babbage', 'Charles Babbage']),
      tokenRow([4, 6], [5, 6], ['Charles Babbage', 'Babbage']),
      tokenRow([4, 6], [0, 2], ['Charles Babbage', 'Ada Lovelace']),
    ];
    const document = jsonLines(...rows);
    const crossing = findingsWith('assay/entities-cross', document);
    assert.deepEqual(
      crossing.map(({ example }) => example.id),
      ['2'],
    );
    assert.match(crossing[0]!.message, /both hold “Charles”/);
    assert.deepEqual(
      findingsWith('assay/entities-equal', document).map(({ example }) => example.id),
      ['3'],
    );
  });

  it('an entity that is not what its name says', () => {
    const document = jsonLines(
      right,
      tokenRow([2, 3], [4, 6]),
      tokenRow([0, 2], [4, 6], ['ada lovelace', 'CHARLES  BABBAGE']),
    );
    const found = findingsWith('assay/entity-name', document);
    assert.equal(found.length, 1);
    assert.equal(found[0]!.example.id, '2');
    assert.match(found[0]!.message, /^The head is “wrote”, but the row says that it is “Ada Lovelace”/);
    assert.deepEqual(findingsWith('assay/inclusive-end', document), []);
  });

  it('names that are set apart otherwise, and one of several mentions, fit', () => {
    const tokens = ['The', 'U.S', '.', '-', 'based', 'firm', '(', 'Acme', 'Inc', ')', 'and', 'Acme'];
    const rows = [
      { token: tokens, h: { name: 'U.S.-based', pos: [1, 5] }, t: { name: 'Acme Inc.', pos: [7, 9] }, relation: 'x' },
      {
        token: tokens,
        h: { name: 'u.s. - based', pos: [1, 5] },
        t: {
          name: 'ACME',
          pos: [7, 9],
          mentions: [
            [7, 9],
            [11, 12],
          ],
        },
        relation: 'x',
      },
    ];
    assert.deepEqual(findingsWith('assay/entity-name', jsonLines(...rows, ...rows)), []);
  });

  it('an end that is one short or one too far is told as such, and mended', () => {
    const document = jsonLines(right, right, right, tokenRow([0, 1], [4, 6]), tokenRow([0, 2], [4, 7]));
    const found = findingsWith('assay/inclusive-end', document);
    assert.deepEqual(
      found.map(({ example, fix }) => [example.id, fix?.kind === 'add-to-number' ? fix.by : null]),
      [
        ['4', 1],
        ['5', -1],
      ],
    );
    assert.match(found[0]!.message, /^The head “Ada” stops one short of “Ada Lovelace”/);
    assert.doesNotMatch(found[0]!.message, /of 5 rows/);
    assert.deepEqual(findingsWith('assay/entity-name', document), []);
    for (const finding of found) {
      const after = open(fixed(document, finding) ?? '');
      assert.equal(findingsWith('assay/inclusive-end', after).length, 1);
      assert.deepEqual(after.examples.length, 5);
    }
    assert.match(
      fixed(document, found[0]!) ?? '',
      /"pos":\[0,2\]},"t":\{"name":"Charles Babbage","pos":\[4,6\]},"relation":"wrote to"}\n.*\[4,7\]/,
    );
  });

  it('a whole file whose ends are inclusive is judged together', () => {
    const rows = [
      tokenRow([0, 1], [4, 5]),
      tokenRow([0, 1], [4, 5]),
      tokenRow([4, 5], [0, 1], ['Charles Babbage', 'Ada Lovelace']),
    ];
    const document = jsonLines(...rows);
    const found = findingsWith('assay/inclusive-end', document);
    assert.equal(found.length, 6);
    for (const { message } of found) assert.match(message, /So it is in 3 of 3 rows/);
    let text = document.text;
    for (let step = 0; step < 6; step++) {
      const now = open(text);
      text = fixed(now, findingsWith('assay/inclusive-end', now)[0]!) ?? '';
    }
    assert.deepEqual(findingsWith('assay/inclusive-end', open(text)), []);
  });

  it('character offsets in CSV and JSON, in quotes and as numbers', () => {
    const head = 'Ada Lovelace';
    const from = sentence.indexOf('Charles');
    const csv = (end: number, quote = '') =>
      `${quote}${sentence}${quote},${head},0,${end},Charles Babbage,${from},"${from + 15}",wrote to\n`;
    const header = 'sentence,head,head_start,head_end,tail,tail_start,tail_end,relation\n';
    const document = open(header + csv(12) + csv(12, '"') + csv(12) + csv(11) + csv(12));
    const found = findingsWith('assay/inclusive-end', document);
    assert.deepEqual(
      found.map(({ example }) => example.id),
      ['4'],
    );
    assert.equal(fixed(document, found[0]!), header + csv(12) + csv(12, '"') + csv(12) + csv(12) + csv(12));
    const rows = [12, 12, 11].map((end) => ({
      text: sentence,
      subject: { text: head, start: 0, end },
      object: { text: 'Charles Babbage', start: String(from), end: String(from + 15) },
      relation: 'wrote to',
    }));
    const json = jsonLines(...rows);
    assert.deepEqual(
      findingsWith('assay/inclusive-end', json).map(({ example }) => example.id),
      ['3'],
    );
    assert.equal(
      fixed(json, findingsWith('assay/inclusive-end', json)[0]!),
      jsonLines(...[12, 12, 12].map((end, index) => ({ ...rows[index], subject: { text: head, start: 0, end } }))).text,
    );
  });

  it('names of FewRel are compared with the words that it lists, and no end is said to be counted wrongly', () => {
    const row = (head: [string, number[]], tail: [string, number[]]) => ({
      tokens: words,
      h: [head[0], 'Q1', [head[1]]],
      t: [tail[0], 'Q2', [tail[1]]],
    });
    const fitting = row(['ada lovelace', [0, 1]], ['charles babbage', [4, 5]]);
    const rows = [
      fitting,
      row(['ada lovelace', [0]], ['london', [7]]),
      row(['paris', [7]], ['charles babbage', [4, 5]]),
    ];
    const document = open(JSON.stringify({ P1: [...rows, fitting], P2: [fitting] }));
    assert.equal(document.examples.length, 5);
    assert.deepEqual(
      findingsWith('assay/entity-name', document).map(({ example, message }) => [
        example.id,
        /“(.*?)”.*“(.*?)”/.exec(message)?.slice(1),
      ]),
      [
        ['2', ['Ada', 'ada lovelace']],
        ['3', ['London', 'paris']],
      ],
    );
    assert.deepEqual(findingsWith('assay/inclusive-end', document), []);
  });

  it('masked entities are no ends that were mistaken', () => {
    const row = (head: [number, number], tail: [number, number]) => ({
      token: words,
      h: { pos: head },
      t: { pos: tail },
      relation: 'x',
    });
    // All are empty.
    const all = jsonLines(row([0, 0], [3, 3]), row([1, 1], [4, 4]), row([2, 2], [0, 0]));
    assert.deepEqual(findingsWith('assay/inclusive-end', all), []);
    // One stands behind the last word: no word has that number.
    const behind = jsonLines(row([0, 0], [4, 6]), row([1, 1], [4, 6]), row([words.length, words.length], [4, 6]));
    assert.deepEqual(findingsWith('assay/inclusive-end', behind), []);
    const within = jsonLines(
      row([0, 0], [4, 6]),
      row([1, 1], [4, 6]),
      row([words.length - 1, words.length - 1], [4, 6]),
    );
    assert.equal(findingsWith('assay/inclusive-end', within).length, 1);
  });

  it('without names, empty entities show it', () => {
    const row = (head: [number, number]) => ({ token: words, h: { pos: head }, t: { pos: [4, 6] }, relation: 'x' });
    const document = jsonLines(row([0, 2]), row([2, 2]), row([2, 2]), row([6, 6]), row([0, 2]));
    const found = findingsWith('assay/inclusive-end', document);
    assert.equal(found.length, 1);
    assert.match(found[0]!.message, /^In 3 of 5 rows an entity holds no word/);
    assert.deepEqual(
      findingsWith('assay/inclusive-end', jsonLines(...Array.from({ length: 40 }, () => row([0, 2])), row([2, 2]))),
      [],
    );
  });
});
