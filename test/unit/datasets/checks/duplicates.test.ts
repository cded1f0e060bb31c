import assert from 'node:assert/strict';
import { jsonl, open, sample } from '../opening';
import { csvRows, findingsWith, linesOf } from './checking';

const relation = (text: string, head: string, tail: string, label: string) => ({
  text,
  h: { pos: [text.indexOf(head), text.indexOf(head) + head.length] },
  t: { pos: [text.indexOf(tail), text.lastIndexOf(tail) + tail.length] },
  relation: label,
});

describe('dataset checks: duplicate', () => {
  it('is told on every row but the first, whatever case, white space and composition are', () => {
    const document = open(
      csvRows(
        ['The crème was warm and the staff kind.', 'good'],
        ['Nobody came to the noisy ferry.', 'bad'],
        ['  the creme\u0300 WAS  warm and\tthe staff kind.', 'good'],
        ['The cre\u0300me was warm and the staff kind.', 'good'],
        ['the CRÈME was warm and\u00a0the staff kind. ', 'good'],
      ),
    );
    const found = findingsWith('assay/duplicate', document);
    assert.deepEqual(linesOf(found), [5, 6]);
    assert.equal(
      found[0]!.message,
      'The same text, labelled "good" too, stands on line 2. Remove this row, unless it is to count twice.',
    );
    assert.deepEqual(found[0]!.fix, { kind: 'remove-row' });
    const [related] = found[0]!.related;
    assert.ok(related?.kind === 'here' && related.example === document.examples[0]);
    // Line 4 has its accent on another letter.
    const composed = open(
      csvRows(
        ['Caf\u00e9 Stra\u00dfe, all fine', 'good'],
        ['CAFE\u0301 STRASSE, ALL FINE', 'good'],
        ['Cafe Strasse, all fine', 'good'],
      ),
    );
    assert.deepEqual(linesOf(findingsWith('assay/duplicate', composed)), [3]);
  });

  it('is not told of other punctuation, other labels, missing labels or empty texts', () => {
    const document = open(
      csvRows(
        ['It works!', 'good'],
        ['It works?', 'good'],
        ['A lamp that hums.', 'good'],
        ['A lamp that hums.', 'bad'],
        ['   ', 'good'],
        [' ', 'good'],
        ['An old jacket.', ''],
        ['An old jacket.', 'bad'],
      ),
    );
    assert.deepEqual(findingsWith('assay/duplicate', document), []);
    const unlabelled = open(csvRows(['An old jacket.', ''], ['an old jacket.', ''], ['A new one.', 'good']));
    assert.deepEqual(linesOf(findingsWith('assay/duplicate', unlabelled)), [3]);
  });

  it('of a relation has the same entities in the same roles', () => {
    const text = 'Mira founded Orbel in Ghent and Orbel grew.';
    const spaced = text.replace(' in', '   in');
    const document = open(
      jsonl(
        relation(text, 'Mira', 'Ghent', 'based_in'),
        relation(text, 'Mira', 'founded', 'based_in'),
        relation(text, 'Ghent', 'Mira', 'based_in'),
        relation(spaced, 'Mira', 'Ghent', 'based_in'),
      ),
    );
    const found = findingsWith('assay/duplicate', document);
    assert.deepEqual(linesOf(found), [4]);
    assert.match(found[0]!.message, /^The same text with the same entities, /);
    assert.deepEqual(findingsWith('assay/near-duplicate', document), []);
  });

  it('offers no removal where the record holds other examples', () => {
    const document = open(
      JSON.stringify({ text: ['One fine day', 'One fine day', 'A storm'], label: ['a', 'a', 'b'] }),
    );
    const found = findingsWith('assay/duplicate', document);
    assert.equal(found.length, 1);
    assert.equal(found[0]!.fix, null);
  });
});

describe('dataset checks: conflicting-labels', () => {
  it('are told on all rows of the group, with the other labels and their lines', () => {
    const document = open(
      csvRows(
        ['The soup was cold.', 'bad'],
        ['A fine garden.', 'good'],
        ['the soup was cold.', 'good'],
        ['The Soup was cold.', 'mixed'],
        ['The soup was  cold.', 'good'],
        ['The soup was cold.', ''],
      ),
    );
    const found = findingsWith('assay/conflicting-labels', document);
    assert.deepEqual(linesOf(found), [2, 4, 5, 6]);
    assert.equal(
      found[0]!.message,
      'The same text is labelled "bad" here, but "good" on lines 4, 6, "mixed" on line 5. Decide which is right, and relabel or remove the others.',
    );
    assert.equal(found[0]!.related.length, 3);
    assert.equal(found[1]!.message.includes('"bad" on line 2, "mixed" on line 5'), true);
  });

  it('are none where the entities or the aspect are others, or the record gives a pair several relations', () => {
    const text = 'Mira founded Orbel in Ghent.';
    const document = open(
      jsonl(relation(text, 'Mira', 'Orbel', 'founder'), relation(text, 'Orbel', 'Ghent', 'based_in')),
    );
    assert.deepEqual(findingsWith('assay/conflicting-labels', document), []);
    const aspects = open(
      'The $T$ was warm but the lobby was cold .\nsoup\n1\nThe soup was warm but the $T$ was cold .\nlobby\n-1\n',
    );
    assert.equal(aspects.examples.length, 2);
    assert.equal(aspects.examples[0]!.text, aspects.examples[1]!.text);
    assert.deepEqual(findingsWith('assay/conflicting-labels', aspects), []);
    const mention = (name: string, at: number) => [{ name, pos: [at, at + 1], sent_id: 0, type: 'X' }];
    const several = open(
      JSON.stringify([
        {
          title: 'Orbel',
          sents: [['Mira', 'founded', 'Orbel', '.']],
          vertexSet: [mention('Mira', 0), mention('Orbel', 2)],
          labels: [
            { h: 0, t: 1, r: 'P112', evidence: [0] },
            { h: 0, t: 1, r: 'P127', evidence: [0] },
          ],
        },
      ]),
    );
    assert.equal(several.examples.length, 2);
    assert.deepEqual(findingsWith('assay/conflicting-labels', several), []);
  });
});

describe('dataset checks: near-duplicate', () => {
  const long = 'After a long week the ferry to Split was late again and nobody on board could say why it was';

  it('is told once a row, against the most similar row before, with how alike they are', () => {
    const document = open(
      csvRows(
        [`${long}.`, 'bad'],
        ['A kettle that whistles.', 'good'],
        [`${long.replace('nobody', 'no one')}!`, 'bad'],
        [`Well: ${long}, so`, 'good'],
        [`${long.replace('nobody', 'no one')}, sadly`, 'bad'],
      ),
    );
    const found = findingsWith('assay/near-duplicate', document, { nearDuplicateThreshold: 0.75 });
    assert.deepEqual(linesOf(found), [4, 5, 6]);
    const partners = found.map(({ related: [row] }) =>
      row?.kind === 'here' ? document.examples.indexOf(row.example) : -1,
    );
    assert.deepEqual(partners, [0, 0, 2]);
    assert.equal(
      found[1]!.message,
      'The text is nearly that of line 2: they share 90 % of their word pairs (75 % or more is told). It is labelled "bad" there and "good" here. Keep one of them, unless both are wanted.',
    );
    assert.equal(found[1]!.fix, null);
  });

  it('is one where only punctuation differs, in short texts too, and never where no word is', () => {
    const document = open(
      csvRows(
        ['Great', 'good'],
        ['great!', 'good'],
        [':)', 'good'],
        [':(', 'bad'],
        ['Not great', 'bad'],
        ['😀', 'good'],
        ['😡', 'bad'],
      ),
    );
    const found = findingsWith('assay/near-duplicate', document);
    assert.deepEqual(linesOf(found), [3]);
    assert.match(found[0]!.message, /^The text is nearly that of line 2: they have the same word pairs\./);
  });

  it('is not told again of duplicates, nor below the threshold', () => {
    const document = open(
      csvRows([`${long}.`, 'bad'], [`${long}.`, 'bad'], [`${long}.`, 'good'], [`${long} raining`, 'bad']),
    );
    assert.deepEqual(linesOf(findingsWith('assay/near-duplicate', document)), [5]);
    assert.deepEqual(findingsWith('assay/near-duplicate', document, { nearDuplicateThreshold: 0.96 }), []);
  });

  it('reads Chinese, which has no spaces, by its characters', () => {
    const text = '这家餐厅的服务员非常热情，饭菜也很好吃，下次还会再来，推荐给大家';
    const document = open(
      csvRows([text, '好'], [`${text}了`, '好'], ['今天下雨了，我们没有去公园，都待在家里看书', '坏']),
    );
    assert.deepEqual(linesOf(findingsWith('assay/near-duplicate', document)), [3]);
  });

  it('of a relation has the same words as entities', () => {
    const text =
      'Mira founded the company Orbel in Ghent in the spring of a year that nobody there has forgotten since';
    const other = `Indeed ${text}`;
    const document = open(
      jsonl(
        relation(text, 'Mira', 'Orbel', 'founder'),
        relation(other, 'Orbel', 'Ghent', 'based_in'),
        relation(`${other}!`, 'Mira', 'Orbel', 'founder'),
      ),
    );
    assert.deepEqual(linesOf(findingsWith('assay/near-duplicate', document)), [3]);
  });

  it('are none within a record that judges several things of a text', () => {
    assert.deepEqual(findingsWith('assay/duplicate', sample('aspects.xml')), []);
  });
});
