import type { EntityMisfit, Example } from '../dataset';
import { shortened } from '../entities';
import type { CheckedFile } from './file-check';
import type { CheckFinding, RelatedRow } from './finding';

/** From so many rows on, and this share of all, what does not fit is the way of the file and no slip. */
const RULE_SHARE = 0.5;
const RULE_ROWS = 3;
/** Names that do not stand in the text are told row by row in a file so short. */
const NAMED_OTHERWISE_ROWS = 10;
const RELATED_ROWS = 5;
const SLICE_FINDINGS = 1024;
const SLICE_ROWS = 20_000;

interface Misfit {
  readonly example: Example;
  readonly misfit: EntityMisfit;
}

/** Misfits of one kind. Relations of a document share their entities: each misfit is listed once a record, each row is counted. */
class Misfits {
  readonly list: Misfit[] = [];
  rows = 0;
  #last: Example | null = null;
  readonly #ofRecord = new Set<string>();

  add(example: Example, misfit: EntityMisfit): void {
    if (this.#last !== example) this.rows++;
    if (this.#last?.record !== example.record) this.#ofRecord.clear();
    this.#last = example;
    const { start, end } = example.spans![misfit.role];
    const key = `${start} ${end} ${misfit.name}`;
    if (this.#ofRecord.has(key)) return;
    this.#ofRecord.add(key);
    this.list.push({ example, misfit });
  }

  isRuleOf(rowCount: number): boolean {
    return this.rows >= RULE_ROWS && this.rows >= rowCount * RULE_SHARE;
  }
}

/**
 * Entities that are not what their row says they are. Those that would be if they ended one word or character further on, or earlier, are told
 * as such (an inclusive end that was taken for an exclusive one). What most rows show is told once, of the file; names that most
 * rows do not have in their text are no words of it (a knowledge base's titles), and nothing is said of them.
 */
export function* entityNames({ examples, task }: CheckedFile): Generator<void, readonly CheckFinding[]> {
  if (task !== 'relation') return [];
  const short = new Misfits();
  const long = new Misfits();
  const other = new Misfits();
  for (const [index, example] of examples.entries()) {
    if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
    for (const misfit of example.misfits ?? []) {
      (misfit.endShift === 0 ? other : misfit.endShift === 1 ? short : long).add(example, misfit);
    }
  }
  const found: CheckFinding[] = [];
  for (const shifted of [short, long]) {
    if (shifted.isRuleOf(examples.length)) found.push(shiftedFile(shifted, examples.length));
    else yield* told(shifted.list, shiftedEnd, found);
  }
  if (examples.length < NAMED_OTHERWISE_ROWS || !other.isRuleOf(examples.length)) {
    yield* told(other.list, misnamed, found);
  }
  return found;
}

function* told(
  list: readonly Misfit[],
  tell: (each: Misfit) => CheckFinding,
  to: CheckFinding[],
): Generator<void, void> {
  for (const each of list) {
    to.push(tell(each));
    if (to.length % SLICE_FINDINGS === 0) yield;
  }
}

function wordsOf({ example, misfit: { role } }: Misfit): string {
  const { start, end } = example.spans![role];
  return `“${shortened(example.text.slice(start, end))}”`;
}

function placeOf({ example, misfit: { role } }: Misfit): CheckFinding['place'] {
  const span = example.spans![role];
  return span.start === span.end ? { part: 'row' } : { part: 'text', span };
}

function misnamed(each: Misfit): CheckFinding {
  const { example, misfit } = each;
  return {
    code: 'assay/entity-name',
    example,
    place: placeOf(each),
    message: `The ${misfit.role} is ${wordsOf(each)}, but the row says that it is “${shortened(misfit.name)}”. Correct its place or its name.`,
    related: [],
    fix: null,
  };
}

/** How an entity's end is counted that is off by one. */
function countedAs({ endShift }: EntityMisfit): string {
  return endShift === 1 ? 'inclusively where it is read as exclusive' : 'exclusively where it is read as inclusive';
}

/** `The head “Ada” stops one short of “Ada Lovelace”` */
function offBy(each: Misfit): string {
  const { role, name, endShift } = each.misfit;
  const span = each.example.spans![role];
  const what = span.start === span.end ? `${role}, which is empty,` : `${role} ${wordsOf(each)}`;
  return `The ${what} ${endShift === 1 ? 'stops one short of' : 'goes one further than'} “${shortened(name)}”`;
}

function shiftedEnd(each: Misfit): CheckFinding {
  const { end, endShift } = each.misfit;
  return {
    code: 'assay/inclusive-end',
    example: each.example,
    place: placeOf(each),
    message: `${offBy(each)}, its name in the row: its end is counted ${countedAs(each.misfit)}.`,
    related: [],
    fix:
      end === null || endShift === 0
        ? null
        : { kind: 'move-end', end, by: endShift, title: `${endShift === 1 ? 'Raise' : 'Lower'} the end by one` },
  };
}

/** One finding for all of them, on the first. */
function shiftedFile({ list, rows }: Misfits, rowCount: number): CheckFinding {
  const first = list[0]!;
  const { endShift } = first.misfit;
  const related = list
    .slice(1, 1 + RELATED_ROWS)
    .map((each): RelatedRow => ({ kind: 'here', example: each.example, message: offBy(each) }));
  const verb = endShift === 1 ? 'Raise' : 'Lower';
  return {
    code: 'assay/inclusive-end',
    example: first.example,
    place: placeOf(first),
    subject: '',
    message: `${offBy(first)}, its name in the row, and so it is in ${rows} of ${rowCount} rows: an entity's end in this file is counted ${countedAs(first.misfit)}. ${verb} the ends by one.`,
    related,
    fix:
      endShift === 0 || list.every(({ misfit }) => misfit.end === null)
        ? null
        : { kind: 'move-all-ends', by: endShift, title: `${verb} the ends by one in all ${rows} rows` },
  };
}
