import type { CheckCode } from '../../../../src/engine/datasets/checks/catalogue';
import { createRandom, type Random } from '../../../../src/engine/statistics/random';

/** Datasets of our own with faults whose places are known. */

export interface PlantedRow {
  text: string;
  label: string;
}

export interface Planted<Row> {
  rows: Row[];
  /** What is to be found on which row. */
  faults: Map<CheckCode, Set<number>>;
}

const openers = 'When After Before While Since Because Although'.split(' ');
const links = 'and but so because until while that where'.split(' ');
const small = 'the a this every my our their one some'.split(' ');
const verbs = 'carried mended painted forgot praised counted lifted crossed borrowed sold cleaned wanted'.split(' ');
const relations = 'of in on near under behind with from for at'.split(' ');

/** 1,500 nouns that no language has. */
const nouns = (() => {
  const random = createRandom(77);
  const found = new Set<string>();
  while (found.size < 1500) {
    let noun = '';
    for (let syllable = 2 + random.int(2); syllable > 0; syllable--) {
      noun += 'bdfgklmnprstvz'[random.int(14)]! + 'aeiou'[random.int(5)]!;
    }
    found.add(`${noun}${'nlrskt'[random.int(6)]}`);
  }
  return [...found];
})();

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.int(list.length)]!;
}

/** An English sentence of about 26 words, as it stands in no other row. */
export function sentence(random: Random): string {
  const noun = () => `${pick(random, small)} ${pick(random, nouns)}`;
  const clause = () => `${noun()} ${pick(random, relations)} ${noun()} ${pick(random, verbs)} ${noun()}`;
  return `${pick(random, openers)} ${clause()}, ${clause()} ${pick(random, links)} ${clause()}.`;
}

export function invented(random: Random): string {
  return pick(random, nouns);
}

const foreign = [
  'Das Hotel war sauber, aber niemand am Empfang konnte uns sagen, wann das Frühstück endet',
  "L'hôtel était propre mais personne ne savait quand finissait le petit déjeuner dans la salle",
  'El hotel estaba limpio pero nadie en la recepción sabía cuándo terminaba el desayuno',
  'Суп был холодный, а официант был груб с нами весь вечер',
  '汤是冷的，服务员态度很差，我们等了一个小时',
];

const labels = ['positive', 'negative', 'neutral', 'mixed feelings'];
const misspelt: readonly (readonly [wrong: string, label: string])[] = [
  ['postive', 'positive'],
  ['positve', 'positive'],
  ['possitive', 'positive'],
  ['Positive', 'positive'],
  ['negatve', 'negative'],
  ['negaitve', 'negative'],
  ['NEGATIVE', 'negative'],
  ['neutrl', 'neutral'],
  ['nuetral', 'neutral'],
  ['mixed-feelings', 'mixed feelings'],
  ['mixed feelngs', 'mixed feelings'],
];

/** Another word in the middle of a text; of 26 words 23 of 27 pairs stay. */
export function nearCopy(random: Random, text: string): string {
  const words = text.split(' ');
  const at = 2 + random.int(words.length - 4);
  words[at] = `${invented(random)}${invented(random)}`;
  return words.join(' ');
}

type Spoil = (random: Random, row: PlantedRow, original: PlantedRow) => PlantedRow;

/** Each kind of fault, made of a clean row; some copy an original before it. */
const faultsOfRows: Readonly<Partial<Record<CheckCode, Spoil>>> = {
  'assay/empty-text': (random, { label }) => ({ text: [' ', '   ', '\u3000', '\t '][random.int(4)]!, label }),
  'assay/control-character': (random, { text, label }) => ({
    text: inserted(random, text, ['\u0007', '\u200b', '\u00ad', '\u0000', '\u202e'][random.int(5)]!),
    label,
  }),
  'assay/mojibake': (random, { text, label }) => ({
    text: inserted(random, text, ['â€™', ' cafÃ© ', ' Ã¼ber ', ' ðŸ˜€ '][random.int(4)]!),
    label,
  }),
  'assay/html': (random, { text, label }) => ({
    text: inserted(random, text, ['<br />', '&amp;', ' <b>so</b> ', '&#39;', '&nbsp;'][random.int(5)]!),
    label,
  }),
  'assay/replacement-character': (random, { text, label }) => ({ text: inserted(random, text, '\ufffd'), label }),
  'assay/duplicate': (random, _, { text, label }) => ({
    text: [text, text.toUpperCase(), ` ${text.replaceAll(' ', '  ')} `, text.toLowerCase()][random.int(4)]!,
    label,
  }),
  'assay/near-duplicate': (random, _, { text, label }) => ({ text: nearCopy(random, text), label }),
  'assay/conflicting-labels': (_, __, { text, label }) => ({
    text,
    label: labels[(labels.indexOf(label) + 1) % labels.length]!,
  }),
  'assay/misspelt-label': (random, { text }) => ({ text, label: pick(random, misspelt)[0] }),
  'assay/other-language': (random, { label }) => ({
    text: `${pick(random, foreign)}: ${Array.from({ length: 4 }, () => invented(random)).join(', ')} ${random.uint32()}`,
    label,
  }),
  'assay/mixed-language': (random, { text, label }) => ({
    text: `${text} ${['Das war nicht gut und wir kommen auch nicht wieder, weil der Kellner so unfreundlich war.', 'а потом мы долго ждали автобус и говорили о погоде', '我们等了一个小时才拿到另一个房间，早餐也没有'][random.int(3)]} ${random.uint32()}`,
    label,
  }),
};

function inserted(random: Random, text: string, part: string): string {
  const at = 8 + random.int(text.length - 16);
  return text.slice(0, at) + part + text.slice(at);
}

/** `share` of the rows with each kind of fault, no row with two; the originals of copies have none but a conflict's. */
export function plantedRows(count: number, share: number, seed: number): Planted<PlantedRow> {
  const random = createRandom(seed);
  const rows: PlantedRow[] = Array.from({ length: count }, () => ({
    text: sentence(random),
    label: pick(random, labels),
  }));
  const faults = new Map<CheckCode, Set<number>>();
  const free = Array.from({ length: count }, (_, row) => row);
  const draw = () => {
    const at = random.int(free.length);
    const row = free[at]!;
    free[at] = free[free.length - 1]!;
    free.pop();
    return row;
  };
  for (const [code, spoil] of Object.entries(faultsOfRows) as [CheckCode, Spoil][]) {
    const found = new Set<number>();
    faults.set(code, found);
    for (let number = 0; number < count * share; number++) {
      const [first, second] = [draw(), draw()].sort((a, b) => a - b) as [number, number];
      rows[second] = spoil(random, rows[second]!, rows[first]!);
      found.add(second);
      if (code === 'assay/conflicting-labels') found.add(first);
      // An original stays clean; a row that was copied from none is free again.
      if (!copies.has(code)) free.push(first);
    }
  }
  return { rows, faults };
}

const copies: ReadonlySet<CheckCode> = new Set(['assay/duplicate', 'assay/near-duplicate', 'assay/conflicting-labels']);

export interface PlantedRelation {
  text: string;
  h: { name: string; pos: [number, number] };
  t: { name: string; pos: [number, number] };
  relation: string;
}

function relationRow(random: Random): PlantedRelation {
  const [head, tail] = [
    `${invented(random)} ${invented(random)}`,
    `${invented(random)} ${invented(random)} ${invented(random)}`,
  ];
  const before = sentence(random).slice(0, -1);
  const text = `${before} and the ${head} ${pick(random, verbs)} the ${tail} ${pick(random, relations)} ${invented(random)}.`;
  const h = text.indexOf(head, before.length);
  const t = text.indexOf(tail, h + head.length);
  return {
    text,
    h: { name: head, pos: [h, h + head.length] },
    t: { name: tail, pos: [t, t + tail.length] },
    relation: pick(random, ['Cause-Effect(e1,e2)', 'Cause-Effect(e2,e1)', 'Entity-Origin(e1,e2)', 'Other']),
  };
}

type SpoilRelation = (random: Random, row: PlantedRelation, original: PlantedRelation) => PlantedRelation;

const faultsOfRelations: Readonly<Partial<Record<CheckCode, SpoilRelation>>> = {
  'assay/duplicate': (_, __, original) => original,
  'assay/near-duplicate': (random, _, original) => {
    // In front of both entities, which move by as much.
    const word = `${invented(random)} `;
    const moved = ({ name, pos: [start, end] }: PlantedRelation['h']) => ({
      name,
      pos: [start + word.length, end + word.length] as [number, number],
    });
    return { ...original, text: word + original.text, h: moved(original.h), t: moved(original.t) };
  },
  'assay/conflicting-labels': (_, __, original) => ({
    ...original,
    relation: original.relation === 'Other' ? 'Entity-Origin(e1,e2)' : 'Other',
  }),
  'assay/entities-equal': (_, row) => ({ ...row, t: row.h }),
  'assay/entities-cross': (_, row) => ({
    ...row,
    h: { name: row.text.slice(row.h.pos[0], row.t.pos[0] + 3), pos: [row.h.pos[0], row.t.pos[0] + 3] },
  }),
  'assay/entity-name': (random, row) => ({ ...row, h: { ...row.h, name: `${invented(random)} ${row.h.name}` } }),
  'assay/inclusive-end': (_, row) => ({ ...row, t: { ...row.t, pos: [row.t.pos[0], row.t.pos[1] - 1] } }),
  'assay/misspelt-label': (random, row) => ({
    ...row,
    relation: pick(random, ['Cause-Efect(e1,e2)', 'Cuase-Effect(e1,e2)', 'cause effect(e1,e2)', 'Entity-Orgin(e1,e2)']),
  }),
};

/** Likewise of relations; as many rows again repeat a text with other entities, which is no fault. */
export function plantedRelations(count: number, share: number, seed: number): Planted<PlantedRelation> {
  const random = createRandom(seed);
  const rows = Array.from({ length: count }, () => relationRow(random));
  const faults = new Map<CheckCode, Set<number>>();
  const free = Array.from({ length: count }, (_, row) => row);
  const draw = () => free.splice(random.int(free.length), 1)[0]!;
  for (const [code, spoil] of Object.entries(faultsOfRelations) as [CheckCode, SpoilRelation][]) {
    const found = new Set<number>();
    faults.set(code, found);
    for (let number = 0; number < count * share; number++) {
      const [first, second] = [draw(), draw()].sort((a, b) => a - b) as [number, number];
      rows[second] = spoil(random, rows[second]!, rows[first]!);
      found.add(second);
      if (code === 'assay/conflicting-labels') found.add(first);
    }
  }
  for (let number = 0; number < count * share; number++) {
    const [first, second] = [draw(), draw()].sort((a, b) => a - b) as [number, number];
    const { text, h, t, relation } = rows[first]!;
    rows[second] = { text, h: t, t: h, relation: relation === 'Other' ? 'Entity-Origin(e1,e2)' : 'Other' };
  }
  return { rows, faults };
}
