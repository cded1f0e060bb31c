import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import type { DatasetDocument } from '../../../src/engine/datasets/document';
import type { ColumnChoice } from '../../../src/protocol/dataset';
import { changes, edited, placed, snapshot, toChanges } from './editing';
import { at, open } from './opening';

function tryOpen(text: string, choice: ColumnChoice | undefined): DatasetDocument | null {
  try {
    return open(text, choice);
  } catch (error) {
    assert.ok(error instanceof NotADataset);
    return null;
  }
}

const fewRelRow = '{"tokens":["Ada","met","Bo"],"h":["ada","Q1",[[0]]],"t":["bo","Q2",[[2],[1,2]]]}';
const docRedRow =
  '{"title":"a","sents":[["Ada","met","Bo"],["He","left"]],"vertexSet":[[{"pos":[0,1],"sent_id":0}],[{"pos":[2,3],"sent_id":0},{"pos":[0,1],"sent_id":1}]],"labels":[{"r":"met","h":0,"t":1},{"r":"left","h":1,"t":0}]}';
const sciErcRow =
  '{"sentences":[["Ada","met","Bo"],["He","left"]],"ner":[[[0,0,"P"]],[]],"relations":[[[0,0,2,2,"met"]],[[3,3,0,0,"left"]]]}';
const spertRow =
  '{"tokens":["Ada","met","Bo"],"entities":[{"type":"P","start":0,"end":1},{"type":"P","start":2,"end":3}],"relations":[{"type":"met","head":0,"tail":1}]}';
const openNre = '{"token":["Ada","met","Bo"],"h":{"pos":[0,1]},"t":{"pos":[2,3]},"relation":"met"}';
const kinds: {
  name: string;
  rows: string[];
  build: (rows: string[]) => string;
  fragments: string[];
  /** All of the file is one record, which every edit touches. */
  isOneRecord?: true;
  /** An edit may touch all rows behind it: of a list's key, or of a bracket where all stands on one line. */
  isFarReaching?: boolean;
}[] = [
  {
    name: 'JSON Lines',
    rows: [
      '{"text":"good film","label":"pos"}',
      '{"text":"a \\u00e9 \\ud83d\\ude00","label":"neg"}',
      '',
      '{"text": bad}',
      '{"id":"x7","text":"so so","label":null}',
    ],
    build: (rows) => `${rows.join('\n')}\n`,
    fragments: ['', 'x', '\n', '\r\n', '\r', '"', '\\', '{', '}', '{"text":"new row","label":"pos"}\n', '\n\n', ' '],
  },
  {
    name: 'JSON Lines of relations',
    rows: [openNre, openNre.replace('[2,3]', '[2,9]'), openNre.replace('Ada', 'Ad\\u00e4')],
    build: (rows) => rows.join('\r\n'),
    fragments: ['', '9', '\r\n', '"', ',', ']', `${openNre}\r\n`, '\n'],
  },
  {
    name: 'JSON array on lines',
    rows: [
      '{"text":"good film","label":"pos"}',
      '{"text":"bad film","label":"neg"}',
      '{"text":"odd","deep":[[{"a":[1]}]],"label":"neg"}',
    ],
    build: (rows) => `[\n${rows.join(',\n')}\n]\n`,
    fragments: [
      '',
      'x',
      '\n',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      '{"text":"new row","label":"pos"},',
      ',\n{"text":"new row","label":"pos"}',
    ],
  },
  {
    name: 'JSON array, pretty-printed',
    rows: ['{\n  "text": "good film",\n  "label": "pos"\n }', '{\n  "text": "bad film",\n  "label": "neg"\n }'],
    build: (rows) => `[\n ${rows.join(',\n ')}\n]`,
    fragments: ['', 'x', '\n', '"', '{', '}', ']', ',', ' {\n  "text": "new",\n  "label": "pos"\n },\n'],
  },
  {
    name: 'CSV',
    rows: [
      'good film,pos',
      '"bad, ""so"" bad",neg',
      '"over\ntwo lines",pos',
      'he said "hi",neg',
      '"stray,neg',
      'a,b,c',
      '',
    ],
    build: (rows) => `text,label\n${rows.join('\n')}\n`,
    fragments: ['', 'x', ',', '\n', '\r\n', '\r', '"', '""', '",', '\n"', 'new film,pos\n', '"new\nfilm",neg\n'],
  },
  {
    name: 'TSV without header',
    rows: ['1\tgood film it is', '0\tbad film it is', '1\t"so good" a film', '0\ta "b" c'],
    build: (rows) => rows.join('\r'),
    fragments: ['', 'x', '\t', '\r', '\n', '"', '1\tnew film it is\r'],
  },
  {
    name: 'SemEval-2010',
    rows: [
      '1\t"The <e1>a</e1> of <e2>b</e2>."\nOther\nComment: x\n',
      '2\t"A <e2>b</e2> in <e1>c</e1>."\nCause-Effect(e2,e1)\n',
      '3\t"No <e1>tail</e1>"\nOther\n',
      '4\t"The <e1>d</e1> of <e2>e</e2>."',
    ],
    build: (rows) => rows.join('\n'),
    fragments: ['', 'x', '\n', '\n\n', '"', '<e1>', '</e2>', '7\t', 'Other\n', '\r\n'],
  },
  {
    name: 'sentiment trees',
    rows: [
      '(3 (2 A) (4 (4 good) (2 film)))',
      '(1 (2 -LRB-) (0 bad))',
      '(2 (2 over)\n  (2 lines))',
      '(2 (2 broken)',
      '',
    ],
    build: (rows) => `(3 (2 A) (4 film))\n${rows.join('\n')}\n`,
    fragments: ['', 'x', '\n', '\n\n', '(', ')', '(4 new)', '\r\n', '  ', '\n(3 new)\n'],
  },
  {
    name: 'fastText',
    rows: ['__label__pos a good film', '__label__neg __label__pos bad film', '__label__neg', 'no label', ''],
    build: (rows) => `__label__pos a film\n${rows.join('\r\n')}\n`,
    fragments: ['', 'x', '\n', '__label__a ', ' ', '\r', '__label__pos new film\n'],
  },
  {
    name: 'aspects in three lines',
    rows: [
      'The $T$ film .\nend\n1',
      'A $T$ and $T$ film\ncast\n-1',
      'The $T$ film\nend',
      'stray',
      'The $T$ film\nend\n0\nmore',
      '',
    ],
    build: (rows) => `The $T$ is fine .\nfilm\n1\n${rows.join('\n')}\n`,
    fragments: ['', 'x', '\n', '\n\n', '$T$', '$', '1\n', '\r\n', 'The $T$ new\nit\n1\n'],
  },
  {
    name: 'aspect XML',
    rows: [
      '<sentence id="1"><text>a film &amp; end</text><aspectTerms><aspectTerm term="film" polarity="p" from="2" to="6"/></aspectTerms></sentence>',
      '<sentence id="2">\n<text>b film</text><aspectCategories><aspectCategory category="c" polarity="n"/><aspectCategory category="d" polarity="p"/></aspectCategories>\n</sentence>',
      '<sentence id="3"><text>broken film</sentence>',
      '<sentence id="4"><text>not closed film</text>',
      '',
    ],
    build: (rows) =>
      `<sentences>\n<sentence id="0"><text>a film</text><aspectTerms><aspectTerm term="film" polarity="p" from="2" to="6"/></aspectTerms></sentence>\n${rows.join('\n')}\n</sentences>\n`,
    fragments: [
      '',
      'x',
      '<',
      '>',
      '"',
      '&amp;',
      '</sentence>',
      '<sentence',
      '<sentence id="9"><text>new</text></sentence>',
      '\n',
    ],
  },
  {
    name: 'aspects in JSON',
    rows: [
      '{"words":["a","film"],"aspects":[{"from":1,"to":2,"polarity":"p"},{"from":0,"to":1,"polarity":"n"}]}',
      '{"words":["b","film"],"aspects":[]}',
      '{"words":["c"],"aspects":[{"from":1,"to":7,"polarity":"p"}]}',
    ],
    build: (rows) => `[\n${rows.join(',\n')}\n]`,
    fragments: [
      '',
      'x',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      '9',
      '\n',
      '{"words":["n"],"aspects":[{"from":0,"to":1,"polarity":"p"}]},',
    ],
  },
  {
    name: 'JSON lists as rows',
    rows: ['["a good film is","pos"]', '["a bad \\u00e9 film is","neg"]', '["alone"]', '[7,"neg"]'],
    build: (rows) => `[\n["a film it is","pos"],\n${rows.join(',\n')}\n]\n`,
    fragments: ['', 'x', '"', '[', ']', ',', '\n', '["new film it is","pos"],'],
  },
  {
    name: 'JSON rows within an object',
    rows: [
      '{"text":"good film","label":"pos"}',
      '{"text":"bad film","label":"neg"}',
      '{"text": bad}',
      '{"text":"odd","label":["a"]}',
    ],
    build: (rows) => `{"version":[1,2],\n"data":[\n${rows.join(',\n')}\n],"more":[{"a":1}]}\n`,
    fragments: ['', 'x', '"', '{', '}', '[', ']', ',', '\n', '"data":', '{"text":"new film","label":"pos"},\n'],
  },
  {
    name: 'FewRel',
    rows: [fewRelRow, fewRelRow.replace('Ada', 'Ad\\u00e4'), fewRelRow.replace('[2]', '[9]'), '{"tokens": bad}', '7'],
    build: (rows) => `{"P1": [${rows.slice(0, 2).join(', ')}], "P2": [], "P3": [\n${rows.slice(2).join(',\n')}\n]}\n`,
    isFarReaching: true,
    fragments: ['', 'x', '"', '[', ']', '{', '}', ',', '"P4": [', '], "P5": [', '9', `${fewRelRow},`, '\n'],
  },
  {
    name: 'DocRED',
    rows: [docRedRow, docRedRow.replace('"t":1', '"t":7'), docRedRow.replace('[2,3]', '[2,5]'), '{"title": bad}', '{}'],
    build: (rows) => `[\n${docRedRow},\n${rows.join(',\n')}\n]`,
    fragments: ['', 'x', '"', '[', ']', '{', '}', ',', '9', '\n', `${docRedRow},\n`],
  },
  {
    name: 'SciERC',
    rows: [sciErcRow, sciErcRow.replace('2,2', '2,9'), sciErcRow.replace('"met"]]', '7]]'), '', '{"doc_key":1}'],
    build: (rows) => `${sciErcRow}\n${rows.join('\n')}\n`,
    fragments: ['', 'x', '"', '[', ']', ',', '9', '\n', '\r\n', `${sciErcRow}\n`],
  },
  {
    name: 'SpERT',
    rows: [spertRow, spertRow.replace('"tail":1', '"tail":4'), spertRow.replace('"end":3', '"end":8'), '[]'],
    build: (rows) => `[${spertRow},${rows.join(', ')}]`,
    isFarReaching: true,
    fragments: ['', 'x', '"', '[', ']', '{', '}', ',', '9', `${spertRow},`],
  },
  {
    name: 'CoNLL columns',
    rows: [
      "#doc 1\n0\tAda\tB-P\t['met']\t[2]\n1\tmet\tO\t['N']\t[1]\n2\tBo\tB-P\t['N']\t[2]",
      "0\tCy\tB-P\t['saw', 'met']\t[1, 9]\n1\tBo\tI-P\t['N']\t[1]",
      'stray',
      '',
    ],
    build: (rows) => `#doc 0\n0\ta\tO\t['N']\t[0]\n1\tb\tO\t['N']\t[1]\n${rows.join('\n')}\n`,
    fragments: ['', 'x', '\n', '\t', '#', '0', "'", "3\tnew\tU-P\t['met']\t[0]\n", '\r\n', '\n\n'],
  },
  {
    name: 'markers in a column',
    rows: [
      '<e1>Ada</e1> met <e2>Bo</e2>,met',
      '"<e2>Bo</e2> saw ""<e1> Ada </e1>""",saw',
      '<e1>Ada</e1> alone,met',
      'x,y',
    ],
    build: (rows) => `text,label\n${'<e1>A</e1> met <e2>B</e2>,met\n'.repeat(30)}${rows.join('\n')}\n`,
    fragments: ['', 'x', '<e1>', '</e2>', '"', ',', '\n', ' ', '<e1>new</e1> <e2>row</e2>,met\n'],
  },
  {
    name: 'JSON object of columns',
    rows: ['"a good film"', '"a bad \\u00e9 film"', '7', 'null'],
    build: (rows) => `{"label":[${rows.map((_, index) => `"${index % 2}"`)}],\n"text":[\n${rows.join(',\n')}\n]}\n`,
    fragments: ['', 'x', '"', '[', ']', ',', '}', '\n', '"new film",\n', '"label"'],
    isOneRecord: true,
  },
];

describe('datasets: edits', () => {
  for (const { name, rows, build, fragments, isOneRecord, isFarReaching } of kinds) {
    it(`${name}: edits give what opening the edited text gives (property)`, () => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(...rows), { minLength: 2, maxLength: 8 }),
          fc.array(changes(fragments), { minLength: 1, maxLength: 5 }),
          (drawnRows, drawnEdits) => {
            let text = build(drawnRows);
            const document = tryOpen(text, undefined);
            if (document === null) return;
            for (const drawn of drawnEdits) {
              const edit = placed(text, drawn);
              document.applyEdits(toChanges(text, edit));
              text = edited(text, edit);
              assert.equal(document.text, text);
              const fresh = tryOpen(text, undefined);
              if (fresh !== null) assert.deepEqual(snapshot(document), snapshot(fresh));
            }
          },
        ),
        { numRuns: 300 },
      );
    });

    if (isOneRecord) continue;
    it(`${name}: in a long file only touched records are read again (property)`, () => {
      const many = build(
        Array.from({ length: 6000 }, (_, index) => rows[index % rows.length]!.replace('film', `film ${index}`)),
      );
      assert.ok(many.length > 70_000, 'all of it is sampled');
      fc.assert(
        fc.property(changes(fragments), (drawn) => {
          const document = open(many);
          const before = document.examples.map((example) => ({
            example,
            row: at(document, document.recordRange(example)),
          }));
          const edit = placed(many, drawn);
          document.applyEdits(toChanges(many, edit));
          const fresh = tryOpen(edited(many, edit), undefined);
          if (fresh === null || fresh.info.formatDetail !== open(many).info.formatDetail) return;
          assert.deepEqual(snapshot(document), snapshot(fresh));
          const kept = new Set<unknown>(document.examples);
          const lost = before.filter(({ example }) => !kept.has(example)).length;
          const unclosed = document.findings.some(({ message }) => /quote opens|not closed|array/.test(message));
          if (!unclosed && isFarReaching !== true) assert.ok(lost < 300, `${lost} examples lost`);
        }),
        { numRuns: 12 },
      );
    });
  }

  it('keeps every example but the edited one, and moves those behind it', () => {
    const document = open(
      Array.from({ length: 20 }, (_, index) => `{"text":"film ${index} is fine","label":"pos"}`).join('\n'),
    );
    const before = [...document.examples];
    document.applyEdits([{ range: { startLine: 5, startChar: 9, endLine: 5, endChar: 13 }, text: 'movie\\n' }]);
    assert.deepEqual(
      document.examples.map((example, index) => example === before[index]),
      before.map((_, index) => index !== 5),
    );
    assert.equal(document.examples[5]!.text, 'movie\n 5 is fine');
    assert.equal(at(document, document.fileRange(document.examples[6]!, { start: 0, end: 6 })), 'film 6');
    document.applyEdits([
      { range: { startLine: 2, startChar: 0, endLine: 2, endChar: 0 }, text: '{"text":"new one","label":"neg"}\n\n' },
    ]);
    assert.equal(document.examples[3], before[2]);
    assert.equal(document.examples[3]!.id, '4');
    assert.equal(document.examples[3]!.record.startLine, 4);
    assert.equal(at(document, document.fileRange(document.examples[20]!, { start: 0, end: 7 })), 'film 19');
  });

  it('reads again what is inserted right before a record', () => {
    const row = '{\n  "text": "good film",\n  "label": "pos"\n }';
    const text = `[\n ${row},\n ${row}\n]`;
    const document = open(text);
    const [first, second] = document.examples;
    const startOfRow = { startLine: 1, startChar: 1, endLine: 1, endChar: 1 };
    document.applyEdits([{ range: startOfRow, text: '  ' }]);
    assert.equal(document.examples[0], first);
    assert.equal(at(document, document.recordRange(first!)), row);
    document.applyEdits([{ range: { ...startOfRow, endChar: 3 }, text: 'x' }]);
    assert.deepEqual(document.examples, [second]);
    assert.equal(document.findings.length, 1);
  });

  it('keeps the examples when a header is renamed, and reads all again when the columns change', () => {
    const document = open('text,label\nfine film,pos\ndull film,neg\n');
    const before = [...document.examples];
    document.applyEdits([{ range: { startLine: 0, startChar: 5, endLine: 0, endChar: 10 }, text: 'sentiment' }]);
    assert.equal(document.info.columns.gold, 'sentiment');
    assert.ok(document.examples.every((example, index) => example === before[index]));
    document.applyEdits([{ range: { startLine: 0, startChar: 0, endLine: 0, endChar: 14 }, text: 'label,text' }]);
    assert.deepEqual(
      document.examples.map(({ text, gold }) => [text, gold]),
      [
        ['pos', 'fine film'],
        ['neg', 'dull film'],
      ],
    );
  });

  it('reads as before while the text is no dataset, and detects anew when it is one again', () => {
    const document = open('{"text":"a b","label":"x"}\n{"text":"c d","label":"y"}\n');
    document.applyEdits([{ range: { startLine: 0, startChar: 0, endLine: 2, endChar: 0 }, text: 'nothing' }]);
    assert.equal(document.examples.length, 0);
    assert.equal(document.findings.length, 1);
    document.applyEdits([
      {
        range: { startLine: 0, startChar: 0, endLine: 0, endChar: 7 },
        text: 'text,label\nfine film,pos\ndull film,neg\n',
      },
    ]);
    assert.equal(document.info.format, 'csv');
    assert.equal(document.examples.length, 2);
  });

  it('keeps to the chosen columns', () => {
    const choice = { task: 'sentiment', text: 'b', gold: 'a' } as const;
    const document = open('a,b\n1,fine film\n2,dull film\n', choice);
    document.applyEdits([{ range: { startLine: 1, startChar: 0, endLine: 1, endChar: 1 }, text: '3' }]);
    assert.deepEqual(snapshot(document), snapshot(open('a,b\n3,fine film\n2,dull film\n', choice)));
  });

  it('refuses a range of an example that an edit has taken away', () => {
    const document = open('{"text":"a b","label":"x"}\n{"text":"c d","label":"y"}\n');
    const [first] = document.examples;
    document.applyEdits([{ range: { startLine: 0, startChar: 9, endLine: 0, endChar: 10 }, text: 'z' }]);
    assert.throws(() => document.recordRange(first!), RangeError);
  });
});
