import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  formatReviewed,
  noReviews,
  parseReviewed,
  ReviewedFileError,
} from '../../../../src/engine/datasets/checks/reviewed-file';
import type { ReviewedEntry } from '../../../../src/protocol/findings';

const entry = (over: Partial<ReviewedEntry> = {}): ReviewedEntry => ({
  code: 'assay/duplicate',
  key: '00ff',
  file: 'train.csv',
  text: 'A fine film',
  date: '2026-01-31',
  ...over,
});

describe('the file of reviewed findings', () => {
  it('is the same whatever the order of the entries, one member a line', () => {
    const entries = [entry(), entry({ file: 'a.csv' }), entry({ code: 'assay/html' }), entry({ key: '0000' })];
    const text = formatReviewed({ ...noReviews, entries });
    assert.equal(formatReviewed({ ...noReviews, entries: [...entries].reverse() }), text);
    assert.deepEqual(
      parseReviewed(text).entries.map(({ file, code, key }) => [file, code, key]),
      [
        ['a.csv', 'assay/duplicate', '00ff'],
        ['train.csv', 'assay/duplicate', '0000'],
        ['train.csv', 'assay/duplicate', '00ff'],
        ['train.csv', 'assay/html', '00ff'],
      ],
    );
    assert.ok(text.split('\n').every((line) => (line.match(/":/g)?.length ?? 0) <= 1));
    assert.ok(text.endsWith('}\n'));
  });

  it('another entry changes only its own lines', () => {
    const some = [entry({ key: 'a' }), entry({ key: 'c' })];
    const before = formatReviewed({ ...noReviews, entries: some }).split('\n');
    const after = formatReviewed({ ...noReviews, entries: [...some, entry({ key: 'b' })] }).split('\n');
    const kept = before.filter((line) => after.includes(line));
    assert.equal(kept.length, before.length);
    assert.equal(after.length - before.length, 7);
  });

  it('keeps what a person has written beside the entries and into them, whatever its name', () => {
    const text = `{"$schema": "./x.json", "version": 1, "__proto__": {"a": 1}, "reviewed": [${JSON.stringify({ ...entry({ note: 'twice on purpose' }), by: 'Ada' })}]}`;
    const again = formatReviewed(parseReviewed(text));
    assert.deepEqual(JSON.parse(again), JSON.parse(text));
    assert.equal(formatReviewed(parseReviewed(again)), again);
  });

  it('comes back as it was written', () => {
    const word = fc.string({ maxLength: 12 });
    const anyEntry = fc.record({ code: word, key: word, file: word, text: word, date: word });
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 6 }), (entries) => {
        const text = formatReviewed({ ...noReviews, entries });
        const read = parseReviewed(text);
        const names = (list: readonly ReviewedEntry[]) =>
          new Set(list.map(({ file, code, key }) => JSON.stringify([file, code, key])));
        assert.deepEqual(names(read.entries), names(entries));
        assert.equal(formatReviewed(read), text);
      }),
    );
  });

  const whole = formatReviewed({ ...noReviews, entries: [entry(), entry({ key: '01' })] });
  for (const [what, text, line, message] of [
    ['no object', '\n[]', 2, /an object .* should stand here/],
    ['something behind it', `${whole}{}`, 20, /nothing should follow/],
    ['a comma that is missing', whole.replace('"key": "00ff",', '"key": "00ff"'), 7, /a comma or } should stand here/],
    ['the marks of a merge', whole.replace('    {', '<<<<<<< HEAD\n    {'), 4, /should stand here/],
    ['another version', whole.replace('"version": 1', '"version": 2'), 2, /its version is 2.* reads version 1/],
    ['no version', '{"reviewed": []}', 1, /“version” is missing/],
    ['no entries', '{"version": 1}', 1, /“reviewed” is missing/],
    ['entries that are no list', '{"version": 1,\n"reviewed": {}}', 2, /“reviewed” is not a list/],
    ['an entry that is none', '{"version": 1,\n"reviewed": [\n7]}', 3, /an entry is not an object/],
    ['an entry without a key', whole.replace(/ {6}"key": "01",\n/, ''), 11, /“key” is missing/],
    ['a key that is no text', whole.replace('"01"', '1'), 11, /“key” of an entry is not text/],
    ['a number that is none', '{"version": 1, "x":\nNaN, "reviewed": []}', 2, /NaN/],
  ] as const) {
    it(`says the line of ${what}`, () => {
      assert.throws(
        () => parseReviewed(text),
        (error) => {
          assert.ok(error instanceof ReviewedFileError);
          assert.match(error.message, message);
          assert.equal(error.line, line);
          return true;
        },
      );
    });
  }
});
