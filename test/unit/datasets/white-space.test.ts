import assert from 'node:assert/strict';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { open } from './opening';

/** Long enough that what takes the square of it (minutes) runs out of a test's time by far. */
const LENGTH = 500_000;

const datasets = {
  CSV: 'text,label\na fine film,pos\na bad film,neg\n',
  'JSON Lines': '{"text":"a fine film","label":"pos"}\n{"text":"a bad film","label":"neg"}\n',
  'a JSON array': '[{"text":"a fine film","label":"pos"},{"text":"a bad film","label":"neg"}]',
  'JSON with its rows below a key':
    '{"data":[{"text":"a fine film","label":"pos"},{"text":"a bad film","label":"neg"}]}',
};

describe('much white space', () => {
  for (const [name, units] of Object.entries({
    'line feeds': '\n',
    'carriage returns': '\r',
    'Windows line ends': '\r\n',
    blanks: ' ',
    'blanks and line feeds': ' \n',
  })) {
    const space = units.repeat(LENGTH / units.length);
    for (const [format, text] of Object.entries(datasets)) {
      // A blank line of blanks is a line of CSV, and then the header is not the first.
      if (format === 'CSV' && name === 'blanks') continue;
      it(`${name} before ${format}`, () => {
        assert.deepEqual(
          open(space + text).examples.map((example) => [example.text, example.gold]),
          [
            ['a fine film', 'pos'],
            ['a bad film', 'neg'],
          ],
        );
      });
    }
  }

  for (const unit of ['\t', '\ufeff', '\u2028', '\u00a0', '\n', ' ', '\v']) {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
    const space = unit.repeat(LENGTH);
    it(`U+${code}: nothing but it, in the middle of words, within and behind JSON, takes no longer than other text`, () => {
      for (const text of [
        space,
        `a${space}b`,
        `{"text":${space}`,
        `{${space}x`,
        `[${space}x`,
        `[{"text":"a film","label":"pos"}${space}x`,
        `<sentence>${space}<text>`,
        `# a heading\n${space}x`,
        `1${space}x`,
        `"${space}x`,
      ]) {
        try {
          open(text);
        } catch (error) {
          assert.ok(error instanceof NotADataset);
        }
      }
    });
  }

  it('digits without end, and half of a link, take no longer either', () => {
    const digits = '1'.repeat(LENGTH);
    assert.equal(open(`text,label\na fine film,pos\n${digits}x,neg\n`).examples.length, 2);
    assert.throws(() => open(`# a heading\n${']('.repeat(LENGTH / 2)}`), NotADataset);
  });
});
