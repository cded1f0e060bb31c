import type { ColumnChoice, Span } from '../../protocol/dataset';
import { afterLineBreak, lineEnd } from '../text/lines';
import { type OffsetMap, OffsetMapBuilder } from '../text/offset-map';
import { isLabelValue } from './column-names';
import { fixedReading, sampleRecords } from './fixed-places';
import {
  type Format,
  noProblems,
  type Place,
  problemAt,
  type Reading,
  type Row,
  type Sample,
  unreadable,
} from './format';
import { cutHeaded, trimmed } from './line-records';

/**
 * Aspects in three lines (Dong et al. 2014 and after): a sentence with `$T$` where the aspect stands, the aspect, its polarity (-1, 0, 1).
 * Each `$T$` stands for the aspect; the first one is the example's.
 */
export const aspectLines: Format = { id: 'aspect-lines', detect };

const MARK = '$T$';

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  if (!sample.text.includes(MARK)) return null;
  const rows = sampleRecords(sample, cutAspect, (text, { start, end }) => readAspect(text, start, end));
  const examples = rows.flatMap((row) => row.examples);
  const labelled = examples.filter(
    ({ gold }) => gold !== null && (/^[+-]?\d$/.test(gold) || isLabelValue(gold)),
  ).length;
  if (labelled === 0 || labelled < rows.length * 0.6) return null;
  return fixedReading(
    {
      format: 'aspect-lines',
      confidence: 0.8 + (0.2 * labelled) / rows.length,
      detail: 'three lines an aspect: sentence with $T$, aspect, polarity',
      columns: { text: 'sentence', gold: 'polarity' },
      cut: cutAspect,
      read: readAspect,
    },
    rows,
    choice,
  );
}

/** A record goes on until the next sentence with `$T$`, so that a line too many or too few breaks one record alone. */
function cutAspect(text: string, place: Place) {
  return cutHeaded(text, place, (whole, start, end) => {
    const at = whole.slice(start, end).indexOf(MARK);
    return at !== -1;
  });
}

function readAspect(text: string, start: number, end: number): Row {
  const lines: Span[] = [];
  for (let at = start; at < end; ) {
    const stop = Math.min(lineEnd(text, at), end);
    lines.push(trimmed(text, at, stop));
    at = Math.min(afterLineBreak(text, stop), end);
  }
  const [sentence, aspect, polarity, extra] = lines;
  const at = (line: Span): Span => ({ start: line.start - start, end: line.end - start });
  const written = sentence === undefined ? '' : text.slice(sentence.start, sentence.end);
  if (sentence === undefined || !written.includes(MARK)) {
    return unreadable(
      'A sentence with $T$ in the place of its aspect should stand here. The lines up to the next one are left out.',
      0,
      (sentence?.end ?? end) - start,
    );
  }
  const { start: from, end: to } = at(sentence);
  if (aspect === undefined)
    return unreadable('The line with the aspect is missing below the sentence. It is left out.', from, to);
  const { content, map, first } = withAspect(written, text.slice(aspect.start, aspect.end), from);
  const problems = [];
  if (polarity === undefined) {
    problems.push(
      problemAt(
        'assay/unreadable-row',
        'The line with the polarity is missing below the aspect. The sentence is read without it.',
        at(aspect).start,
        at(aspect).end,
        'warning',
      ),
    );
  }
  if (extra !== undefined) {
    problems.push(
      problemAt(
        'assay/unreadable-row',
        'Behind the polarity a sentence with $T$ should stand. The lines up to the next one are left out.',
        at(extra).start,
        at(lines.at(-1)!).end,
      ),
    );
  }
  const example = {
    id: null,
    text: content,
    spans: null,
    aspect: first,
    mentions: null,
    types: null,
    gold: polarity === undefined ? null : text.slice(polarity.start, polarity.end),
    map,
    textField: at(sentence),
    goldField: polarity === undefined ? null : at(polarity),
  };
  return { examples: [example], problems: problems.length === 0 ? noProblems : problems };
}

/** The sentence, which stands at `offset`, with the aspect in it. An aspect is a unit: it is written as `$T$`. */
function withAspect(
  sentence: string,
  aspect: string,
  offset: number,
): { content: string; map: OffsetMap; first: Span } {
  const builder = new OffsetMapBuilder(offset);
  const parts = sentence.split(MARK);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      builder.unit(aspect.length, offset + at, MARK.length);
      at += MARK.length;
    }
    builder.copy(part.length, offset + at);
    at += part.length;
  }
  const start = parts[0]!.length;
  return { content: parts.join(aspect), map: builder.finish(), first: { start, end: start + aspect.length } };
}
