import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OutputClosed } from '../../../src/cli/io';
import type { FileRange, Finding, Span } from '../../../src/protocol/dataset';
import { run } from './run-in-process';

declare const ASSAY_ROOT: string;

/** One line of `assay read`. */
interface ReadLine {
  id: string;
  text: string;
  gold: string | null;
  spans: { head: Span; tail: Span } | null;
  mentions: { head: Span[]; tail: Span[] } | null;
  range: FileRange;
}

function jsonLines<T>(stdout: string): T[] {
  return stdout === ''
    ? []
    : stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as T);
}

describe('cli: read', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'assay-read-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  function file(name: string, content: string | Uint8Array): string {
    const absolute = path.join(folder, name);
    writeFileSync(absolute, content);
    return absolute;
  }

  it('reads Parquet as its rows, with the columns that are named', async () => {
    const { code, stdout, stderr } = await run(['read', 'samples/reviews.parquet']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Parquet, text \+ label/);
    const lines = jsonLines<ReadLine>(stdout);
    assert.equal(lines.length, 73);
    assert.equal(lines[3]!.id, 's04');
    assert.equal(lines[3]!.gold, 'negative');
    assert.equal(lines[3]!.range.startLine, 3);
    const other = await run(['read', 'samples/reviews.parquet', '--columns', 'text=id,gold=label']);
    assert.equal(jsonLines<ReadLine>(other.stdout)[3]!.text, 's04');
  });

  it('says where most entities do not fit their names, and nothing of names that stand in no text', async () => {
    const row = (from: number, to: number, name: string) => ({
      text: 'Ann met Bo Lee in Rome',
      h: { name, pos: [from, to] },
      t: { name: 'Rome', pos: [18, 22] },
      relation: 'met',
    });
    const lines = (...rows: object[]) => rows.map((each) => `${JSON.stringify(each)}\n`).join('');
    const noteOf = async (...rows: object[]) => {
      const { stderr } = await run(['read', file('named.jsonl', lines(...rows))]);
      return stderr.split('\n').filter((line) => line.startsWith('in '));
    };
    const right = row(8, 14, 'Bo Lee');
    assert.deepEqual(await noteOf(right, right, row(8, 13, 'Bo Lee')), []);
    const [ends, ...more] = await noteOf(right, row(8, 13, 'Bo Lee'), row(0, 2, 'Ann'));
    assert.match(ends!, /^in 2 of 3 examples an entity ends one off its name: .*\(assay check says which\)$/);
    assert.deepEqual(more, []);
    const [elsewhere] = await noteOf(row(2, 4, 'Bo Lee'), right);
    assert.match(elsewhere!, /^in 1 of 2 examples an entity is not where its name stands: /);
    assert.deepEqual(await noteOf(row(8, 14, 'Robert Lee'), row(0, 3, 'Annabel')), []);
  });

  it('prints every example of a sample with its row’s range', async () => {
    const { code, stdout, stderr } = await run(['read', 'samples/relations.jsonl']);
    assert.equal(code, 0, stderr);
    const source = readFileSync(path.join(ASSAY_ROOT, 'samples/relations.jsonl'), 'utf8').trimEnd().split('\n');
    const lines = jsonLines<ReadLine>(stdout);
    assert.equal(lines.length, source.length);
    for (const [index, line] of lines.entries()) {
      const row = JSON.parse(source[index]!) as { token: string[]; h: { name: string }; relation: string };
      assert.deepEqual(Object.keys(line), ['id', 'text', 'gold', 'spans', 'mentions', 'range']);
      assert.equal(line.text, row.token.join(' '));
      assert.equal(line.gold, row.relation);
      assert.equal(line.text.slice(line.spans!.head.start, line.spans!.head.end), row.h.name);
      assert.equal(line.mentions, null);
      assert.deepEqual(line.range, { startLine: index, startChar: 0, endLine: index, endChar: source[index]!.length });
    }
    assert.match(stderr, /JSON Lines, token \+ h \+ t \+ relation, UTF-8; relation, .*; \d+ % sure/);
    assert.match(stderr, /^78 examples, 0 unreadable rows$/m);
    assert.match(stderr, /^labels: .*Other \(\d+\)/m);
  });

  it('gives rows of several lines their whole range, and the text without quotes', async () => {
    const source = file('lines.csv', 'text,label\n"a ""b""\nc",1\nd e f,0\n');
    const lines = jsonLines<ReadLine>((await run(['read', source])).stdout);
    assert.deepEqual(
      lines.map(({ text, gold, range }) => ({ text, gold, range })),
      [
        { text: 'a "b"\nc', gold: '1', range: { startLine: 1, startChar: 0, endLine: 2, endChar: 4 } },
        { text: 'd e f', gold: '0', range: { startLine: 3, startChar: 0, endLine: 3, endChar: 7 } },
      ],
    );
  });

  it('tells unreadable rows on stderr, and with --findings as JSON too', async () => {
    const rows = [
      '{"text":"a b","label":"x"}',
      '{"text":"c d","label":',
      '{"text":"e f","label":["x","y"]}',
      '{"text":"g h","label":"y"}',
    ];
    const source = file('broken.jsonl', rows.join('\n'));
    const plain = await run(['read', source]);
    assert.equal(plain.code, 0);
    assert.equal(jsonLines(plain.stdout).length, 3);
    assert.match(plain.stderr, /^3 examples, 1 unreadable row$/m);
    assert.match(plain.stderr, /broken\.jsonl:2: Not valid JSON/);

    const told = await run(['read', source, '--findings']);
    const findings = jsonLines<Finding>(told.stdout).slice(3);
    assert.deepEqual(
      findings.map(({ code, severity, range }) => [code, severity, range.startLine]),
      [
        ['assay/unreadable-row', 'error', 1],
        ['assay/unreadable-row', 'warning', 2],
      ],
    );
    for (const finding of findings) assert.deepEqual(Object.keys(finding), ['code', 'severity', 'message', 'range']);
  });

  it('counts what is left out of rows that are read, and tells it in the order of the file', async () => {
    const row = (labels: object[]) =>
      JSON.stringify({
        title: 'Ann',
        sents: [['Ann', 'lives', 'in', 'Rome', '.']],
        vertexSet: [
          [{ name: 'Ann', sent_id: 0, pos: [0, 1], type: 'PER' }],
          [
            { name: 'Rome', sent_id: 0, pos: [3, 9], type: 'LOC' },
            { name: 'Rome', sent_id: 0, pos: [3, 4], type: 'LOC' },
          ],
        ],
        labels,
      });
    const good = { h: 0, t: 1, r: 'lives in', evidence: [0] };
    const source = file(
      'left-out.json',
      `[${row([good, { ...good, t: 7 }, good])},\n${row([{ ...good, h: 5 }, good])}]`,
    );
    const { stdout, stderr } = await run(['read', source, '--findings']);
    const findings = jsonLines<Finding | ReadLine>(stdout).filter((line): line is Finding => 'code' in line);
    const errors = findings.filter(({ severity }) => severity === 'error');
    assert.equal(errors.length, 2);
    assert.match(stderr, /, 0 unreadable rows, 2 errors in rows that are read otherwise\n/);
    const places = findings.map(({ range }) => [range.startLine, range.startChar]);
    assert.deepEqual(
      places,
      places.toSorted(([a, b], [c, d]) => a! - c! || b! - d!),
    );
    assert.ok(findings.length > 2);
  });

  it('takes the columns that are named', async () => {
    const source = file('columns.csv', 'text,title,stars\nlong text here,a title,5\nother text here,b title,1\n');
    const { stdout, stderr } = await run(['read', source, '--columns', 'text=title,label=']);
    assert.deepEqual(
      jsonLines<ReadLine>(stdout).map(({ text, gold }) => [text, gold]),
      [
        ['a title', null],
        ['b title', null],
      ],
    );
    assert.match(stderr, /sentiment, text in title; 100 % sure/);
    assert.match(stderr, /^labels: the file has none$/m);
  });

  it('names relation ids by a file beside the dataset, or the one that is named', async () => {
    const [first] = jsonLines<ReadLine>((await run(['read', 'samples/relations.fewrel.json'])).stdout);
    assert.equal(first!.gold, 'Component-Whole(e1,e2)');
    const names = file('any.json', '{"R03": ["whole and part", "…"], "0": "bad", "1": "good"}');
    const { code, stdout, stderr } = await run(['read', 'samples/relations.fewrel.json', '--labels', names]);
    assert.equal(code, 0, stderr);
    const golds = jsonLines<ReadLine>(stdout).map(({ gold }) => gold);
    assert.equal(golds[0], 'whole and part');
    assert.equal(golds[5], 'Content-Container(e1,e2)');
    assert.match(stderr, /labels named in any\.json, pid2name\.json/);
    const stars = await run([
      'read',
      file('stars.csv', 'text,label\na fine film,1\na dull film,0\n'),
      '--labels',
      names,
    ]);
    assert.deepEqual(
      jsonLines<ReadLine>(stars.stdout).map(({ gold }) => gold),
      ['good', 'bad'],
    );
    for (const [map, message] of [
      [file('list.json', '["crosses"]'), /list\.json does not name labels: --labels takes a JSON object/],
      ['none.json', /none\.json: there is no such file/],
    ] as const) {
      const refused = await run(['read', 'samples/relations.fewrel.json', '--labels', map]);
      assert.equal(refused.code, 3);
      assert.match(refused.stderr, message);
    }
  });

  it('reads annotations beside their text', async () => {
    const { stdout, stderr } = await run(['read', 'samples/relations.brat.txt']);
    assert.equal(jsonLines<ReadLine>(stdout).length, 13, stderr);
    const annotations = await run(['read', 'samples/relations.brat.ann']);
    assert.equal(annotations.code, 3);
    assert.match(annotations.stderr, /stands in relations\.brat\.txt\. Open that/);
  });

  it('tells the other parts of the dataset', async () => {
    file('film.train.csv', 'text,label\ngood film,1\nbad film,0\n');
    const source = file('film.test.csv', 'text,label\nfine film,1\npoor film,0\n');
    const { stderr } = await run(['read', source]);
    assert.match(stderr, /^the test part of a dataset; beside it train in film\.train\.csv$/m);
  });

  it('writes lone surrogates and control characters as escapes', async () => {
    const source = file('odd.jsonl', '{"text":"a \\ud83d b","label":"x"}\n{"text":"c \\u0000","label":"y"}\n');
    const { stdout } = await run(['read', source]);
    assert.match(stdout, /a \\ud83d b/);
    assert.match(stdout, /c \\u0000/);
  });

  it('answers what cannot be read with exit code 3, and a wrong command line with 2', async () => {
    const unreadable = file('none.csv', 'id,text,label\n1,2\n3,4\n');
    for (const [args, code, message] of [
      [['read', 'samples/nothing.csv'], 3, /there is no such file/],
      [['read', file('prose.txt', 'Dear all,\n\nthe meeting is at ten.\n')], 3, /prose\.txt: /],
      [['read', unreadable], 3, /none\.csv: /],
      [['read'], 2, /read: name the dataset file/],
      [['read', 'a', 'b'], 2, /read: one file at a time/],
      [['read', 'a', '--model', 'x'], 2, /read: Unknown option '--model'/],
    ] as const) {
      const result = await run([...args]);
      assert.equal(result.code, code, result.stderr);
      assert.equal(result.stdout, '');
      assert.match(result.stderr, message);
      assert.doesNotMatch(result.stderr, /fault of Assay/);
    }
  });

  it('tells what to do with a folder of texts', async () => {
    const source = path.join(folder, 'aclImdb');
    assert.match((await run(['read', folder])).stderr, /this is a folder, not a dataset file\. Name a file in it/);
    for (const name of ['neg/1.txt', 'neg/2.txt', 'pos/1.txt', 'pos/2.txt']) {
      mkdirSync(path.dirname(path.join(source, name)), { recursive: true });
      writeFileSync(path.join(source, name), 'A text.\n');
    }
    const { code, stderr } = await run(['read', source]);
    assert.equal(code, 3);
    assert.match(
      stderr,
      /a folder with a \.txt file a text, whose labels are its folders \(neg, pos\).*"label": "neg"/,
    );
  });

  it('writes a large file in pieces, and stops when nobody reads on or when it is interrupted', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => ({ text: `a film of number ${index}`, label: 'x' }));
    const source = file('large.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    let pieces: string[] = [];
    const all = await run(['read', source], { write: async (text) => void pieces.push(text) });
    assert.equal(all.code, 0);
    assert.ok(pieces.length > 3);
    assert.equal(jsonLines(pieces.join('')).length, 5000);

    pieces = [];
    const closed = await run(['read', source], {
      write: async (text) => {
        pieces.push(text);
        throw new OutputClosed();
      },
    });
    assert.equal(closed.code, 0);
    assert.equal(pieces.length, 1);

    const interruption = new AbortController();
    pieces = [];
    const interrupted = await run(['read', source], {
      write: async (text) => {
        pieces.push(text);
        interruption.abort();
      },
      signal: interruption.signal,
    });
    assert.equal(interrupted.code, 130);
    assert.equal(pieces.length, 1);
    assert.match(interrupted.stderr, /interrupted/);
  });
});
