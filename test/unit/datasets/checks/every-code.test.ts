import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type CheckCode, catalogue } from '../../../../src/engine/datasets/checks/catalogue';
import type { WholeDataset } from '../../../../src/engine/datasets/checks/dataset-checks';
import type { CheckSettings } from '../../../../src/engine/datasets/checks/settings';
import { createRandom } from '../../../../src/engine/statistics/random';
import { jsonl, open } from '../opening';
import { alone, asSplit, findingsOf } from './checking';
import { sentence } from './planted';

declare const ASSAY_ROOT: string;

interface Fixture {
  readonly text: string;
  readonly settings?: Partial<CheckSettings>;
  readonly dataset?: WholeDataset;
}

/** Of each kind a file in which it is told once or more, and one like it in which nothing of the kind may be told. */
type Pair = readonly [faulty: Fixture | string, sound: Fixture | string];

function codesIn(fixture: Fixture | string): Set<string> {
  const { text, settings = {}, dataset = alone } = typeof fixture === 'string' ? { text: fixture } : fixture;
  const document = open(text);
  const found = findingsOf(document, settings, dataset);
  return new Set([...document.findings, ...found].map(({ code }) => code));
}

/** Sound sentences, then the rows in question. */
function withRows(count: number, ...rows: object[]): string {
  const random = createRandom(count);
  const sound = Array.from({ length: count }, (_, row) => ({
    text: sentence(random),
    label: ['good', 'bad'][row % 2],
  }));
  return jsonl(...sound, ...rows);
}

const review = (text: string, label = 'good') => withRows(40, { text, label });

const text = 'Mira Vance founded Orbel in Ghent.';
const relation = (head: object, tail: object, label = 'founder') => ({ text, h: head, t: tail, relation: label });
const mira = { name: 'Mira Vance', pos: [0, 10] };
const orbel = { name: 'Orbel', pos: [19, 24] };
const ghent = { name: 'Ghent', pos: [28, 33] };
const soundRelations = [relation(mira, orbel), relation(orbel, ghent, 'based_in')];
const relations = (...rows: object[]) => jsonl(...soundRelations, ...rows);

const reads = (maxTokens: number, keptUnits: number): Partial<CheckSettings> => ({
  model: {
    name: 'a model',
    maxTokens,
    mayBeTooLong: () => true,
    count: () => ({ tokens: 12, keptUnits }),
  },
});

const labelled = (...labels: string[]) => {
  const random = createRandom(9);
  return jsonl(...labels.map((label) => ({ text: sentence(random), label })));
};
const often = (label: string, count: number) => Array<string>(count).fill(label);
const train = (...labels: string[]): WholeDataset => {
  const random = createRandom(8);
  const rows = labels.map((label) => ({ text: sentence(random), label }));
  return { split: 'test', others: [asSplit('train', 'train.jsonl', open(jsonl(...rows)))] };
};
const shared = 'The only text that stands in both of the files is this one about a kettle.';
const holding: WholeDataset = { split: 'test', others: [asSplit('train', 'train.jsonl', open(review(shared)))] };
const columns = (of: (row: number) => object) => {
  const random = createRandom(7);
  return jsonl(
    ...Array.from({ length: 200 }, (_, row) => ({ text: sentence(random), label: 'xyz'[row % 3], ...of(row) })),
  );
};
const long = 'After a long week the ferry to Split was late again and nobody on board could say why it was';

const pairs: Readonly<Record<CheckCode, Pair>> = {
  'assay/unreadable-row': [`${review('Fine')}\n{"text": "Cut`, review('Fine')],
  'assay/span-out-of-bounds': [relations(relation({ pos: [0, 99] }, orbel)), relations()],
  'assay/entity-not-found': [
    'text,head,tail,relation\nAnn lives in Rome,Ann,Rome,lives\nBo lives in Oslo,Bo,Bergen,lives\nCy left Bonn,Cy,Bonn,left\n',
    'text,head,tail,relation\nAnn lives in Rome,Ann,Rome,lives\nBo lives in Oslo,Bo,Oslo,lives\nCy left Bonn,Cy,Bonn,left\n',
  ],
  'assay/multi-label': [
    '__label__good So it goes on\n__label__good __label__bad And on again\n__label__bad It ends\n',
    '__label__good So it goes on\n__label__bad And on again\n__label__bad It ends\n',
  ],
  'assay/empty-text': [review(' \t'), review('!')],
  'assay/entities-cross': [relations(relation(mira, { name: 'Vance founded', pos: [5, 18] })), relations()],
  'assay/entities-equal': [relations(relation(orbel, orbel)), relations()],
  'assay/entity-name': [relations(relation({ ...mira, name: 'Lena Vance' }, orbel)), relations()],
  'assay/inclusive-end': [relations(relation({ ...mira, pos: [0, 9] }, orbel)), relations()],
  'assay/markers': [
    review('The <e1>cat sat on the mat while it rained outside'),
    review('Where a < b and e1 > e2 the proof is done in a line'),
  ],
  'assay/misspelt-label': [
    labelled(...often('positive', 60), ...often('negative', 60), 'postive'),
    labelled(...often('increase', 60), ...often('decrease', 2), 'neutral'),
  ],
  'assay/unknown-label': [
    { text: labelled(...often('good', 20), ...often('bad', 20), 'odd'), dataset: train('good', 'bad', 'good') },
    { text: labelled(...often('good', 20), ...often('bad', 20)), dataset: train('good', 'bad', 'odd') },
  ],
  'assay/duplicate': [jsonl({ text: long, label: 'bad' }, { text: long.toUpperCase(), label: 'bad' }), review(long)],
  'assay/near-duplicate': [
    jsonl({ text: long, label: 'bad' }, { text: `Well: ${long}`, label: 'bad' }),
    jsonl({ text: long, label: 'bad' }, { text: `${long.slice(0, 40)} a quiet end`, label: 'bad' }),
  ],
  'assay/leakage': [
    { text: review(shared.toUpperCase()), dataset: { ...holding, split: 'test' } },
    { text: review(shared), dataset: { ...holding, split: 'train' } },
  ],
  'assay/conflicting-labels': [
    jsonl({ text: long, label: 'bad' }, { text: long, label: 'good' }),
    jsonl({ text: long, label: 'bad' }, { text: long, label: 'bad' }),
  ],
  'assay/truncated-input': [
    { text: review('Fine'), settings: reads(10, 5) },
    { text: review('Fine'), settings: reads(12, 5) },
  ],
  'assay/truncated-entity': [
    { text: relations(), settings: reads(10, 21) },
    { text: relations(), settings: reads(10, 34) },
  ],
  'assay/mixed-language': [
    review(`${long} а потом мы долго ждали автобус и говорили о погоде`),
    review('The soup was cold and nobody came to Москва with us'),
  ],
  'assay/other-language': [
    review('Суп был холодный, а официант был груб с нами'),
    review('The soup was cold and so were we'),
  ],
  'assay/control-character': [review('A fine\u0007 film'), review('A fine\tfilm, 👩\u200d🚒')],
  'assay/mojibake': [review('A cafÃ© in a side street'), review('SÃO PAULO, a café')],
  'assay/html': [review('A fine film<br />and a long one'), review('It is < 3 and > 2, R&D; I <3 it')],
  'assay/replacement-character': [review('A caf\ufffd in a side street'), review('A café? in a side street')],
  'assay/class-imbalance': [
    labelled(...often('good', 110), ...often('bad', 11)),
    labelled(...often('good', 99), ...often('bad', 11)),
  ],
  'assay/few-examples': [
    labelled(...often('good', 30), ...often('bad', 9)),
    labelled(...often('good', 30), ...often('bad', 10)),
  ],
  'assay/unseen-label': [
    { text: labelled(...often('good', 20), ...often('bad', 20), ...often('odd', 5)), dataset: train('good', 'bad') },
    { text: labelled(...often('good', 20), ...often('bad', 20)), dataset: train('good', 'bad') },
  ],
  'assay/label-copy': [
    columns((row) => ({ label_text: ['one', 'two', 'three'][row % 3] })),
    columns((row) => ({ label_text: ['one', 'two', 'three'][(row * 7 + (row >> 2)) % 3] })),
  ],
  'assay/label-leak': [columns((row) => ({ id: `${'abc'[row % 3]}-${row}` })), columns((row) => ({ id: `a-${row}` }))],
};

describe('dataset checks: every kind', () => {
  for (const [code, [faulty, sound]] of Object.entries(pairs)) {
    it(`${code} is told of a faulty file, and not of a sound one`, () => {
      const found = codesIn(faulty);
      assert.ok(found.has(code), `only ${[...found].join()}`);
      assert.ok(!codesIn(sound).has(code), 'told of the sound file');
    });
  }

  it('has a page that says what it means', () => {
    for (const code of Object.keys(catalogue)) {
      assert.ok(existsSync(path.join(ASSAY_ROOT, 'docs', 'findings', `${code.slice('assay/'.length)}.md`)), code);
    }
  });
});
