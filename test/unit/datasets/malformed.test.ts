import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readCompanions } from '../../../src/engine/datasets/companion-files';
import type { Example } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import type { Finding } from '../../../src/protocol/dataset';
import { open, refusal, rows } from './opening';

declare const ASSAY_ROOT: string;

const folder = path.join(ASSAY_ROOT, 'test/fixtures/malformed');

/** What must be read of a file in the folder, and what must be told. */
type Malformed =
  | {
      file: string;
      /** Text and label of each example, then what stands at head and tail, or at the aspect. */
      rows: (string | null)[][];
      /** `line:column severity code: a part of the message`, both counted from 1. */
      findings: string[];
      badBytes?: number;
    }
  /** The file is no dataset; a part of the message. */
  | { file: string; refused: string };

const malformed = readFileSync(`${folder}.expected.jsonl`, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Malformed);

/** Text and label, then what stands at head and tail, or at the aspect. */
function rowOf({ text, gold, spans, aspect }: Example): (string | null)[] {
  const marked = [spans?.head, spans?.tail, aspect].filter((span) => span != null);
  return [text, gold, ...marked.map(({ start, end }) => text.slice(start, end))];
}

/** As it is listed: line, column, severity and code, and of the message as much as is `told`. */
function inWords({ code, severity, message, range }: Finding, told: string | undefined): string {
  const place = `${range.startLine + 1}:${range.startChar + 1} ${severity} ${code.replace('assay/', '')}`;
  const reason = told?.slice(told.indexOf(': ') + 2);
  return `${place}: ${reason !== undefined && message.includes(reason) ? reason : message}`;
}

async function check(expected: Malformed): Promise<void> {
  const bytes = readFileSync(path.join(folder, expected.file));
  if ('refused' in expected) {
    const message = refusal(bytes, expected.file);
    assert.ok(message.includes(expected.refused), message);
    return;
  }
  const companions = await readCompanions(path.join(folder, expected.file));
  const document = DatasetDocument.open({ name: expected.file, bytes, companions });
  assert.deepEqual(document.examples.map(rowOf), expected.rows);
  assert.deepEqual(
    document.findings.map((finding, index) => inWords(finding, expected.findings[index])),
    expected.findings,
  );
  assert.equal(document.info.badBytes, expected.badBytes ?? 0);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What the README says of a file in its last two columns. */
function summaryOf(expected: Malformed): [read: string, told: string] {
  if ('refused' in expected) return ['refused', ''];
  const errors = expected.findings.filter((finding) => / error /.test(finding)).length;
  const warnings = expected.findings.length - errors;
  const told = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(expected.badBytes === undefined ? [] : [counted(expected.badBytes, 'bad byte')]),
  ];
  return [counted(expected.rows.length, 'example'), told.length === 0 ? 'none' : told.join(', ')];
}

describe('datasets: malformed files', () => {
  for (const expected of malformed) {
    it(`are read as far as they go, and told: ${expected.file}`, () => check(expected));
  }

  it('are all listed, and in the README with the same counts', () => {
    const files = readdirSync(folder).filter((name) => name !== 'README.md');
    assert.deepEqual(files.sort(), malformed.map(({ file }) => file).sort());
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
    const listed = [...readme.matchAll(/^\| `(.+?)` \| (.+) \| (.+?) \|(?: (.*))? \|$/gm)];
    assert.deepEqual(
      listed.map(([, file, , read, told]) => [file, read, told ?? '']),
      malformed.map((expected) => [expected.file, ...summaryOf(expected)]),
    );
  });
});

const deep = 100_000;
const brackets = `${'['.repeat(deep)}${']'.repeat(deep)}`;
const warm = '{"text":"A warm film.","label":"pos"}';
const cold = '{"text":"A cold film.","label":"neg"}';
const warmAndCold = [
  ['A warm film.', 'pos'],
  ['A cold film.', 'neg'],
];
const tree = (word: string) => `(3 (2 A) (3 (2 ${word}) (2 film.)))\n`;
const sentence = (text: string, more = '') =>
  `<sentence><text>${text}</text>${more}<aspectTerms><aspectTerm term="film" polarity="pos" from="7" to="11"/></aspectTerms></sentence>\n`;
const semeval = (text: string) => `1\t"A <e1>film</e1> of <e2>${text}</e2>"\nOther\n\n`;

/** What is read of a document between, or besides, two plain rows; and how often something is told. */
const large: [name: string, text: string, others: number, told: number][] = [
  ['JSON Lines, nested and closed', `${warm}\n{"text":"Deep.","deep":${brackets}}\n${cold}\n`, 1, 0],
  ['JSON Lines, nested and not closed', `${warm}\n{"text":"Deep.","deep":${'['.repeat(deep)}\n${cold}\n`, 0, 1],
  ['JSON Lines, objects nested', `${warm}\n{"text":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}}\n${cold}\n`, 0, 1],
  ['JSON Lines, lists for tokens', `${warm}\n{"text":${brackets},"label":"pos"}\n${cold}\n`, 0, 1],
  ['JSON Lines, a text of 10 MB', `${warm}\n{"text":"${'long '.repeat(2_000_000)}"}\n${cold}\n`, 1, 0],
  ['JSON Lines, 10 MB of escapes', `${warm}\n{"text":"${'\\u00e9'.repeat(1_700_000)}"}\n${cold}\n`, 1, 0],
  ['JSON Lines, 10 MB not closed', `${warm}\n{"text":"${'long '.repeat(2_000_000)}\n${cold}\n`, 0, 1],
  ['JSON Lines, an unknown key of 10 MB', `${warm}\n{"${'k'.repeat(10_000_000)}":1,"text":"Odd."}\n${cold}\n`, 1, 0],
  ['a JSON list, nested and closed', `[${warm},{"text":"Deep.","deep":${brackets}},${cold}]`, 1, 0],
  ['a JSON list, nested and not closed', `[\n${warm},\n${cold},\n{"text":"Deep.","deep":${'['.repeat(deep)}\n]`, 0, 1],
  ['a JSON list, a text of 10 MB', `[${warm},{"text":"${'long '.repeat(2_000_000)}"},${cold}]`, 1, 0],
  [
    'a table, a field of 10 MB',
    `text,label\nA warm film.,pos\n${'long '.repeat(2_000_000)},x\nA cold film.,neg\n`,
    1,
    0,
  ],
  [
    'a table, quoted lines of 10 MB',
    `text,label\nA warm film.,pos\n"${'long\n'.repeat(180_000)}",x\nA cold film.,neg\n`,
    1,
    0,
  ],
  ['a table, 10 MB of commas', `text,label\nA warm film.,pos\n${','.repeat(10_000_000)}\nA cold film.,neg\n`, 1, 0],
  [
    'a table, 10 MB of commas and a word',
    `text,label\nA warm film.,pos\n${','.repeat(10_000_000)}x\nA cold film.,neg\n`,
    0,
    1,
  ],
];

/** As above, of formats with other plain rows: whatever is odd, the two that stand around it are read. */
const others: [name: string, text: string, first: string, last: string][] = [
  [
    'trees, nested',
    `${tree('warm')}${'(2 '.repeat(deep)}x${')'.repeat(deep)}\n${tree('cold')}`,
    'A warm film.',
    'A cold film.',
  ],
  ['trees, not closed', `${tree('warm')}${'(2 '.repeat(deep)}\n${tree('cold')}`, 'A warm film.', 'A cold film.'],
  [
    'trees, a line of 10 MB',
    `${tree('warm')}(2 ${'long '.repeat(2_000_000)})\n${tree('cold')}`,
    'A warm film.',
    'A cold film.',
  ],
  [
    'XML, nested',
    `<sentences>\n${sentence('A warm film.')}${sentence('A deep film.', '<a>'.repeat(deep) + '</a>'.repeat(deep))}${sentence('A cold film.')}</sentences>`,
    'A warm film.',
    'A cold film.',
  ],
  [
    'XML, not closed',
    `<sentences>\n${sentence('A warm film.')}${sentence('A deep film.', '<a>'.repeat(deep))}${sentence('A cold film.')}</sentences>`,
    'A warm film.',
    'A cold film.',
  ],
  [
    'XML, a text of 10 MB',
    `<sentences>\n${sentence('A warm film.')}${sentence('long '.repeat(2_000_000))}${sentence('A cold film.')}</sentences>`,
    'A warm film.',
    'A cold film.',
  ],
  [
    'SemEval-2010, a sentence of 10 MB',
    `${semeval('joy')}${semeval('long '.repeat(2_000_000))}${semeval('war')}`,
    'A film of joy',
    'A film of war',
  ],
  [
    'SemEval-2010, 10 MB of markers',
    `${semeval('joy')}${semeval('<e1>'.repeat(2_500_000))}${semeval('war')}`,
    'A film of joy',
    'A film of war',
  ],
  [
    'fastText, 10 MB of labels',
    `__label__pos A warm film.\n${'__label__x '.repeat(900_000)}\n__label__neg A cold film.\n`,
    'A warm film.',
    'A cold film.',
  ],
  [
    'FewRel, nested',
    `{"P1":[{"tokens":["warm"],"h":["a","b",[[0]]],"t":["a","b",[[0]]]},\n{"tokens":${brackets},"h":[],"t":[]},\n{"tokens":["cold"],"h":["a","b",[[0]]],"t":["a","b",[[0]]]}]}`,
    'warm',
    'cold',
  ],
  [
    'FewRel, a key nested',
    `{"P1":[{"tokens":["warm"],"h":["a","b",[[0]]],"t":["a","b",[[0]]]},\n{"tokens":["cold"],"h":["a","b",[[0]]],"t":["a","b",[[0]]]}],"P2":${'{"a":'.repeat(deep)}`,
    'warm',
    'cold',
  ],
];

describe('datasets: malformed files too large to keep', function () {
  this.timeout(20_000);

  for (const [name, text, more, told] of large) {
    it(`are read in time: ${name}`, () => {
      const document = open(text);
      assert.deepEqual(
        rows(document).filter(([each]) => warmAndCold.some(([known]) => known === each)),
        warmAndCold,
      );
      assert.equal(document.examples.length, 2 + more);
      assert.equal(document.findings.length, told);
      for (const { range, message } of document.findings) {
        assert.ok(message.length < 400, `${message.length} characters`);
        assert.ok(range.startLine >= 0 && range.endLine < document.lines.lineCount);
      }
    });
  }

  for (const [name, text, first, last] of others) {
    it(`are read in time: ${name}`, () => {
      const document = open(text);
      assert.equal(document.examples[0]?.text, first);
      assert.equal(document.examples.at(-1)?.text, last);
      for (const { message } of document.findings) assert.ok(message.length < 400, `${message.length} characters`);
    });
  }
});
