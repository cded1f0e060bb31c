import assert from 'node:assert/strict';
import { jsonl, open, refusal } from './opening';

const things = ['room', 'bed', 'bath', 'bar', 'lift', 'garden', 'pool', 'desk', 'door', 'hall', 'roof', 'yard'];

/** A table of the rows that `cells` makes of a sentence and its number. */
function table(header: string, rows: number, cells: (text: string, row: number) => (string | number)[]): string {
  const lines = things.slice(0, rows).map((thing, row) => cells(`The ${thing} was not what we saw`, row).join(','));
  return `${header}\n${lines.join('\n')}\n`;
}

const polarity = ['pos', 'neg', 'neg'] as const;

describe('datasets: which column holds the gold label', () => {
  for (const name of ['majority', 'Majority_Label', 'gold', 'final', 'consensus', 'adjudicated', 'ground_truth']) {
    it(`what all said, not what one of them said: ${name}`, () => {
      for (const one of ['annotator1,annotator2', 'rater_1,rater_2', 'Coder A,Coder B', 'annotator,expert2']) {
        const csv = table(`text,${one},${name}`, 6, (text, row) => [
          text,
          polarity[row % 3]!,
          polarity[(row + 1) % 3]!,
          polarity[row % 3]!,
        ]);
        assert.equal(open(csv).info.columns.gold, name);
      }
    });
  }

  it('says less surely that one of several is the label, where nothing says what all said', () => {
    const csv = table('text,annotator1,annotator2', 6, (text, row) => [text, polarity[row % 3]!, 'neg']);
    const { columns, confidence } = open(csv).info;
    assert.equal(columns.gold, 'annotator1');
    assert.ok(confidence < 0.65, String(confidence));
  });

  it('reads numbers of classes where there are no names, the description rather than the title', () => {
    const texts = table('Class Index,Text', 8, (text, row) => [(row * 3) % 4, text]);
    assert.deepEqual(open(texts).info.columns, { task: 'sentiment', text: 'Text', gold: 'Class Index' });
    const news = table('Class Index,Title,Description', 8, (text, row) => [(row * 3) % 4, `News ${row} today`, text]);
    assert.deepEqual(open(news).info.columns, { task: 'sentiment', text: 'Description', gold: 'Class Index' });
    const codes = table('text,label_id,label', 6, (text, row) => [text, row % 3, polarity[row % 3]!]);
    assert.equal(open(codes).info.columns.gold, 'label');
    const alone = open(table('text,label_id', 6, (text, row) => [text, row % 3])).info;
    assert.equal(alone.columns.gold, 'label_id');
    assert.ok(alone.confidence < 0.65, String(alone.confidence));
    const ids = open(table('text,model_id,lang_code', 6, (text, row) => [text, row % 3, 'en'])).info;
    assert.equal(ids.columns.gold, undefined);
  });

  for (const [number, text, label] of [
    ['lfd', 'bericht', 'klasse'],
    ['编号', '评论内容', '情感倾向'],
    ['Nr.', 'отзыв', 'тональность'],
  ] as const) {
    it(`never the numbers of the rows, in any language: ${number}`, () => {
      for (let rows = 2; rows <= things.length; rows++) {
        for (const first of [0, 1]) {
          const csv = table([number, text, label].join(','), rows, (sentence, row) => [
            row + first,
            sentence,
            polarity[row % 3]!,
          ]);
          assert.deepEqual(open(csv).info.columns, { task: 'sentiment', text, gold: label }, csv);
        }
      }
      const shuffled = table([number, text, label].join(','), 8, (sentence, row) => [
        (row * 3) % 8,
        sentence,
        row % 2 === 0 ? 'A' : 'B',
      ]);
      assert.equal(open(shuffled).info.columns.gold, label);
    });
  }

  it('rows that are only numbered have no label', () => {
    assert.match(refusal(table('lfd,bericht', 8, (text, row) => [row, text])), /none of them surely holds a text/);
    const numbered = jsonl(...things.map((thing, row) => ({ review: `the ${thing} was old`, nummer: row + 1 })));
    assert.equal(open(numbered).info.columns.gold, undefined);
  });

  it('a column that is named label stays one, however it counts, but less surely', () => {
    const { columns, confidence } = open(table('text,label', 4, (text, row) => [text, row])).info;
    assert.equal(columns.gold, 'label');
    assert.ok(confidence < 0.8);
  });
});
