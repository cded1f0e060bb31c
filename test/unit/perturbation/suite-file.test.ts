import assert from 'node:assert/strict';
import { ownPerturbation } from '../../../src/engine/perturbation/own/own-perturbation';
import { isInSlice, matchesOf, PatternTooSlow } from '../../../src/engine/perturbation/slice';
import { parseSuite, SuiteFileError } from '../../../src/engine/perturbation/suite-file';
import { makeVariants } from '../../../src/engine/perturbation/variants';
import { relation, sentiment } from './examples';

const known = [
  ownPerturbation({
    id: 'shout',
    name: 'Shout',
    description: '',
    tasks: ['sentiment'],
    parts: ['context'],
    expectation: { kind: 'label-stays' },
    replace: [{ kind: 'pattern', pattern: /[.]$/u, by: ['!'] }],
  }),
];
const parsed = (file: object, task: 'sentiment' | 'relation' = 'sentiment') =>
  parseSuite(JSON.stringify({ version: 1, ...file }), known, task);
const texts = (suite: ReturnType<typeof parsed>, text: string) =>
  suite.tests.flatMap(({ perturbation, parts, values, most }) => {
    assert.ok(perturbation.kind !== 'search');
    return makeVariants(perturbation, sentiment(text), { seed: 1, parts, values, most, pool: null }).variants.map(
      (variant) => variant.text,
    );
  });

describe('perturbation: suite files', () => {
  it('name tests, thresholds and slices, and add to a suite', () => {
    const suite = parsed({
      extends: 'quick',
      mostAnExample: 7,
      tests: [
        {
          perturbation: 'shout',
          threshold: 0.2,
          most: 3,
          slice: { pattern: '^a', flags: 'i' },
          expectation: { 'label-becomes': 'positive' },
        },
        {
          perturbation: 'shout',
          id: 'shout-gold',
          name: 'Shouting',
          slice: { field: 'gold', value: 'positive' },
          expectation: 'gold-not-rising',
        },
      ],
    });
    assert.deepEqual(
      suite.tests.map(({ id, name, threshold, most, expectation }) => ({ id, name, threshold, most, expectation })),
      [
        {
          id: 'shout',
          name: 'Shout',
          threshold: 0.2,
          most: 3,
          expectation: { kind: 'label-becomes', label: 'positive' },
        },
        {
          id: 'shout-gold',
          name: 'Shouting',
          threshold: 0.05,
          most: 4,
          expectation: { kind: 'gold-not-rising', tolerance: 0.05 },
        },
      ],
    );
    assert.equal(suite.mostAnExample, 7);
    assert.equal(isInSlice(suite.tests[0]!.slice!, sentiment('A film')), true);
    assert.equal(isInSlice(suite.tests[0]!.slice!, sentiment('The film')), false);
    assert.equal(isInSlice(suite.tests[1]!.slice!, sentiment('The film', 'positive')), true);
  });

  it('describe own perturbations by words and patterns; the case of a word is kept', () => {
    const suite = parsed({
      perturbations: [
        {
          id: 'films',
          replace: [
            { words: ['film', 'short film'], by: ['movie', 'picture'] },
            { pattern: '(\\d+) minutes', by: ['$1 hours'] },
          ],
        },
      ],
    });
    assert.deepEqual(texts(suite, 'Film or short film, FILM: 90 minutes of filming.'), [
      'Movie or movie, MOVIE: 90 minutes of filming.',
      'Picture or picture, PICTURE: 90 minutes of filming.',
      'Film or short film, FILM: 90 hours of filming.',
    ]);
    assert.deepEqual(texts(suite, 'Nothing of it.'), []);
  });

  for (const [what, file, message] of [
    ['no JSON', '{ "version": 1,', /^it is not valid JSON: /],
    ['another version', { version: 2 }, /^version is 2; this Assay reads version 1\.$/],
    ['no version', '{}', /^the file: "version" is missing\.$/],
    ['an unknown key', { test: [] }, /^the file: "test" is not known here; known are .*"?tests/],
    [
      'an unknown perturbation',
      { tests: [{ perturbation: 'shuot' }] },
      /^tests\[0\]\.perturbation: there is no perturbation "shuot"; there are: shout\.$/,
    ],
    [
      'a part that there is not',
      { tests: [{ perturbation: 'shout', parts: ['middle'] }] },
      /^tests\[0\]\.parts\[0\]: "middle" is none of before, /,
    ],
    [
      'a threshold in per cent',
      { tests: [{ perturbation: 'shout', threshold: 5 }] },
      /^tests\[0\]\.threshold: 5 is not a number from 0 to 1\.$/,
    ],
    [
      'options of one without',
      { tests: [{ perturbation: 'shout', options: {} }] },
      /^tests\[0\]\.options: shout has no options\.$/,
    ],
    [
      'two of one name',
      { tests: [{ perturbation: 'shout' }, { perturbation: 'shout' }] },
      /two tests are called "shout": give one of them another "id"/,
    ],
    [
      'a bad pattern',
      { perturbations: [{ id: 'x', replace: [{ pattern: '(', by: [''] }] }] },
      /^perturbations\[0\]\.replace\[0\]\.pattern: it is no regular expression: /,
    ],
    [
      'no words',
      { perturbations: [{ id: 'x', replace: [{ words: [], by: ['a'] }] }] },
      /it needs words that are not empty/,
    ],
    ['nothing for the task', { tests: [] }, /^it has no test for sentiment examples: /],
  ] as [string, object | string, RegExp][]) {
    it(`say what is wrong: ${what}`, () => {
      const text = typeof file === 'string' ? file : JSON.stringify({ version: 1, ...file });
      assert.throws(
        () => parseSuite(text, known, 'sentiment'),
        (error) => error instanceof SuiteFileError && message.test(error.message),
      );
    });
  }

  it('keys like __proto__ are refused like any other', () => {
    assert.throws(
      () => parseSuite('{"version": 1, "__proto__": {}}', known, 'sentiment'),
      /"__proto__" is not known here/,
    );
  });
});

describe('perturbation: slices', () => {
  it('by a word, a field, a pattern', () => {
    const source = { ...relation('[h:Ada] knows [t:Grace].', 'knows'), types: { head: 'PERSON', tail: null } };
    const is = (slice: Parameters<typeof isInSlice>[0]) => isInSlice(slice, source);
    assert.ok(
      is({ kind: 'word', word: 'KNOWS' }) && !is({ kind: 'word', word: 'know' }) && !is({ kind: 'word', word: '' }),
    );
    assert.ok(
      is({ kind: 'field', field: 'head', value: 'Ada' }) && !is({ kind: 'field', field: 'tail', value: 'Ada' }),
    );
    assert.ok(
      is({ kind: 'field', field: 'headType', value: 'PERSON' }) &&
        !is({ kind: 'field', field: 'tailType', value: 'PERSON' }),
    );
    assert.ok(is({ kind: 'pattern', pattern: /gr.ce/iu }) && !is({ kind: 'pattern', pattern: /gr.ce/u }));
  });

  it('a pattern that would take for ever is ended', () => {
    assert.throws(() => matchesOf(/(a+)+$/u, `${'a'.repeat(40)}b`, 1), PatternTooSlow);
  });

  it('matches are told with what they become; empty ones do not hang', () => {
    assert.deepEqual(matchesOf(/(\w)(\w)/u, 'ab-cd', 9, '$2$1'), [
      { start: 0, end: 2, replacement: 'ba' },
      { start: 3, end: 5, replacement: 'dc' },
    ]);
    assert.deepEqual(
      matchesOf(/x*/u, '😀', 9).map(({ start }) => start),
      [0, 2],
    );
  });
});
