import type { EntityMisfit, Example } from '../dataset';
import { shortened } from '../entities';
import { isNamed } from '../entity-names';
import type { CheckedFile } from './file-check';
import type { CheckFinding } from './finding';

/** From so many of the rows with a name on, ends that are off by one are the way of the file, not slips. */
const RULE_SHARE = 0.5;
const RULE_ROWS = 3;
/** Without names: the share of rows with an empty entity that shows that ends were taken for exclusive ones. */
const EMPTY_SHARE = 0.1;
const SLICE_ROWS = 20_000;

interface Shifted {
  example: Example;
  misfit: EntityMisfit;
  by: 1 | -1;
}

/**
 * Entities that are not what their row says they are; those that would be if they ended one word or character further on, or
 * earlier, are told as such (an inclusive end that was taken for an exclusive one), and the file is judged as a whole.
 */
export function* entityNames({ examples, task }: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  if (task !== 'relation') return found;
  const shifted: Shifted[] = [];
  let empty = 0;
  let firstEmpty: Example | null = null;
  let isAnyFilled = false;
  let isAnyBehindText = false;
  for (const [index, example] of examples.entries()) {
    if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
    const { text, spans, misfits } = example;
    if (spans !== null) {
      const { head, tail } = spans;
      const [isHeadEmpty, isTailEmpty] = [head.start === head.end, tail.start === tail.end];
      if (isHeadEmpty || isTailEmpty) {
        empty++;
        firstEmpty ??= example;
      }
      isAnyFilled ||= !isHeadEmpty || !isTailEmpty;
      isAnyBehindText ||= (isHeadEmpty && head.start === text.length) || (isTailEmpty && tail.start === text.length);
    }
    for (const misfit of misfits ?? []) {
      const by = misfit.isListed ? 0 : shiftOf(example, misfit);
      if (by === 0) found.push(misnamed(example, misfit));
      else shifted.push({ example, misfit, by });
    }
  }
  const rows = new Set(shifted.map(({ example }) => example)).size;
  const isRule = rows >= RULE_ROWS && rows >= examples.length * RULE_SHARE;
  const rule = isRule
    ? ` So it is in ${rows} of ${examples.length} rows: the ends in this file are counted otherwise than they are read.`
    : '';
  for (const each of shifted) found.push(shiftedEnd(each, rule));
  // Masked entities: all of them are empty, or one stands behind the last word, which an end that names a word cannot.
  const isMasked = !isAnyFilled || isAnyBehindText;
  const isOften = empty >= Math.max(RULE_ROWS, examples.length * EMPTY_SHARE);
  if (firstEmpty !== null && shifted.length === 0 && isOften && !isMasked) {
    found.push({
      code: 'assay/inclusive-end',
      example: firstEmpty,
      place: { part: 'row' },
      message: `In ${empty} of ${examples.length} rows an entity holds no word: it starts where it ends. If the ends in this file name the last word, they are taken for the word behind it; write them one higher. If these entities are masked on purpose, this is right.`,
      related: [],
      fix: null,
    });
  }
  return found;
}

function misnamed(example: Example, { role, name }: EntityMisfit): CheckFinding {
  const span = example.spans![role];
  const words = shortened(example.text.slice(span.start, span.end));
  return {
    code: 'assay/entity-name',
    example,
    place: { part: 'text', span },
    message: `The ${role} is “${words}”, but the row says that it is “${shortened(name)}”. Correct its place or its name.`,
    related: [],
    fix: null,
  };
}

function shiftedEnd({ example, misfit, by }: Shifted, rule: string): CheckFinding {
  const { role, name, end } = misfit;
  const span = example.spans![role];
  const words = shortened(example.text.slice(span.start, span.end));
  const how = by === 1 ? 'stops one short of' : 'goes one further than';
  return {
    code: 'assay/inclusive-end',
    example,
    place: { part: 'text', span },
    message: `The ${role} “${words}” ${how} “${shortened(name)}”, its name in the row: its end is counted ${by === 1 ? 'inclusively where it is read as exclusive' : 'exclusively where it is read as inclusive'}.${rule}`,
    related: [],
    fix:
      end === null
        ? null
        : { kind: 'add-to-number', digits: end, by, title: `${by === 1 ? 'Raise' : 'Lower'} the end by one` },
  };
}

/** 1: the entity would be what its name says if it ended one word or character further on; -1: one earlier; 0: neither. */
function shiftOf({ text, spans }: Example, { role, name }: EntityMisfit): 1 | -1 | 0 {
  const { start, end } = spans![role];
  const fits = (to: number) => to > start && isNamed(text.slice(start, to), name);
  const nextCharacter = end + String.fromCodePoint(text.codePointAt(end) ?? 32).length;
  const nextWord = end + (/^\s*\S+/.exec(text.slice(end, end + 200))?.[0].length ?? 0);
  if (end < text.length && (fits(nextCharacter) || fits(nextWord))) return 1;
  const lastWord = start + text.slice(start, end).search(/\s+\S+$/);
  return fits(end - 1) || (lastWord > start && fits(lastWord)) ? -1 : 0;
}
