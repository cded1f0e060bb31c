import assert from 'node:assert/strict';
import { aspectText, open, refusal, rows, written } from './opening';

describe('datasets: lines with their label', () => {
  it('reads text@label', () => {
    for (const newline of ['\n', '\r\n']) {
      const document = open(
        ['Sales rose by a tenth .@positive', 'We met @ noon .@neutral', 'Orders fell, a lot .@negative', ''].join(
          newline,
        ),
      );
      assert.deepEqual(rows(document), [
        ['Sales rose by a tenth .', 'positive'],
        ['We met @ noon .', 'neutral'],
        ['Orders fell, a lot .', 'negative'],
      ]);
      assert.match(document.info.formatDetail, /text@label/);
      const [first] = document.examples;
      assert.equal(written(document, first!, { start: 0, end: 5 }), 'Sales');
    }
  });

  it('reads LABEL:kind text, and leaves out a line without', () => {
    const lines = Array.from(
      { length: 30 },
      (_, row) => `${row % 2 ? 'NUM:date' : 'DESC:manner'} What is the ${row}th day of it ?`,
    );
    lines[7] = 'What is this ?';
    const document = open(`${lines.join('\n')}\n`);
    assert.equal(document.examples.length, 29);
    assert.equal(document.examples[0]!.gold, 'DESC:manner');
    assert.equal(document.examples[0]!.text, 'What is the 0th day of it ?');
    assert.deepEqual(
      document.findings.map(({ code, range }) => [code, range.startLine]),
      [['assay/unreadable-row', 7]],
    );
  });

  it('reads number text, less surely, where the numbers do not count the lines', () => {
    const texts = [
      'it was a fine film',
      'a dull, long film',
      'I left early',
      'warm and funny',
      'no plot at all',
      'fine',
    ];
    const document = open(`${texts.map((text, row) => `${(row + 1) % 2} ${text}`).join('\n')}\n`);
    assert.deepEqual(
      rows(document),
      texts.map((text, row) => [text, String((row + 1) % 2)]),
    );
    assert.ok(document.info.confidence <= 0.5);
    refusal(`${texts.map((text, row) => `${row + 1} ${text}`).join('\n')}\n`);
    refusal(`${[...texts, ...texts].map((text, row) => `${1 + (row % 6)} ${text}`).join('\n')}\n`);
    refusal('1 1:0.5 2:0.25\n0 1:0.125 3:1\n1 2:0.5 4:1\n0 1:1 2:1\n1 1:2 3:1\n');
  });

  it('takes addresses, hours and prose for no labels', () => {
    refusal('Write to ann@example.org\nor to bo@example.org\nor call us at noon, please\n');
    refusal('NOTE:this is a list of things\nTODO:buy some more milk\nHe came back at noon\n');
  });
});

describe('datasets: sentences with aspects and opinions (ASTE)', () => {
  const text =
    "The staff was kind , the soup not hot .####[([1], [3], 'POS'), ([6], [7, 8], 'NEG')]\nThe wine list is long and good .####[([1, 2], [4], 'POS'), ([1, 2], [6], 'POS')]\nWe left .####[]\nThe bar was loud .####[([1], [3], 'NEG')]\n";

  it('reads an example an aspect', () => {
    const document = open(text);
    assert.match(document.info.formatDetail, /ASTE/);
    assert.deepEqual(
      document.examples.map((example) => [aspectText(example), example.gold]),
      [
        ['staff', 'POS'],
        ['soup', 'NEG'],
        ['wine list', 'POS'],
        ['bar', 'NEG'],
      ],
    );
    assert.equal(document.examples[2]!.text, 'The wine list is long and good .');
    for (const example of document.examples) {
      assert.equal(written(document, example, example.aspect!), aspectText(example));
      assert.equal(document.rawText(example, example.goldField!), example.gold);
    }
    assert.deepEqual(document.findings, []);
  });

  it('says which aspect stands nowhere, and which line is none', () => {
    const document = open(`${text}The room .####[([5], [1], 'POS'), ([1], [0], 'NEU')]\nThe bed was ok .\n`);
    assert.deepEqual(
      document.findings.map(({ code, range }) => [code, range.startLine]),
      [
        ['assay/span-out-of-bounds', 4],
        ['assay/unreadable-row', 5],
      ],
    );
    assert.equal(aspectText(document.examples.at(-1)!), 'room');
  });

  it('refuses quadruples of words with a clear word', () => {
    assert.match(
      refusal(
        "The soup was hot .####[['soup', 'food quality', 'positive', 'hot']]\nWe left .####[['NULL', 'service', 'negative', 'NULL']]\n",
      ),
      /\(ASQP, ACOS, TASD\): it does not say where the aspects stand/,
    );
  });
});
