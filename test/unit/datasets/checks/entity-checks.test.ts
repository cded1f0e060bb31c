import assert from 'node:assert/strict';
import type { CheckFinding } from '../../../../src/engine/datasets/checks/finding';
import { changesOfAll } from '../../../../src/engine/datasets/checks/fix-all';
import { changesOf } from '../../../../src/engine/datasets/checks/fixes';
import { placedFinding } from '../../../../src/engine/datasets/checks/places';
import type { DatasetDocument } from '../../../../src/engine/datasets/document';
import { applyChanges, offsetChanges } from '../../../../src/engine/datasets/edits';
import { open } from '../opening';
import { findingsWith, finish } from './checking';

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
      found.map(({ example, fix }) => [example.id, fix?.kind === 'move-end' ? fix.by : null]),
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

  it('a whole file whose ends are inclusive is judged together, and mended in one step', () => {
    const inclusive = [
      tokenRow([0, 1], [4, 5]),
      tokenRow([0, 1], [4, 5]),
      // Of one word, so that nothing is left of it.
      tokenRow([7, 7], [0, 1], ['London', 'Ada Lovelace']),
      tokenRow([7, 7], [7, 7], ['London', 'London']),
      right,
    ];
    const document = jsonLines(...inclusive);
    const [found, ...more] = findingsWith('assay/inclusive-end', document);
    assert.deepEqual(more, []);
    assert.match(
      found!.message,
      /^The head “Ada” stops one short of “Ada Lovelace”.* in 4 of 5 rows: .* inclusively where it is read as exclusive\. Raise/,
    );
    assert.equal(found!.subject, '');
    assert.deepEqual(
      found!.related.map((row) => row.kind === 'here' && row.example.id),
      ['1', '2', '2', '3', '3'],
    );
    assert.equal(placedFinding(document, found!).fix, 'Raise the ends by one in all 4 rows');
    const exclusive = [
      right,
      right,
      tokenRow([7, 8], [0, 2], ['London', 'Ada Lovelace']),
      tokenRow([7, 8], [7, 8], ['London', 'London']),
      right,
    ];
    assert.equal(fixed(document, found!), jsonLines(...exclusive).text);
    const together = finish(changesOfAll(document, [found!]));
    assert.equal(together.fixedCount, 1);
    assert.equal(
      applyChanges(document.text, offsetChanges(together.changes, document.lines)),
      jsonLines(...exclusive).text,
    );

    const exceeding = jsonLines(...[1, 2, 3].map(() => tokenRow([0, 3], [4, 7])));
    const [other] = findingsWith('assay/inclusive-end', exceeding);
    assert.match(other!.message, /goes one further than .* in 3 of 3 rows.*Lower the ends/);
    assert.equal(fixed(exceeding, other!), jsonLines(right, right, right).text);
  });

  it('an entity of one word that is empty for its inclusive end is told; a masked one is not', () => {
    const oneWord = tokenRow([7, 7], [4, 6], ['London', 'Charles Babbage']);
    const masked = tokenRow([3, 3], [4, 6], ['London', 'Charles Babbage']);
    const document = jsonLines(right, right, right, oneWord, masked);
    const found = findingsWith('assay/inclusive-end', document);
    assert.deepEqual(
      found.map(({ example }) => example.id),
      ['4'],
    );
    assert.match(found[0]!.message, /^The head, which is empty, stops one short of “London”/);
    assert.match(fixed(document, found[0]!) ?? '', /"pos":\[7,8\]/);
    assert.deepEqual(findingsWith('assay/entity-name', document), []);
  });

  it('names that most rows do not have in their text are no words of it', () => {
    const titled = (count: number) =>
      Array.from({ length: count }, () => tokenRow([0, 2], [4, 6], ['Countess of L.', 'Charles Babbage']));
    const rights = (count: number) => Array.from({ length: count }, () => right);
    assert.deepEqual(findingsWith('assay/entity-name', jsonLines(...titled(6), ...rights(6))), []);
    assert.equal(findingsWith('assay/entity-name', jsonLines(...titled(5), ...rights(7))).length, 5);
    assert.equal(findingsWith('assay/entity-name', jsonLines(...titled(3))).length, 3);
  });

  it('a row that leaves the name blank says none', () => {
    const blank = tokenRow([0, 1], [4, 6], [' ', 'Charles Babbage']);
    const document = jsonLines(right, blank, blank);
    assert.deepEqual(findingsWith('assay/entity-name', document), []);
    assert.deepEqual(findingsWith('assay/inclusive-end', document), []);
  });

  it('FewRel: the numbers of the words get one more, or lose their last', () => {
    const row = (head: number[], tail: number[]) =>
      `{"tokens": ${JSON.stringify(words)}, "h": ["ada lovelace", "Q1", [${JSON.stringify(head)}]], "t": ["charles babbage", "Q2", [[${tail.join(', ')}]]]}`;
    const file = (...rows: string[]) => `{"P1": [${rows.join(', ')}]}`;
    const good = row([0, 1], [4, 5]);
    const document = open(file(good, good, row([0], [4, 5]), row([0, 1], [4, 5, 6]), row([0, 1], [2])));
    const found = findingsWith('assay/inclusive-end', document);
    assert.deepEqual(
      found.map(({ example }) => example.id),
      ['3', '4'],
    );
    const rest = [row([0, 1], [4, 5, 6]), row([0, 1], [2])];
    // There is no way of the list to follow.
    assert.equal(fixed(document, found[0]!), file(good, good, good.replace('[[0,1]]', '[[0, 1]]'), ...rest));
    assert.equal(fixed(document, found[1]!), file(good, good, row([0], [4, 5]), good, rest[1]!));
    assert.deepEqual(
      findingsWith('assay/entity-name', document).map(({ example }) => example.id),
      ['5'],
    );
  });

  it('DocRED: an entity of many relations is told once, and mended for all', () => {
    const mention = (name: string, pos: [number, number]) => [{ name, pos, sent_id: 0, type: 'PER' }];
    const labels = [
      { r: 'wrote to', h: 0, t: 1 },
      { r: 'lived in', h: 0, t: 2 },
      { r: 'lived in', h: 1, t: 2 },
    ];
    const paper = (...vertexSet: object[]) => ({ title: 'x', sents: [words], vertexSet, labels });
    const others = [mention('Charles Babbage', [4, 6]), mention('London', [7, 8])];
    const sound = paper(mention('Ada Lovelace', [0, 2]), ...others);
    const file = (first: object) => JSON.stringify([first, sound, sound], null, 1);
    const document = open(file(paper(mention('Ada Lovelace', [0, 1]), ...others)));
    assert.equal(document.info.format, 'docred');
    const found = findingsWith('assay/inclusive-end', document);
    assert.deepEqual(
      found.map(({ example }) => example.id),
      ['1'],
    );
    assert.equal(fixed(document, found[0]!), file(sound));
    const misnamed = open(file(paper(mention('Ada King', [0, 2]), ...others)));
    assert.equal(findingsWith('assay/entity-name', misnamed).length, 1);
    assert.deepEqual(findingsWith('assay/entity-name', open(file(sound))), []);
  });

  it('what is short by a word in characters is no end that is off by one', () => {
    const row = (end: number) => ({
      text: sentence,
      subject: { name: 'Ada Lovelace', start: 0, end },
      object: { name: 'Charles Babbage', start: 22, end: 37 },
      relation: 'wrote to',
    });
    const document = jsonLines(row(12), row(12), row(12), row(3));
    assert.deepEqual(findingsWith('assay/inclusive-end', document), []);
    assert.deepEqual(
      findingsWith('assay/entity-name', document).map(({ example }) => example.id),
      ['4'],
    );
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

  describe('without names', () => {
    const row = (head: [number, number], tail: [number, number] = [4, 6], token: readonly string[] = words) => ({
      token,
      h: { pos: head },
      t: { pos: tail },
      relation: 'x',
    });
    const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, at) => make(at));
    const told = (...rows: object[]) => findingsWith('assay/inclusive-end', jsonLines(...rows));

    it('empty entities show that ends are inclusive', () => {
      const [found, ...more] = told(row([0, 2]), row([2, 2]), row([2, 2]), row([6, 6]), row([0, 2]));
      assert.deepEqual(more, []);
      assert.match(found!.message, /^In 3 of 5 rows an entity holds no word/);
      assert.deepEqual([found!.example.id, found!.subject, found!.fix], ['2', '', null]);
      assert.deepEqual(told(...many(40, () => row([0, 2])), row([2, 2])), []);
    });

    it('masked entities show nothing', () => {
      // Both, one of the two, either (behind which anything stands), and one although others reach the end.
      const marked = [...words, '.'];
      assert.deepEqual(told(...many(20, (at) => row([at % 7, at % 7], [5, 5]))), []);
      assert.deepEqual(told(...many(20, () => row([2, 2], [4, 6]))), []);
      assert.deepEqual(
        told(...many(20, (at) => (at % 2 === 0 ? row([8, 8], [4, 6], marked) : row([0, 2], [8, 8], marked)))),
        [],
      );
      assert.deepEqual(told(...many(20, (at) => (at % 2 === 0 ? row([2, 2], [6, 8]) : row([0, 2], [4, 4])))), []);
      // One behind the last word, which has no number.
      const often = many(40, (at) => (at % 2 === 0 ? row([2, 2]) : row([0, 2])));
      assert.equal(told(...often).length, 1);
      assert.deepEqual(told(...often, row([8, 8])), []);
    });

    it('a letter less than a word, in all of them, shows that ends are inclusive', () => {
      const cut = (missing: number) => ({
        text: sentence,
        h: { pos: [0, 12 - missing] },
        t: { pos: [22, 37 - missing] },
        relation: 'x',
      });
      const [found, ...more] = told(...many(10, () => cut(1)));
      assert.deepEqual(more, []);
      assert.match(found!.message, /^20 of 20 entities stop one letter before the end of a word/);
      assert.deepEqual(told(...many(10, (at) => cut(at % 5 === 0 ? 0 : 1))), []);
      assert.deepEqual(told(...many(9, () => cut(1))), []);
    });

    it('entities that all have a word too many show that ends are exclusive', () => {
      const token = ['Ada', ',', 'a', 'countess', ',', 'met', 'Bo', '.'];
      const tacred = (head: [number, number], tail: [number, number]) => ({
        token,
        subj_start: head[0],
        subj_end: head[1],
        obj_start: tail[0],
        obj_end: tail[1],
        relation: 'x',
      });
      const [found, ...more] = told(...many(25, () => tacred([0, 1], [6, 7])));
      assert.deepEqual(more, []);
      assert.match(found!.message, /^None of 50 entities is of one word, and 50 end in punctuation/);
      assert.deepEqual(told(...many(24, () => tacred([0, 1], [6, 7]))), []);
      assert.deepEqual(told(...many(25, () => tacred([0, 1], [6, 6]))), []);
      assert.deepEqual(told(...many(25, () => tacred([2, 3], [5, 6]))), []);
    });
  });
});
