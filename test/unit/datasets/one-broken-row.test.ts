/** A fault in one row of a file that is one JSON value costs that row and no other. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { open } from './opening';

interface Layout {
  name: string;
  /** Row `index` of the file, with `word` in its text; one without faults. */
  row(index: number): string;
  file(rows: string[]): string;
}

const words = [
  'amber',
  'birch',
  'cedar',
  'daisy',
  'elder',
  'fern',
  'gorse',
  'hazel',
  'iris',
  'jasmine',
  'kale',
  'larch',
];
const sentence = (index: number) => `The ${words[index % words.length]} grows near house ${index}, they say.`;

const plain = (index: number) =>
  JSON.stringify({
    text: sentence(index),
    label: index % 2 === 0 ? 'good' : 'bad',
    score: [index, 2.5],
    meta: { by: 'Kim' },
  });
const related = (index: number) =>
  JSON.stringify({
    tokens: sentence(index).split(' '),
    h: ['the', 'Q1', [[0]]],
    t: [words[index % words.length], 'Q2', [[1]]],
  });
const withEntities = (index: number) =>
  JSON.stringify({
    id: index,
    text: sentence(index),
    label: index % 2 === 0 ? 'good' : 'bad',
    people: [
      { id: 1, name: 'Kim' },
      { id: 2, name: 'Ola' },
    ],
  });
const half = <T>(rows: T[]): [T[], T[]] => [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)];

const layouts: Layout[] = [
  { name: 'a list on one line', row: plain, file: (rows) => `[${rows.join(', ')}]` },
  { name: 'a list without a space', row: plain, file: (rows) => `[${rows.join(',')}]\n` },
  { name: 'a list whose rows hold objects that begin alike', row: withEntities, file: (rows) => `[${rows.join(',')}]` },
  {
    name: 'a list in an object',
    row: plain,
    file: (rows) => `{"version": "2", "data": [${rows.join(', ')}], "end": [{"text": 1}]}`,
  },
  {
    name: 'splits in an object',
    row: plain,
    file: (rows) => `{"train": [${half(rows)[0].join(', ')}], "test": [${half(rows)[1].join(', ')}]}`,
  },
  {
    name: 'rows by their ids in an object',
    row: plain,
    file: (rows) => `{${rows.map((row, index) => `"id ${index}": ${row}`).join(', ')}}`,
  },
  {
    name: 'objects one behind the other',
    row: (index) => JSON.stringify(JSON.parse(plain(index)), null, 1),
    file: (rows) => rows.join('\n'),
  },
  {
    name: 'FewRel',
    row: related,
    file: (rows) => `{"P1": [${half(rows)[0].join(', ')}], "P27": [${half(rows)[1].join(', ')}]}`,
  },
  {
    name: 'a list, pretty-printed',
    row: (index) => JSON.stringify(JSON.parse(plain(index)), null, 2).replaceAll('\n', '\n  '),
    file: (rows) => `[\n  ${rows.join(',\n  ')}\n]\n`,
  },
];

/** Ways to break a row: one character lost, doubled or put in. */
const faults: [string, (row: string, at: number) => string | null][] = [
  [
    'loses a character of its structure',
    (row, at) => (/["{}[\],:]/.test(row[at]!) ? row.slice(0, at) + row.slice(at + 1) : null),
  ],
  ['has one twice', (row, at) => (/["{}[\],:]/.test(row[at]!) ? row.slice(0, at) + row[at] + row.slice(at) : null)],
  ['holds a stray one', (row, at) => `${row.slice(0, at)}"${row.slice(at)}`],
  // Within a bracket of its own it would take the rows behind it in, and the whole might still be JSON but for its end.
  ['ends early', (row, at) => (at > 4 && depthAt(row, at) === 1 ? row.slice(0, at) : null)],
];

function depthAt(row: string, at: number): number {
  const before = row.slice(0, at).replace(/"(?:[^"\\]|\\.)*("|$)/g, '');
  return [...before].reduce((depth, sign) => depth + ('{['.includes(sign) ? 1 : '}]'.includes(sign) ? -1 : 0), 0);
}

describe('datasets: one broken row', () => {
  for (const layout of layouts) {
    for (const [fault, breakRow] of faults) {
      it(`${layout.name}: a row that ${fault}`, () => {
        fc.assert(
          fc.property(fc.nat(11), fc.nat(), (broken, seed) => {
            const rows = Array.from({ length: 12 }, (_, index) => layout.row(index));
            const faulty = breakRow(rows[broken]!, seed % rows[broken]!.length);
            fc.pre(faulty !== null);
            // A first row that is not closed takes all others in: there is none left to tell what rows look like.
            fc.pre(!(layout.name.includes('by their ids') && broken === 0 && /early|loses/.test(fault)));
            // What begins with a text in quotes is no JSON of rows to anybody.
            fc.pre(!(layout.name.startsWith('objects') && broken === 0 && !faulty!.startsWith('{')));
            // Without its last bracket it takes the rows behind it in as its own members.
            const isOpen = faulty === rows[broken]!.slice(0, -1) || faulty!.replace('Kim"', 'Kim"}') === rows[broken];
            fc.pre(!(isOpen && layout.name.includes('by their ids')));
            let isStillJson = true;
            try {
              JSON.parse(layout.file(rows.with(broken, faulty)));
            } catch {
              isStillJson = false;
            }
            fc.pre(!isStillJson);
            const dataset = open(layout.file(rows.with(broken, faulty)));
            const texts = dataset.examples.map(({ text }) => text);
            for (let index = 0; index < rows.length; index++) {
              if (index === broken) continue;
              assert.ok(texts.includes(sentence(index)), `row ${index} is lost, row ${broken} is ${faulty}`);
            }
            assert.ok(dataset.findings.length > 0 || dataset.examples.length >= rows.length, 'nothing is told');
          }),
          { numRuns: 100 },
        );
      });
    }
  }
});
