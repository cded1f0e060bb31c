/** What perturbations make of examples that can be told by hand. */
import assert from 'node:assert/strict';
import { collectEntities } from '../../../src/engine/perturbation/entity/entity-pool';
import { guessType } from '../../../src/engine/perturbation/entity/guess-type';
import type { Source } from '../../../src/engine/perturbation/source';
import { perturbationById } from '../../../src/engine/perturbation/table';
import { makeVariants, type VariantOptions } from '../../../src/engine/perturbation/variants';
import { relation, sentiment } from './examples';

function made(id: string, source: Source, more: Partial<VariantOptions> = {}) {
  const perturbation = perturbationById(id)!;
  assert.ok(perturbation.kind !== 'search');
  return makeVariants(perturbation, source, { seed: 1, parts: null, values: {}, most: 99, pool: null, ...more });
}
const texts = (id: string, source: Source, more: Partial<VariantOptions> = {}) =>
  made(id, source, more).variants.map(({ text }) => text);
const every = (id: string, source: Source, seeds = 60, more: Partial<VariantOptions> = {}) =>
  new Set(Array.from({ length: seeds }, (_, seed) => texts(id, source, { ...more, seed })).flat());

describe('perturbation: DiagnoseRE, without its defects', () => {
  const film = sentiment('A fine film, really!');

  it('punctuation: without it, and with a full stop; the combinations of all parts', () => {
    assert.deepEqual(texts('punctuation', film), ['A fine film, really', 'A fine film, really.']);
    assert.deepEqual(texts('punctuation', relation('Oh, [h:Ada] met [t:Bo]!')), [
      'Oh Ada met. Bo!',
      'Oh. Ada met. Bo!',
    ]);
    assert.deepEqual(texts('strip-punctuation', film), ['A fine film, really']);
  });

  it('an unchanged copy is no variant: what does not apply says so', () => {
    assert.deepEqual(made('strip-punctuation', sentiment('A fine film')), {
      variants: [],
      dropped: 0,
      notApplicable: 'no part ends in punctuation',
    });
    assert.equal(made('change-number', film).notApplicable, 'there is no number to change');
    assert.equal(made('contractions', film).notApplicable, 'there is nothing to contract or to take apart');
    assert.equal(made('case', sentiment('電影')).notApplicable, 'its letters have no case');
  });

  it('a tail before the head: no context is doubled, none is lost', () => {
    const source = relation('[t:Bo] has 10 friends, and 20 of them met [h:Ada] in 1990.');
    for (const variant of made('change-number', source).variants) {
      assert.match(variant.text, /^Bo has \d+ friends, and \d+ of them met Ada in \d+\.$/);
      assert.equal(variant.text.slice(variant.spans!.head.start, variant.spans!.head.end), 'Ada');
    }
  });

  it('numbers: within a fifth, never the same, never 2 or 4', () => {
    const found = [...every('change-number', sentiment('2 of 100 and 4 of 7'), 300)].map((text) =>
      text.match(/\d+/g)!.map(Number),
    );
    for (const [two, hundred, four, seven] of found) {
      assert.deepEqual([two, four], [2, 4]);
      assert.ok(hundred! >= 79 && hundred! <= 121 && hundred !== 100);
      assert.ok(seven! >= 5 && seven! <= 9 && seven !== 7);
    }
    assert.deepEqual([...new Set(found.map((numbers) => numbers[3]!))].sort(), [5, 6, 8, 9]);
    assert.deepEqual(
      [...every('change-number', sentiment('0 and 1'))].filter((text) => /-|\b0 and 1\b/.test(text)),
      [],
    );
  });

  it('contractions, in the case of the words', () => {
    assert.deepEqual(texts('contractions', sentiment("It is not good, and I don't care.")), [
      "It isn't good, and I don't care.",
      'It is not good, and I do not care.',
    ]);
    assert.deepEqual(texts('contractions', sentiment('I’m here')), ['I am here']);
    assert.deepEqual(texts('contractions', sentiment('He’s here')), []);
  });

  it('typos swap two signs, whole emoji among them', () => {
    assert.deepEqual([...every('typos', sentiment('ab'))], ['ba']);
    assert.deepEqual([...every('typos', sentiment('👩‍👩‍👧!'))], ['!👩‍👩‍👧']);
    assert.deepEqual([...every('typos', sentiment('aé'))], ['éa']);
  });

  it('parts are acted on where they are asked for', () => {
    const source = relation('[h:Ada] met [t:Bo]');
    assert.deepEqual([...every('typos', source, 40, { parts: ['head'] })].sort(), ['Aad met Bo', 'dAa met Bo']);
  });
});

describe('perturbation: surface', () => {
  it('letters within a word: swapped, missing, doubled', () => {
    assert.deepEqual([...every('character-swap', sentiment('film'))], ['flim']);
    assert.deepEqual([...every('character-delete', sentiment('film'))].sort(), ['fim', 'flm']);
    assert.deepEqual([...every('character-insert', sentiment('was'))], ['waas']);
  });

  it('case and white space', () => {
    assert.deepEqual(texts('case', sentiment('A big Film')), ['a big film', 'A BIG FILM', 'A Big Film']);
    assert.deepEqual([...every('whitespace', sentiment('a b'))].sort(), ['a  b', 'ab']);
  });

  it('confusions, misspellings, look-alikes', () => {
    assert.deepEqual([...every('speech', sentiment('Their film'))].sort(), ['There film', "They're film"]);
    assert.deepEqual([...every('misspellings', sentiment('Definitely fine'))], ['Definately fine']);
    assert.deepEqual([...every('homoglyphs', sentiment('dog'))], ['dоg']);
    assert.ok(every('ocr', sentiment('burn')).has('bum'));
    assert.deepEqual(
      made('keyboard-typos', sentiment('電影')).notApplicable,
      'no word of Latin letters has three letters',
    );
  });

  it('words left out and swapped, with their space', () => {
    assert.deepEqual([...every('word-deletion', sentiment('The film was dull'))].sort(), [
      'The film dull',
      'film was dull',
    ]);
    assert.deepEqual([...every('word-swap', sentiment('dull film, yes'))], ['film dull, yes']);
  });

  it('links, handles and things at an end, not within an entity', () => {
    const source = relation('[h:Ada] met [t:Bo].');
    for (const id of ['url', 'handle', 'emoji']) {
      const [variant, ...none] = made(id, source).variants;
      assert.match(variant!.text, /^Ada met Bo\. \S+$/u);
      assert.deepEqual(none, []);
    }
  });
});

describe('perturbation: negation', () => {
  it('is added behind auxiliaries', () => {
    assert.deepEqual(texts('negation-added', sentiment('It was fun and you will like it.')), [
      'It was not fun and you will like it.',
      'It was fun and you will not like it.',
    ]);
    assert.deepEqual(texts('negation-added', sentiment('Is it fun?')), []);
    assert.deepEqual(texts('negation-added', sentiment('It is not fun')), []);
  });

  it('is removed', () => {
    assert.deepEqual(texts('negation-removed', sentiment("It isn't fun, it is not good, you won't and can’t.")), [
      "It is fun, it is not good, you won't and can’t.",
      "It isn't fun, it is good, you won't and can’t.",
      "It isn't fun, it is not good, you will and can’t.",
      "It isn't fun, it is not good, you won't and can.",
    ]);
    assert.deepEqual(texts('negation-removed', sentiment('It is not only fun')), []);
  });

  it('doubled: the opposite of the opposite', () => {
    assert.deepEqual(texts('double-negation', sentiment('A good film, an interesting one, very bad.')), [
      'A not bad film, an interesting one, very bad.',
      'A good film, a not boring one, very bad.',
    ]);
  });
});

describe('perturbation: entities', () => {
  const typed = (marked: string, gold: string, head: string | null, tail: string | null) => ({
    ...relation(marked, gold),
    types: { head, tail },
  });
  const rows = [
    typed('[h:Ada] met [t:Bo].', 'met', 'PERSON', 'PERSON'),
    typed('[t:Cy] was met by [h:Di].', 'met', 'PERSON', 'PERSON'),
    typed('[h:Ada] lives in [t:Bonn].', 'in', 'PERSON', 'CITY'),
    typed('[h:Ada] lives in [t:Bonn], still.', 'in', 'PERSON', 'CITY'),
    typed('[h:Ada] will live in [t:Bonn].', 'in', 'PERSON', 'CITY'),
  ];
  const pool = collectEntities(rows);
  const cutOut = (source: Source, id: string) =>
    made(id, source, { pool }).variants.map(({ text, spans, types }) => ({
      text,
      head: text.slice(spans!.head.start, spans!.head.end),
      tail: text.slice(spans!.tail.start, spans!.tail.end),
      types,
    }));

  it('of the same role: what stands there in the same relation', () => {
    const types = { head: 'PERSON', tail: 'PERSON' };
    assert.deepEqual(cutOut(rows[0]!, 'same-role-head'), [{ text: 'Di met Bo.', head: 'Di', tail: 'Bo', types }]);
    assert.deepEqual(cutOut(rows[1]!, 'same-role-both'), [
      { text: 'Bo was met by Ada.', head: 'Ada', tail: 'Bo', types },
    ]);
    assert.equal(
      made('same-role-tail', rows[2]!, { pool }).notApplicable,
      'no other entity stands as tail of this relation',
    );
  });

  it('of the same type, of another type, masked; types are kept or changed', () => {
    assert.deepEqual(new Set(cutOut(rows[0]!, 'same-type-tail').map(({ tail }) => tail)), new Set(['Cy', 'Di']));
    assert.deepEqual(cutOut(rows[0]!, 'other-type-head'), [
      { text: 'Bonn met Bo.', head: 'Bonn', tail: 'Bo', types: { head: 'CITY', tail: 'PERSON' } },
    ]);
    assert.deepEqual(
      cutOut(rows[1]!, 'mask-both').map(({ text, head, tail }) => [text, head, tail]),
      [['[MASK] was met by [MASK].', '[MASK]', '[MASK]']],
    );
    assert.equal(
      made('same-type-head', { ...rows[0]!, types: null }, { pool: null }).notApplicable,
      'the entities of the dataset were not collected',
    );
  });

  it('all mentions are replaced; overlapping entities are told', () => {
    const source = relation('Bo knows that [h:Ada] met [t:Bo].', 'met');
    const mentions = { head: [source.spans!.head], tail: [source.spans!.tail, { start: 0, end: 2 }] };
    assert.deepEqual(
      cutOut({ ...source, mentions }, 'same-role-tail').map(({ text }) => text),
      ['Cy knows that Ada met Cy.'],
    );
    const crossing = { ...source, spans: { head: { start: 0, end: 5 }, tail: { start: 3, end: 8 } } };
    assert.equal(made('mask-head', crossing, { pool }).notApplicable, 'the entities overlap');
  });

  it('rare ones', () => {
    // Ada stands four times, the others once.
    assert.equal(
      made('low-frequency-entities', rows[2]!, { pool }).notApplicable,
      'no other entity is of the type of the tail',
    );
    assert.deepEqual(
      new Set(cutOut(rows[0]!, 'low-frequency-entities').flatMap(({ head, tail }) => [head, tail])),
      new Set(['Cy', 'Di']),
    );
  });

  it('entities only: as long as both, in the order of the text (METHODS, check 8)', () => {
    for (const source of rows) {
      const [variant] = cutOut(source, 'entity-only');
      const own = source.text.slice(source.spans!.head.start, source.spans!.head.end);
      assert.equal(variant!.head, own);
      assert.equal(variant!.text.length, variant!.head.length + variant!.tail.length + 1);
    }
    assert.equal(cutOut(rows[1]!, 'entity-only')[0]!.text, 'Cy Di');
  });

  it('context only: the spans are empty', () => {
    assert.deepEqual(
      cutOut(rows[2]!, 'context-only').map(({ text, head, tail }) => [text, head, tail]),
      [['lives in .', '', '']],
    );
    assert.equal(made('context-only', rows[2]!, { values: { share: 0 } }).notApplicable, 'it was not drawn');
  });

  it('frequency masking leaves an example of each pair (METHODS, check 9)', () => {
    for (let seed = 0; seed < 20; seed++) {
      const masked = rows.map((source) => made('frequency-masking', source, { pool, seed }).variants.length);
      // Of the pair that stands three times, min(3 - 1, int(3 * 1)) are masked; the others stand once.
      assert.deepEqual([masked[0], masked[1], masked[2]! + masked[3]! + masked[4]!], [0, 0, 2]);
    }
  });

  it('head and tail exchanged: the roles, not the text', () => {
    const [variant] = cutOut(rows[2]!, 'roles-exchanged');
    assert.deepEqual(variant, {
      text: rows[2]!.text,
      head: 'Bonn',
      tail: 'Ada',
      types: { head: 'CITY', tail: 'PERSON' },
    });
  });

  it('types are guessed by form where a dataset has none', () => {
    assert.deepEqual(
      ['1984', '3 May 1990', '12 %', '$5 million', '42', 'Acme Inc.', 'www.a.org', 'Ada'].map(guessType),
      ['DATE', 'DATE', 'PERCENT', 'MONEY', 'NUMBER', 'ORGANIZATION', 'URL', null],
    );
  });
});
