import assert from 'node:assert/strict';
import { open, rows, spanTexts, written } from './opening';

const people = ['Ann', 'Bo Li', 'Eva', 'Tom', 'Rita'];
const cities = ['Rome', 'Oslo', 'New York', 'Lima'];
const verbs = [
  ['lives in', 'residence'],
  ['was born in', 'birthplace'],
  ['has left', 'departure'],
] as const;

const relations = Array.from({ length: 20 }, (_, row) => {
  const head = people[row % people.length]!;
  const tail = cities[row % cities.length]!;
  const [verb, relation] = verbs[row % verbs.length]!;
  return { head, tail, relation, sentence: `It is said that ${head} ${verb} ${tail} since ${1980 + row}.` };
});

function table(parts: (relation: (typeof relations)[number]) => string[], count = 20, delimiter = '\t'): string {
  return relations
    .slice(0, count)
    .map((relation) => `${parts(relation).join(delimiter)}\n`)
    .join('');
}

describe('datasets: entities in columns without names', () => {
  for (const [name, parts] of [
    ['head, relation, tail, sentence', ({ head, relation, tail, sentence }) => [head, relation, tail, sentence]],
    ['sentence, head, tail, relation', ({ head, relation, tail, sentence }) => [sentence, head, tail, relation]],
    ['relation, head, tail, sentence', ({ head, relation, tail, sentence }) => [relation, head, tail, sentence]],
  ] as [string, Parameters<typeof table>[0]][]) {
    it(`are the two whose words stand in the sentences: ${name}`, () => {
      for (const [count, delimiter] of [
        [20, '\t'],
        [20, ','],
        [3, '\t'],
      ] as const) {
        const document = open(table(parts, count, delimiter));
        assert.equal(document.info.columns.task, 'relation');
        assert.ok(document.info.confidence < 0.7);
        assert.deepEqual(
          rows(document),
          relations.slice(0, count).map(({ sentence, relation }) => [sentence, relation]),
        );
        for (const [row, example] of document.examples.entries()) {
          const { head, tail } = relations[row]!;
          assert.deepEqual(spanTexts(example), { head, tail });
        }
        assert.deepEqual(document.findings, []);
      }
    });
  }

  it('are told where one row of many lacks one, which is left out', () => {
    const document = open(
      table(({ head, relation, tail, sentence }) => [head, relation, tail, sentence]).replace('said that Ann', 'said'),
    );
    assert.equal(document.examples.length, 19);
    assert.deepEqual(
      document.findings.map(({ code }) => code),
      ['assay/entity-not-found'],
    );
  });

  it('are no labels, years or words that stand in some texts only', () => {
    for (const parts of [
      ({ sentence, relation }) => [sentence, relation],
      ({ head, sentence, relation }) => [head, sentence, relation],
      ({ sentence, relation, tail }) => [sentence, relation, tail, 'said'.slice(0, 1)],
    ] as Parameters<typeof table>[0][]) {
      const document = open(table(parts));
      assert.equal(document.info.columns.task, 'sentiment');
      assert.equal(document.examples[0]!.gold, 'residence');
    }
    const named = open(
      `a\tb\tsentence\tlabel\n${table(({ head, relation, tail, sentence }) => [head, tail, sentence, relation])}`,
    );
    assert.equal(named.info.columns.task, 'sentiment');
  });

  it('reads NYT10 as it was published: ids, entities, relation, the sentence and its end', () => {
    const document = open(
      table(({ head, relation, tail, sentence }) => [
        `m.0${people.indexOf(head)}`,
        `m.1${cities.indexOf(tail)}`,
        head,
        tail,
        `/people/person/${relation}`,
        `${sentence} ###END###`,
      ]),
    );
    assert.equal(document.info.columns.task, 'relation');
    const [first] = document.examples;
    assert.equal(first!.text, relations[0]!.sentence);
    assert.equal(first!.gold, '/people/person/residence');
    assert.equal(written(document, first!, { start: 0, end: first!.text.length }), first!.text);
  });
});
