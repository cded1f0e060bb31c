import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import Papa from 'papaparse';
import {
  type Dialect,
  fieldText,
  fieldValue,
  nextRecord,
  recordFields,
} from '../../../src/engine/datasets/delimited-scanner';
import { toDocument } from '../../../src/engine/text/offset-map';
import { at, open, rows, spanTexts, written } from './opening';

/** The cells of a text, as the scanner finds them. */
function cells(text: string, dialect: Dialect): string[][] {
  const found: string[][] = [];
  for (let record = nextRecord(text, 0, dialect); record !== null; record = nextRecord(text, record.next, dialect)) {
    found.push(recordFields(text, record.start, record.end, dialect).map((field) => fieldValue(text, field, dialect)));
  }
  return found;
}

const csv: Dialect = { delimiter: ',', quotes: true };

describe('datasets: CSV and TSV', () => {
  it('reads quotes as RFC 4180 says, fields over several lines, and quotes in the middle as they are', () => {
    assert.deepEqual(cells('a,"b ""c"", d","e\r\nf"\r\ng,h "i" j,"k" l\n,,\n"",x', csv), [
      ['a', 'b "c", d', 'e\r\nf'],
      ['g', 'h "i" j', 'k l'],
      ['', '', ''],
      ['', 'x'],
    ]);
  });

  for (const [name, separator, detail] of [
    ['comma', ',', 'CSV, header'],
    ['semicolon', ';', 'CSV, ";", header'],
    ['tab', '\t', 'TSV, header'],
    ['pipe', '|', 'CSV, "|", header'],
  ] as const) {
    it(`finds the delimiter: ${name}`, () => {
      const lines = ['sentence@label', 'a fine, warm film@pos', 'dull; and long@neg', 'fine@pos'];
      const quoted = lines.map((line) =>
        line
          .split('@')
          .map((cell) => (cell.includes(separator) ? `"${cell}"` : cell))
          .join(separator),
      );
      const document = open(quoted.join('\n'));
      assert.equal(document.info.formatDetail, detail);
      assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'sentence', gold: 'label' });
      assert.deepEqual(rows(document), [
        ['a fine, warm film', 'pos'],
        ['dull; and long', 'neg'],
        ['fine', 'pos'],
      ]);
    });
  }

  it('reads a file without header by its values', () => {
    const document = open(
      '1,"a fine, warm film"\n0,dull and much too long\n1,warm and funny\n0,nothing happens here\n',
    );
    assert.deepEqual(document.info.columns, { task: 'sentiment', text: '#2', gold: '#1' });
    assert.equal(document.info.formatDetail, 'CSV, no header');
    assert.deepEqual(rows(document)[0], ['a fine, warm film', '1']);
    assert.deepEqual(document.info.candidates, [
      { name: '#1', examples: ['1', '0'] },
      { name: '#2', examples: ['a fine, warm film', 'dull and much too long', 'warm and funny'] },
    ]);
    const words = open('positive;a fine film it is\nnegative;dull and too long\npositive;a warm film it is\n');
    assert.deepEqual(words.info.columns, { task: 'sentiment', text: '#2', gold: '#1' });
    assert.equal(words.examples.length, 3);
  });

  it('reads \\r\\n and \\r line ends, and knows the fields in the document', () => {
    for (const newline of ['\r\n', '\r']) {
      const document = open(['text,label', '"so ""good"" it is",pos', '"over', 'two lines",neg', ''].join(newline));
      const [first, second] = document.examples;
      assert.equal(first!.text, 'so "good" it is');
      assert.equal(written(document, first!, { start: 3, end: 9 }), '""good""');
      assert.equal(at(document, document.fieldRange(first!, first!.textField)), '"so ""good"" it is"');
      assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), 'pos');
      assert.equal(second!.text, `over${newline}two lines`);
      assert.deepEqual(document.recordRange(second!), { startLine: 2, startChar: 0, endLine: 3, endChar: 14 });
      assert.deepEqual(document.examplesBetween(3, 4), { from: 1, to: 2 });
    }
  });

  it('names repeated and empty headers by their number', () => {
    const document = open('text,label,text,\nfine film,pos,x,y\ndull film,neg,z,w\n');
    assert.deepEqual(
      document.info.candidates.map(({ name }) => name),
      ['text', 'label', '#3', '#4'],
    );
    assert.deepEqual(rows(document)[0], ['fine film', 'pos']);
  });

  it('never makes a column an object key', () => {
    const document = open('text,__proto__,constructor\nfine film,pos,a\ndull film,neg,b\n', {
      task: 'sentiment',
      text: 'text',
      gold: '__proto__',
    });
    assert.deepEqual(rows(document), [
      ['fine film', 'pos'],
      ['dull film', 'neg'],
    ]);
    const labels = open('text,label\nfine film,__proto__\ndull film,constructor\nok film,__proto__\n');
    assert.deepEqual(labels.info.labels, [
      { label: '__proto__', count: 2 },
      { label: 'constructor', count: 1 },
    ]);
  });

  it('says which rows have another number of fields, and reads what can be read', () => {
    const document = open(
      'id,text,label,source\n1,fine film,pos,web\n2,nice, really,pos,web\n3,dull film,neg\n4,bad\n5,ok film,pos,web,,\n',
    );
    assert.deepEqual(rows(document), [
      ['fine film', 'pos'],
      ['dull film', 'neg'],
      ['ok film', 'pos'],
    ]);
    assert.deepEqual(
      document.findings.map(({ severity, range, message }) => [severity, range.startLine, message.slice(0, 25)]),
      [
        ['error', 2, 'The row has 5 fields, not'],
        ['warning', 3, 'The row has 3 fields, not'],
        ['error', 4, 'The row has 2 fields, not'],
      ],
    );
    assert.equal(document.info.unreadableCount, 2);
  });

  it('reads the rows that fit, however few, below a header that says what they are', () => {
    const document = open(`text,label\n${'no, quotes,pos\n'.repeat(20)}fine film,pos\n`);
    assert.deepEqual(rows(document), [['fine film', 'pos']]);
    assert.equal(document.findings.length, 20);
    assert.match(document.findings[0]!.message, /is a "," in a text that is not quoted\?/);
  });

  it('goes on at the next line behind a quote that nothing closes', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `film number ${index} is fine,pos`);
    lines[10] = '"stray quote here,neg';
    lines[20] = 'he said "hi" to me,neg';
    lines[30] = '"another, with ""more"" in it,neg';
    const document = open(`text,label\n${lines.join('\n')}\n`);
    assert.equal(document.examples.length, 39);
    assert.equal(document.examples[10]!.text, '"stray quote here');
    assert.equal(document.examples[20]!.text, 'he said "hi" to me');
    assert.deepEqual(
      document.findings.map(({ range, severity }) => [range.startLine, severity]),
      [
        [11, 'warning'],
        [31, 'warning'],
        [31, 'error'],
      ],
    );
  });

  it('takes quotes of a tab-separated file as they come, unless they quote', () => {
    const asTheyCome = open(
      'sentence\tlabel\n"rollicking" fun for all\t1\n"a mess\t0\n" quite good "\t1\nplain text\t0\n',
    );
    assert.deepEqual(
      rows(asTheyCome).map(([text]) => text),
      ['"rollicking" fun for all', '"a mess', '" quite good "', 'plain text'],
    );
    assert.deepEqual(asTheyCome.findings, []);
    const quoting = open('sentence\tlabel\n"so ""good"" it is"\t1\n"over\ntwo lines"\t0\nplain text\t1\n');
    assert.deepEqual(
      rows(quoting).map(([text]) => text),
      ['so "good" it is', 'over\ntwo lines', 'plain text'],
    );
    const everywhere = open('"sentence"\t"label"\n"fine film"\t"1"\n"dull film"\t"0"\n');
    assert.deepEqual(rows(everywhere), [
      ['fine film', '1'],
      ['dull film', '0'],
    ]);
  });

  it('reads relations from entity columns, by words or by offsets', () => {
    const words = open('sentence,head,tail,relation\nAda met Bo,Ada,Bo,met\n"Cy, of Rome",Cy,Rome,from\n');
    assert.deepEqual(words.info.columns, {
      task: 'relation',
      text: 'sentence',
      gold: 'relation',
      head: 'head',
      tail: 'tail',
    });
    assert.deepEqual(spanTexts(words.examples[1]!), { head: 'Cy', tail: 'Rome' });
    const offsets = open(
      'sentence,e1_start,e1_end,e2_start,e2_end,e1_type,e2_type,relation\n😀 Ada met Bo,2,5,10,12,PER,PER,met\nAda met Bo,0,3,8,99,PER,PER,met\nAda met Bo,0,x,8,10,PER,PER,met\n',
    );
    assert.deepEqual(spanTexts(offsets.examples[0]!), { head: 'Ada', tail: 'Bo' });
    assert.deepEqual(offsets.examples[0]!.types, { head: 'PER', tail: 'PER' });
    assert.deepEqual(
      offsets.findings.map(({ code, range }) => [code, range.startLine]),
      [
        ['assay/span-out-of-bounds', 2],
        ['assay/unreadable-row', 3],
      ],
    );
    assert.match(offsets.findings[0]!.message, /^tail ends at character 99, the text has 10 characters\./);
  });

  it('agrees with PapaParse on what PapaParse writes, and maps every cell (property)', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '"', '""', ',', ';', '\t', '\n', '\r\n', '\r', 'é', '😀', '0'),
      maxLength: 6,
    });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    const options = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      newline: fc.constantFrom('\n', '\r\n', '\r'),
      quotes: fc.boolean(),
    });
    fc.assert(
      fc.property(table, options, (data, { delimiter, newline, quotes }) => {
        const text = Papa.unparse(data, { delimiter, newline, quotes });
        const parsed = Papa.parse<string[]>(text, { delimiter, newline });
        const dialect = { delimiter, quotes: true };
        assert.deepEqual(parsed.data, data, 'the oracle does not read what it writes');
        assert.deepEqual(cells(text, dialect), data);
        for (
          let record = nextRecord(text, 0, dialect);
          record !== null;
          record = nextRecord(text, record.next, dialect)
        ) {
          for (const field of recordFields(text, record.start, record.end, dialect)) {
            const value = fieldText(text, field, 0, dialect);
            assert.equal(value.text, fieldValue(text, field, dialect));
            for (let end = 1; end <= value.text.length; end++) {
              const range = toDocument(value.map, end - 1, end);
              assert.equal(text.slice(range.start, range.end).replaceAll('""', '"'), value.text.slice(end - 1, end));
            }
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  describe('quotes that are escaped by backslashes', () => {
    it('is told by the content, undone in the text, and mapped', () => {
      const document = open(
        'text,label\n"he said \\"hi\\" to me",pos\n"a bad, film",neg\n"a \\\\ and a \\n",pos\n"at the end \\"",neg\n"""doubled"" too",neg\n\\"bare\\" \\x,pos\n',
      );
      assert.equal(document.info.formatDetail, 'CSV, header, quotes escaped by backslashes');
      assert.deepEqual(rows(document), [
        ['he said "hi" to me', 'pos'],
        ['a bad, film', 'neg'],
        ['a \\ and a \\n', 'pos'],
        ['at the end "', 'neg'],
        ['"doubled" too', 'neg'],
        ['"bare" \\x', 'pos'],
      ]);
      assert.deepEqual(document.findings, []);
      const [first] = document.examples;
      assert.equal(written(document, first!, { start: 8, end: 12 }), '\\"hi\\"');
      assert.equal(written(document, first!, { start: 9, end: 11 }), 'hi');
    });

    it('is no habit of texts that end in a backslash, or hold one before a doubled quote', () => {
      const document = open('text,label\n"the folder C:\\",pos\n"a \\""file\\"" there",neg\n"and, one more",pos\n');
      assert.equal(document.info.formatDetail, 'CSV, header');
      assert.deepEqual(rows(document), [
        ['the folder C:\\', 'pos'],
        ['a \\"file\\" there', 'neg'],
        ['and, one more', 'pos'],
      ]);
    });

    it('reads and maps whatever is written so (property)', () => {
      const cell = fc.string({
        unit: fc.constantFrom('a', 'b', ' ', '"', '\\', ',', '\n', '\r\n', '\t', 'é', '😀'),
        maxLength: 8,
      });
      const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 6 });
      fc.assert(
        fc.property(table, fc.constantFrom(',', ';', '\t'), (data, delimiter) => {
          const field = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;
          const text = data.map((record) => record.map(field).join(delimiter)).join('\n');
          const dialect = { delimiter, quotes: true, backslash: true };
          assert.deepEqual(cells(text, dialect), data);
          for (
            let record = nextRecord(text, 0, dialect);
            record !== null;
            record = nextRecord(text, record.next, dialect)
          ) {
            for (const each of recordFields(text, record.start, record.end, dialect)) {
              const value = fieldText(text, each, 0, dialect);
              for (let end = 1; end <= value.text.length; end++) {
                const unit = value.text.slice(end - 1, end);
                const range = toDocument(value.map, end - 1, end);
                assert.equal(text.slice(range.start, range.end), /["\\]/.test(unit) ? `\\${unit}` : unit);
              }
            }
          }
        }),
        { numRuns: 500 },
      );
    });
  });

  describe('very long quoted fields', () => {
    const long = 'word '.repeat(400_000);
    it('are read, on one line and over several', () => {
      for (const content of [
        long,
        long.replaceAll('word word word word ', 'word, word\nword\nword\n'),
        `${long}""quoted""`,
      ]) {
        const document = open(`text,label\n"a fine film",pos\n"${content}",neg\n"a bad film",neg\n`);
        assert.deepEqual(document.findings, []);
        assert.equal(document.examples.length, 3);
        assert.equal(document.examples[1]!.text, content.replaceAll('""', '"'));
      }
    });

    it('are none where a stray quote stands before rows', () => {
      const body = Array.from({ length: 80_000 }, (_, row) => `row ${row} was fine,pos\n`).join('');
      const document = open(`text,label\n"stray one,neg\n${body}"the last, in quotes",neg\n${body}`);
      assert.equal(document.examples.length, 160_002);
      assert.deepEqual(
        document.findings.map(({ code, range }) => [code, range.startLine]),
        [['assay/unreadable-row', 1]],
      );
    });
  });

  it('cuts any text into records that cover all but blank lines, and reads each as it was cut (property)', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '""', ',', '\n', '\r\n', '\r', ' '), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.boolean(), (value, quotes) => {
        const dialect = { delimiter: ',', quotes };
        let covered = '';
        for (
          let record = nextRecord(value, 0, dialect), from = 0;
          record !== null;
          record = nextRecord(value, record.next, dialect)
        ) {
          assert.match(value.slice(from, record.start), /^[ \r\n]*$/);
          assert.ok(record.next > from && record.looked >= record.next);
          const fields = recordFields(value, record.start, record.end, dialect);
          assert.equal(fields[0]!.start, record.start);
          assert.equal(fields.at(-1)!.end, record.end);
          for (const [index, field] of fields.entries())
            if (index > 0) assert.equal(field.start, fields[index - 1]!.end + 1);
          covered += value.slice(record.start, record.end);
          from = record.next;
        }
        assert.equal(covered.replace(/[ \r\n]/g, ''), value.replace(/[ \r\n]/g, ''));
      }),
      { numRuns: 1000 },
    );
  });
});
