import type { ColumnCandidate, ColumnChoice } from '../../protocol/dataset';
import {
  type EntityCompanions,
  entityCompanions,
  entityPairs,
  goldNameScore,
  isIdName,
  isLabelValue,
  isLookAlike,
  normalised,
  textNameScore,
  tokenListNames,
} from './column-names';
import { MissingColumns, NotADataset } from './dataset';
import { occurrences, shortened } from './entities';
import { standingEntities } from './entity-columns';
import type { SampleRow } from './sample-row';

/** As many rows as detection looks at. */
export const SAMPLE_ROWS = 200;

export interface ColumnGuess {
  columns: ColumnChoice;
  confidence: number;
}

interface Profile {
  name: string;
  filled: number;
  /** Share of the filled cells. */
  textual: number;
  numeric: number;
  tokens: number;
  places: number;
  distinct: number;
  meanWords: number;
  maxLength: number;
  values: Set<string>;
  /** Its values are whole numbers, each one more than that of the row before: they number the rows. */
  countsUp: boolean;
}

function profileOf(name: string, rows: readonly SampleRow[]): Profile {
  const counts = { text: 0, number: 0, boolean: 0, tokens: 0, place: 0, other: 0 };
  const values = new Set<string>();
  let filled = 0;
  let words = 0;
  let maxLength = 0;
  let countsUp = true;
  let former: string | null = null;
  for (const row of rows) {
    const cell = row.get(name);
    if (cell === undefined || cell.value.trim() === '') continue;
    filled++;
    counts[cell.kind]++;
    const value = cell.value.trim();
    values.add(value);
    countsUp &&= /^\d{1,15}$/.test(value) && (former === null || Number(value) === Number(former) + 1);
    former = value;
    words += wordCount(cell.value);
    maxLength = Math.max(maxLength, cell.value.length);
  }
  const of = (count: number) => (filled === 0 ? 0 : count / filled);
  return {
    name,
    filled,
    textual: of(counts.text),
    numeric: of(counts.number),
    tokens: of(counts.tokens),
    places: of(counts.place),
    distinct: values.size,
    meanWords: of(words),
    maxLength,
    values,
    countsUp: countsUp && filled > 1,
  };
}

const cjk = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;

/** Words between white space; two characters of scripts without spaces count as one. */
export function wordCount(value: string): number {
  const spaced = value.match(/\S+/g)?.length ?? 0;
  return Math.max(spaced, Math.ceil((value.match(cjk)?.length ?? 0) / 2));
}

/** The columns of a sample, in the order they are met. */
export function columnNames(rows: readonly SampleRow[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of row.keys()) names.add(name);
  return [...names];
}

/** Every column with up to three different values. */
export function columnCandidates(names: readonly string[], rows: readonly SampleRow[]): ColumnCandidate[] {
  return names.map((name) => {
    const examples = new Set<string>();
    for (const row of rows) {
      const value = row.get(name)?.value.trim();
      if (value) examples.add(shortened(value));
      if (examples.size === 3) break;
    }
    return { name, examples: [...examples] };
  });
}

/**
 * Says which columns hold what, by their names and by their values. `named`: the names are the file's own, not `#3`.
 * Null if no column holds text, or if nothing but its shape speaks for the text.
 */
export function guessColumns(names: readonly string[], rows: readonly SampleRow[], named: boolean): ColumnGuess | null {
  const profiles = names.map((name) => profileOf(name, rows)).filter((profile) => profile.filled > 0);
  const text = named ? textByName(profiles, rows.length) : null;
  const chosen = text ?? textByShape(profiles);
  if (chosen === null) return null;
  const pair = named
    ? guessEntities(names, profiles, rows, chosen.profile)
    : standingEntities(names, rows, chosen.profile.name);
  const taken = new Set([chosen.profile.name]);
  if (pair !== null) for (const name of pairColumns(pair, names)) taken.add(name);
  // Words of two columns in nearly all texts: that is more than the shape of the texts alone.
  const isStanding = pair !== null && !named;
  const gold = guessGold(profiles, rows.length, taken, named) ?? (isStanding ? onlyShort(profiles, taken) : null);
  const isTokens = chosen.profile.tokens > 0.5;
  // An unlabelled file is taken for a dataset only if its text is surely named so.
  if (gold === null && (pair === null || chosen.score < 0.5) && (chosen.score < 0.7 || isTokens)) return null;
  const id = profiles.find((profile) => isId(profile, taken) && profile.name !== gold?.profile.name);
  const columns: ColumnChoice = { task: pair === null ? 'sentiment' : 'relation', text: chosen.profile.name };
  if (gold !== null) columns.gold = gold.profile.name;
  if (pair !== null) {
    columns.head = pair.head;
    columns.tail = pair.tail;
  }
  if (id !== undefined) columns.id = id.name;
  const confidence = Math.min(1, (isStanding ? 0.65 : chosen.score) * 0.5 + (gold?.score ?? 0.3) * 0.5);
  return { columns, confidence: Math.round(confidence * 100) / 100 };
}

interface Scored {
  profile: Profile;
  score: number;
}

function best(scored: readonly Scored[]): Scored | null {
  let winner: Scored | null = null;
  for (const each of scored) if (each.score > 0 && (winner === null || each.score > winner.score)) winner = each;
  return winner;
}

/** Of names that say text and other things alike (title, description), the one with the longest texts. */
function textByName(profiles: readonly Profile[], rowCount: number): Scored | null {
  const byLength = [...profiles].sort((a, b) => b.meanWords - a.meanWords);
  return best(
    byLength.map((profile) => {
      if (profile.filled < rowCount * 0.5) return { profile, score: 0 };
      if (profile.tokens > 0.5) return { profile, score: tokenListNames.includes(normalised(profile.name)) ? 0.95 : 0 };
      const textual = profile.textual > 0.5 && profile.numeric < 0.5;
      return { profile, score: textual ? textNameScore(profile.name) : 0 };
    }),
  );
}

/** The column of the longest texts, if they are sentences and hardly repeat. */
function textByShape(profiles: readonly Profile[]): Scored | null {
  const texts = profiles.filter(
    (profile) =>
      profile.textual > 0.5 &&
      profile.meanWords >= 3 &&
      profile.distinct >= profile.filled * 0.5 &&
      !isLookAlike(profile.name),
  );
  const longest = texts.reduce<Profile | null>((a, b) => (a === null || b.meanWords > a.meanWords ? b : a), null);
  return longest === null ? null : { profile: longest, score: 0.45 };
}

/** The one column beside a text and its entities, however few of its labels are repeated. */
function onlyShort(profiles: readonly Profile[], taken: ReadonlySet<string>): Scored | null {
  const free = profiles.filter(({ name }) => !taken.has(name));
  const [only] = free;
  if (only === undefined || free.length > 1 || only.meanWords > 4 || only.maxLength > 60 || only.countsUp) return null;
  return { profile: only, score: 0.2 };
}

function guessGold(
  profiles: readonly Profile[],
  rowCount: number,
  taken: ReadonlySet<string>,
  named: boolean,
): Scored | null {
  const free = profiles.filter(
    (profile) => !taken.has(profile.name) && profile.places < 0.5 && (profile.tokens < 0.5 || profile.meanWords <= 2),
  );
  return best(
    free.map((profile) => {
      const name = named ? goldNameScore(profile.name) : 0;
      const shape = categoryShape(profile);
      // A sparsely filled "gold" column beside a full one is an annotator's check, not the label.
      const filled = profile.filled / rowCount;
      const fullness = filled < 0.3 ? filled + 0.1 : 0.4 + 0.6 * filled;
      if (name > 0) {
        const isDoubtful = isMeasured(profile) || numbersRows(profile);
        if (profile.maxLength > 120 || (isDoubtful && name < SURE_NAME)) return { profile, score: 0 };
        return { profile, score: name * fullness * (0.6 + 0.4 * shape) * (isDoubtful ? 0.3 : 1) };
      }
      if (named && (isLookAlike(profile.name) || isIdName(profile.name))) return { profile, score: 0 };
      if (filled <= 0.9 || numbersRows(profile)) return { profile, score: 0 };
      // Numbers that never repeat may be a row's own as well: a column that does, or holds words, is the label.
      const isOwn = profile.numeric > 0.9 && profile.distinct === profile.filled;
      // Of two alike the one of fewer values (names of entities are repeated too), but not one that is the same everywhere.
      const spread = profile.distinct === 1 ? 0.9 : 1 - profile.distinct / profile.filled / 100;
      return { profile, score: shape * (isOwn ? (profile.countsUp ? 0.15 : 0.2) : 0.45) * spread };
    }),
  );
}

/** Names that say label, and nothing else. */
const SURE_NAME = 0.85;

/** Of two rows nobody can tell whether they are numbered or labelled. */
function numbersRows({ countsUp, filled }: Profile): boolean {
  return countsUp && filled > 2;
}

/** Whether a column holds what was measured (0.8134), not what was chosen of a few (1 to 5 stars, in halves too). */
function isMeasured({ numeric, values, distinct }: Profile): boolean {
  if (numeric < 0.9) return false;
  const fractions = [...values].filter(
    (value) => /\.\d*[1-9]/.test(value) && !/\.(?:50*|250*|750*)$/.test(value),
  ).length;
  return fractions > distinct * 0.3 || distinct > 21;
}

/** 0 to 1: how much a column's values are like labels: short, few, repeated. */
function categoryShape(profile: Profile): number {
  if (profile.meanWords > 4 || profile.maxLength > 60) return 0;
  const known = [...profile.values].filter((value) => isLabelValue(value) || /^-?[0-9](\.0)?$/.test(value)).length;
  if (known === profile.distinct && profile.distinct <= 10) return 1;
  if (profile.filled < 3 || profile.distinct === profile.filled) return 0;
  const share = profile.distinct / profile.filled;
  if (profile.distinct <= 12) return share <= 0.5 ? 0.9 : 0.5;
  return share <= 0.5 ? 0.6 : 0;
}

function isId(profile: Profile, taken: ReadonlySet<string>): boolean {
  return (
    isIdName(profile.name) &&
    !taken.has(profile.name) &&
    profile.textual + profile.numeric > 0.9 &&
    profile.distinct === profile.filled
  );
}

/**
 * Whether columns found within an object of any kind are a dataset's: texts of several words, and a label that is named so. (A
 * tokenizer's tokens and the turns of a chat are not.)
 */
export function isSurelyLabelled({ text, gold }: ColumnChoice, rows: readonly SampleRow[]): boolean {
  const words = rows.map((row) => wordCount(row.get(text ?? '')?.value ?? ''));
  const mean = words.reduce((sum, count) => sum + count, 0) / Math.max(1, words.length);
  return mean >= 2 && gold !== undefined && goldNameScore(gold) > 0;
}

/** Head and tail, if two columns are named so and hold places or offsets, else if they hold words that stand in the text. */
function guessEntities(
  names: readonly string[],
  profiles: readonly Profile[],
  rows: readonly SampleRow[],
  text: Profile,
): { head: string; tail: string } | null {
  const byName = new Map(profiles.map((profile) => [profile.name, profile]));
  const pairs = entityPairs(names).flatMap((pair) => {
    const head = byName.get(pair.head);
    const tail = byName.get(pair.tail);
    return head === undefined || tail === undefined || head === text || tail === text ? [] : [{ pair, head, tail }];
  });
  const placed = pairs.find(({ pair, head, tail }) => {
    if (head.places > 0.5 && tail.places > 0.5) return true;
    const ends = entityCompanions(pair.head, names).end !== null && entityCompanions(pair.tail, names).end !== null;
    return ends && head.numeric > 0.5 && tail.numeric > 0.5;
  });
  const found =
    placed ??
    pairs.find(
      ({ pair, head, tail }) => head.textual > 0.5 && tail.textual > 0.5 && standInText(pair, rows, text.name),
    );
  return found?.pair ?? null;
}

/**
 * Whether the columns that say where entities end name the last word or character, or the one behind: told by the columns that hold the
 * entities' words. Null: there are none, or they fit neither.
 */
export function endsAreInclusive(
  rows: readonly SampleRow[],
  text: string | undefined,
  entities: readonly { start: string; companions: EntityCompanions }[],
): boolean | null {
  let inclusive = 0;
  let exclusive = 0;
  for (const { start, companions } of entities) {
    if (companions.end === null || companions.name === null) continue;
    for (const row of rows) {
      const content = row.get(text ?? '');
      const name = row.get(companions.name);
      const from = Number(row.get(start)?.value ?? Number.NaN);
      const to = Number(row.get(companions.end)?.value ?? Number.NaN);
      if (content === undefined || name === undefined || Number.isNaN(from) || Number.isNaN(to)) continue;
      const isTokens = content.kind === 'tokens';
      const units = isTokens ? content.value.split(' ') : Array.from(content.value);
      const says = (end: number) => units.slice(from, end).join(isTokens ? ' ' : '') === name.value;
      if (says(to)) exclusive++;
      else if (says(to + 1)) inclusive++;
    }
  }
  return inclusive === exclusive ? null : inclusive > exclusive;
}

function standInText(pair: { head: string; tail: string }, rows: readonly SampleRow[], text: string): boolean {
  let asked = 0;
  let found = 0;
  for (const row of rows) {
    const value = row.get(text)?.value;
    const head = row.get(pair.head)?.value;
    const tail = row.get(pair.tail)?.value;
    if (value === undefined || head === undefined || tail === undefined) continue;
    asked++;
    if (occurrences(value, head).length > 0 && occurrences(value, tail).length > 0) found++;
  }
  return asked > 0 && found >= asked * 0.5;
}

function pairColumns(pair: { head: string; tail: string }, names: readonly string[]): string[] {
  return [pair.head, pair.tail].flatMap((column) => {
    const companions = entityCompanions(column, names);
    return [column, companions.end, companions.name, companions.type].filter((name) => name !== null);
  });
}

/** Makes sure that every chosen column is there. @throws NotADataset */
export function checkChoice(choice: ColumnChoice, names: readonly string[]): void {
  const chosen = [choice.text, choice.gold, choice.head, choice.tail, choice.id].filter((name) => name !== undefined);
  const missing = chosen.filter((name) => !names.includes(name));
  const [first] = missing;
  if (first !== undefined) {
    const parts = names.filter((name) => name.startsWith(`${first}.`));
    throw new MissingColumns(
      parts.length > 0
        ? `"${shortened(first)}" is an object whose parts are columns of their own: ${listed(parts)}. Choose one of them.`
        : `There is no column "${shortened(first)}" in this file. It has: ${listed(names)}. Choose other columns.`,
      missing.length,
      names,
    );
  }
  if (choice.text === undefined) throw new NotADataset(`No text column was chosen. The file has: ${listed(names)}.`);
}

/** Names for a sentence, the first few of them. */
export function listed(names: readonly string[], max = 8): string {
  const shown = names.slice(0, max).map((name) => `"${shortened(name, 30)}"`);
  return names.length > max ? `${shown.join(', ')} and ${names.length - max} more` : shown.join(', ');
}
