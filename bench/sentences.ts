/** Sentences to measure on: written here, from templates, so that everybody measures on the same; no two are equal. */
import { createRandom, type Random } from '../src/engine/statistics/random';

export interface SentimentRow {
  text: string;
  label: 'positive' | 'negative';
}

export interface RelationRow {
  words: string[];
  /** Word indices, end exclusive. */
  head: [number, number];
  tail: [number, number];
  relation: string;
}

const things = words(
  'hotel film kettle novel concert bakery phone jacket museum ferry garden bicycle soup lecture train lamp game cafe',
);
const owners = words('my our their the his her this that every another');
const parts = words(
  'staff ending handle plot sound crust screen lining tour crossing path brakes broth speaker seat switch score coffee',
);
const places = words(
  'Lisbon Oslo Kyoto Quito Perth Leeds Turin Ghent Malmö Cork Graz Split Nantes Bergen Utrecht Évora',
);
const seasons = words('spring summer autumn winter January March May June August October');
const good = words('splendid warm clever gentle bright superb honest lovely sturdy graceful witty generous');
const bad = words('dull rude broken filthy endless shabby bitter careless noisy flimsy stale clumsy');
const openings = [
  'After a long week',
  'On the way home',
  'To be fair',
  'As my sister had warned us',
  'Against all advice',
  'For once',
  'In the pouring rain',
  'With three small children',
];
const endings = [
  'and we talked about it for days',
  'which is more than I can say of the price',
  'though nobody else seemed to notice',
  'and that was only the beginning',
  'so we stayed an hour longer than planned',
  'but the neighbours disagree',
];
const relations = [
  'Cause-Effect(e1,e2)',
  'Component-Whole(e2,e1)',
  'Content-Container(e1,e2)',
  'Entity-Origin(e1,e2)',
  'Product-Producer(e2,e1)',
  'Other',
];

function words(list: string): string[] {
  return list.split(' ');
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.int(list.length)]!;
}

/** About 16 words, 85 characters; `clauses` of them make longer ones. */
function sentence(random: Random, mood: readonly string[], clauses: number): string {
  const written: string[] = [];
  for (let clause = 0; clause < clauses; clause++) {
    const opening = random.int(3) === 0 ? `${pick(random, openings)}, ` : '';
    const ending = random.int(2) === 0 ? `, ${pick(random, endings)}` : '';
    const core = `${pick(random, owners)} ${pick(random, things)} in ${pick(random, places)} was ${pick(random, mood)} last ${pick(random, seasons)}, and the ${pick(random, parts)} ${pick(random, mood)}`;
    written.push(capital(opening + core + ending));
  }
  return `${written.join('. ')}.`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * `longest` 1: sentences of one clause, 60 to 150 characters. More: one to that many clauses, short ones the likelier, as
 * the lengths of real reviews are spread.
 */
export function sentimentRows(count: number, seed: number, longest = 1): SentimentRow[] {
  const random = createRandom(seed);
  const seen = new Set<string>();
  const rows: SentimentRow[] = [];
  while (rows.length < count) {
    const label = random.int(2) === 0 ? 'positive' : 'negative';
    const clauses = 1 + Math.floor(longest * random.uniform() ** 3);
    const text = sentence(random, label === 'positive' ? good : bad, clauses);
    if (seen.has(text)) continue;
    seen.add(text);
    rows.push({ text, label });
  }
  return rows;
}

export function relationRows(count: number, seed: number): RelationRow[] {
  const random = createRandom(seed);
  const seen = new Set<string>();
  const rows: RelationRow[] = [];
  while (rows.length < count) {
    const before = ['The', pick(random, good)];
    const between = ['of', 'the', pick(random, bad), pick(random, things), 'reached', 'a', pick(random, bad)];
    const after = ['in', pick(random, places), 'last', pick(random, seasons), '.'];
    const headAt = before.length;
    const tailAt = headAt + 1 + between.length;
    const row = [...before, pick(random, parts), ...between, pick(random, things), ...after];
    const text = row.join(' ');
    if (seen.has(text)) continue;
    seen.add(text);
    rows.push({
      words: row,
      head: [headAt, headAt + 1],
      tail: [tailAt, tailAt + 1],
      relation: pick(random, relations),
    });
  }
  return rows;
}

export function asJsonLines(rows: readonly SentimentRow[]): string {
  return `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
}

export function asJsonArray(rows: readonly SentimentRow[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}

export function asCsv(rows: readonly SentimentRow[]): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `text,label\n${rows.map(({ text, label }) => `${quoted(text)},${label}`).join('\n')}\n`;
}

/** `token`, `h`, `t`, `relation`: one row a line. */
export function asTokenLines(rows: readonly RelationRow[]): string {
  const entity = (all: readonly string[], pos: [number, number]) => ({ name: all.slice(...pos).join(' '), pos });
  const lines = rows.map(({ words: token, head, tail, relation }) =>
    JSON.stringify({ token, h: entity(token, head), t: entity(token, tail), relation }),
  );
  return `${lines.join('\n')}\n`;
}

export function asSemEval(rows: readonly RelationRow[]): string {
  const records = rows.map(({ words: all, head, tail, relation }, index) => {
    const marked = all.map((word, at) => {
      if (at === head[0]) return `<e1>${word}</e1>`;
      return at === tail[0] ? `<e2>${word}</e2>` : word;
    });
    return `${index + 1}\t"${marked.join(' ')}"\n${relation}\nComment:\n\n`;
  });
  return records.join('');
}
