import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { changes, edited, placed, snapshot, toChanges } from './editing';
import { at, openBeside, refusal, sampleWith, spanTexts, written } from './opening';

const text = 'Ada 😀 met Bo.\nNothing here.\nShe left Rome,\nwhere Cy had lived.\n';
const entities = [
  'T1\tPerson 0 3\tAda',
  'T2\tPerson 10 12\tBo',
  'T3\tPlace 37 41\tRome',
  'T4\tPerson 28 31\tShe',
  'T5\tPerson 49 51\tCy',
  'T6\tPhrase 32 36;37 41\tleft Rome',
];
const open = (content: string, ...lines: string[]) =>
  openBeside(content, 'doc.txt', [{ name: 'doc.ann', text: `${[...entities, ...lines].join('\n')}\n` }]);

describe('datasets: BRAT', () => {
  it('reads every relation in the line, or the lines, that hold both entities', () => {
    const document = open(text, 'R1\tMet Arg1:T1 Arg2:T2', 'R2\tLived Arg1:T5 Arg2:T3', 'R3\tLeft Arg1:T4 Arg2:T3');
    assert.equal(document.info.format, 'brat');
    assert.match(document.info.formatDetail, /annotations in doc\.ann/);
    assert.deepEqual(
      document.examples.map(({ id, text: content, gold }) => [id, content, gold]),
      [
        ['R1', 'Ada 😀 met Bo.', 'Met'],
        ['R3', 'She left Rome,', 'Left'],
        ['R2', 'She left Rome,\nwhere Cy had lived.', 'Lived'],
      ],
    );
    assert.deepEqual(document.examples.map(spanTexts), [
      { head: 'Ada', tail: 'Bo' },
      { head: 'She', tail: 'Rome' },
      { head: 'Cy', tail: 'Rome' },
    ]);
    const [met, , lived] = document.examples;
    assert.deepEqual(lived!.types, { head: 'Person', tail: 'Place' });
    assert.equal(written(document, met!, met!.spans!.tail), 'Bo');
    assert.equal(written(document, lived!, lived!.spans!.head), 'Cy');
    assert.equal(lived!.goldField, null);
    assert.deepEqual(document.findings, []);
    assert.equal(document.info.unreadableCount, 0);
  });

  it('takes an entity in pieces from its first to its last', () => {
    const document = open(text, 'R1\tX Arg1:T6 Arg2:T4');
    assert.deepEqual(spanTexts(document.examples[0]!), { head: 'left Rome', tail: 'She' });
  });

  it('says that an entity is in pieces with words between them, in whichever order they are written', () => {
    const houses = 'The big red old house burnt.\nA dog ran.\n';
    const findings = (...lines: string[]) => {
      const document = openBeside(houses, 'doc.txt', [{ name: 'doc.ann', text: `${lines.join('\n')}\n` }]);
      assert.equal(document.examples.length, 1);
      return {
        spans: spanTexts(document.examples[0]!),
        findings: document.findings.map(({ range, severity, message }) => [at(document, range), severity, message]),
      };
    };
    const two = findings('T1\tThing 4 7;16 21\tbig house', 'T2\tEvent 22 27\tburnt', 'R1\tOf Arg1:T1 Arg2:T2');
    assert.deepEqual(two.spans, { head: 'big red old house', tail: 'burnt' });
    assert.deepEqual(two.findings, [
      [
        'big red old house',
        'warning',
        'head of relation R1, T1 in doc.ann, stands in 2 pieces, "big … house". It is read from its first to its last: "big red old house".',
      ],
    ]);
    const three = findings(
      'T1\tThing 16 21;4 7;8 11\tbig red house',
      'T2\tEvent 22 27\tburnt',
      'R1\tOf Arg1:T2 Arg2:T1',
    );
    assert.deepEqual(three.spans, { head: 'burnt', tail: 'big red old house' });
    assert.equal(three.findings.length, 1);
    assert.match(
      String(three.findings[0]![2]),
      /^tail of relation R1, T1 in doc\.ann, stands in 3 pieces, "big … red … house"\./,
    );
    // Only a blank between them, a piece within another, and an entity that goes on in the next line.
    for (const places of ['4 7;8 11', '4 11;8 11', '4 7;4 11'])
      assert.deepEqual(findings(`T1\tX ${places}`, 'T2\tX 22 27\tburnt', 'R1\tOf Arg1:T1 Arg2:T2').findings, []);
    const lines = findings('T1\tThing 22 28;29 34\tburnt. A dog', 'T2\tX 16 21\thouse', 'R1\tOf Arg1:T2 Arg2:T1');
    assert.deepEqual(lines, { spans: { head: 'house', tail: 'burnt.\nA dog' }, findings: [] });
    const other = findings('T1\tThing 4 7;16 21\tsmall house', 'T2\tX 22 27\tburnt', 'R1\tOf Arg1:T1 Arg2:T2');
    assert.match(
      String(other.findings[0]![2]),
      /is "small house", but "big … house" stands there\. Was the text changed/,
    );
  });

  it('reads the sample', () => {
    const document = sampleWith('relations.brat.txt', 'relations.brat.ann');
    assert.equal(document.examples.length, 13);
    assert.deepEqual(
      document.findings.map(({ message }) => message),
      [
        'tail of relation R13, T25 in relations.brat.ann, stands in 2 pieces, "old … scooter". It is read from its first to its last: "old , red scooter".',
      ],
    );
    assert.deepEqual(document.examples.slice(-3).map(spanTexts), [
      { head: 'bees', tail: 'swarm' },
      { head: 'swarm', tail: '🛵' },
      { head: 'vicar', tail: 'old , red scooter' },
    ]);
    assert.equal(document.examples.at(-1)!.text.split('\n').length, 2);
  });

  it('says what is wrong with the annotations, and reads the others', () => {
    const document = open(
      text,
      'T7\tPerson 60 99\tnobody',
      'T8\tPerson 90 99\tnobody',
      'T9\tPerson 0 3\tEve',
      'R1\tMet Arg1:T1 Arg2:T2',
      'R2\tMet Arg1:T1 Arg2:T77',
      'R3\tMet Arg1:T5 Arg2:T7',
      'R4\tMet Arg1:T8 Arg2:T8',
      'R5\tMet Arg1:T9 Arg2:T2',
      'stray',
      '#1\tAnnotatorNotes T1\tfine',
    );
    assert.deepEqual(
      document.examples.map(({ id }) => id),
      ['R1', 'R5'],
    );
    assert.deepEqual(
      document.findings.map(({ range, severity, message }) => [range.startLine, severity, message]),
      [
        [
          0,
          'warning',
          'doc.ann, line 15: "stray" is no annotation; line 11: there is no entity T77. They are left out.',
        ],
        [
          0,
          'warning',
          'head of relation R5, T9 in doc.ann, is "Eve", but "Ada" stands there. Was the text changed after it was annotated?',
        ],
        [3, 'error', 'Relation R3 in doc.ann ends at character 99, behind the end of the text. It is left out.'],
        [
          4,
          'warning',
          'Relation R4 in doc.ann stands behind the end of the text. Do the annotations belong to this text?',
        ],
      ],
    );
    assert.equal(at(document, document.findings[1]!.range), 'Ada');
  });

  it('tells a person who opens the annotations to open the text', () => {
    const ann = `${entities.join('\n')}\nR1\tMet Arg1:T1 Arg2:T2\n`;
    const message = (companions: { name: string; text: string }[]) => {
      try {
        openBeside(ann, 'doc.ann', companions);
      } catch (error) {
        assert.ok(error instanceof NotADataset);
        return error.message;
      }
      return null;
    };
    assert.match(message([{ name: 'doc.txt', text }])!, /BRAT annotations: .* stands in doc\.txt\. Open that/);
    assert.match(message([])!, /BRAT annotations: .* a file of the same name that ends in \.txt/);
    assert.match(refusal(ann), /BRAT annotations/);
  });

  it('tells that there are no relations', () => {
    assert.throws(() => open(text), /doc\.ann holds 6 entities and no relation/);
    assert.throws(() => openBeside(text, 'doc.txt', [{ name: 'other.ann', text: entities.join('\n') }]), NotADataset);
  });

  it('reads any annotations of any text (property)', () => {
    const unit = fc.constantFrom('a', 'é', '😀', ' ', '\n', '\r\n', '\r');
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 1, maxLength: 40 }),
        fc.array(fc.tuple(fc.nat(60), fc.nat(8), fc.nat(60), fc.nat(8)), { minLength: 1, maxLength: 6 }),
        (units, drawn) => {
          const content = units.join('');
          const points = Array.from(content);
          const lines: string[] = [];
          const wanted = new Map<string, { head: string; tail: string }>();
          for (const [index, [a, m, b, n]] of drawn.entries()) {
            lines.push(`T${index * 2}\tX ${a} ${a + m}`, `T${index * 2 + 1}\tX ${b} ${b + n}`);
            lines.push(`R${index}\tr Arg1:T${index * 2} Arg2:T${index * 2 + 1}`);
            const texts = { head: points.slice(a, a + m).join(''), tail: points.slice(b, b + n).join('') };
            if (Math.max(a + m, b + n) <= points.length + 2) wanted.set(`R${index}`, texts);
          }
          const document = openBeside(content, 'd.txt', [{ name: 'd.ann', text: lines.join('\n') }]);
          for (const example of document.examples) {
            const texts = wanted.get(example.id);
            assert.ok(texts !== undefined, example.id);
            // The break that ends the last line belongs to no example.
            const trimmed = ({ head, tail }: { head: string; tail: string }) =>
              [head, tail].map((each) => each.trimEnd());
            assert.deepEqual(trimmed(spanTexts(example)!), trimmed(texts));
            for (const role of ['head', 'tail'] as const) {
              // No position of a document stands within \r\n.
              const plain = (value: string) => value.replaceAll('\r', '').trim();
              assert.equal(plain(written(document, example, example.spans![role])), plain(spanTexts(example)![role]));
            }
            const range = document.fileRange(example, { start: 0, end: example.text.length });
            assert.equal(range.startChar, 0);
            assert.equal(at(document, range), example.text);
          }
          const isBreak = (point: string | undefined) => point === '\n' || point === '\r' || point === undefined;
          for (const [index, [a, m, b, n]] of drawn.entries()) {
            const isRead = document.examples.some(({ id }) => id === `R${index}`);
            const isInside = Math.max(a + m, b + n) <= points.length;
            const starts = points[Math.min(a, b)];
            if (isInside && !isBreak(starts)) assert.ok(isRead, `R${index}`);
            if (!isInside) assert.ok(document.findings.length > 0);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('edits give what opening the edited text gives (property)', () => {
    const lines = [
      ...entities,
      'R1\tMet Arg1:T1 Arg2:T2',
      'R2\tLived Arg1:T5 Arg2:T3',
      'R3\tLeft Arg1:T4 Arg2:T3',
      'bad',
    ];
    const companions = [{ name: 'doc.ann', text: lines.join('\n') }];
    const fragments = ['', 'x', '\n', '\r\n', '😀', ' ', '\n\n', 'Ada'];
    fc.assert(
      fc.property(fc.array(changes(fragments), { minLength: 1, maxLength: 5 }), (drawnEdits) => {
        let content = text;
        const document = openBeside(content, 'doc.txt', companions);
        for (const drawn of drawnEdits) {
          const edit = placed(content, drawn);
          document.applyEdits(toChanges(content, edit));
          content = edited(content, edit);
          assert.deepEqual(snapshot(document), snapshot(openBeside(content, 'doc.txt', companions)));
        }
      }),
      { numRuns: 400 },
    );
  });
});
