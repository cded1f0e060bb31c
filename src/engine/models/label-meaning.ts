/** What a label's own name tells: a feeling, a number of stars, a number. */

export type LabelMeaning =
  /** -2 very negative, -1 negative, 0 neutral, 1 positive, 2 very positive. `loose`: another word for it. */
  | { kind: 'polarity'; value: number; loose: boolean }
  | { kind: 'stars'; value: number }
  /** A bare number. */
  | { kind: 'number'; value: number }
  /** The number of a label without a name, `LABEL_1`. */
  | { kind: 'index'; value: number };

const polarities: Readonly<Record<string, number>> = { negative: -1, neg: -1, neutral: 0, neu: 0, positive: 1, pos: 1 };

const loosePolarities: Readonly<Record<string, number>> = {
  bad: -1,
  good: 1,
  unfavorable: -1,
  unfavourable: -1,
  favorable: 1,
  favourable: 1,
  false: -1,
  true: 1,
  no: -1,
  yes: 1,
  '-': -1,
  '+': 1,
};

const strengthening = /^(?:very|strongly|extremely|highly|strong) /;
const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five'];

/** Lower case, compatibility forms composed, runs of spaces, underscores and hyphens one space. */
export function words(label: string): string {
  return label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/gu, ' ')
    .trim();
}

/** Two labels with the same canonical form differ only in case, spaces, underscores and hyphens. Null: a number or a sign. */
export function canonical(label: string): string | null {
  if (/^\s*[-+]?[\d.]*\s*$/.test(label)) return null;
  return words(label).replaceAll(' ', '');
}

export function meaningOf(label: string): LabelMeaning | null {
  const trimmed = label.trim();
  if (/^[-+]?\d+(?:\.0+)?$/.test(trimmed)) return { kind: 'number', value: Number(trimmed) };
  const spoken = words(label);
  const index = /^labels? ?(\d+)$/.exec(spoken);
  if (index !== null) return { kind: 'index', value: Number(index[1]) };
  if (/^[★⭐]+☆*$/u.test(trimmed)) return { kind: 'stars', value: Array.from(trimmed.replace(/☆/g, '')).length };
  const stars = /^(\w+) stars?$/.exec(spoken);
  if (stars !== null) {
    const word = numberWords.indexOf(stars[1]!);
    const value = word >= 0 ? word : Number(stars[1]);
    return Number.isInteger(value) ? { kind: 'stars', value } : null;
  }
  const plain = spoken.replace(strengthening, '').replace(/ ?(?:sentiment|review)$/, '');
  const factor = strengthening.test(spoken) ? 2 : 1;
  if (Object.hasOwn(polarities, plain)) return { kind: 'polarity', value: polarities[plain]! * factor, loose: false };
  const word = trimmed.length === 1 ? trimmed : plain;
  if (Object.hasOwn(loosePolarities, word))
    return { kind: 'polarity', value: loosePolarities[word]! * factor, loose: true };
  return null;
}
