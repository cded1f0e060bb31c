import { SAMPLE_ROWS } from './columns';
import { commonWidth } from './delimited-header';
import { type Dialect, escapesQuotes, quoteUses } from './delimited-scanner';

/** How a table is written, told by a sample of it. */

/**
 * What quotes at the start of fields do. In all but tab-separated files they quote. Of those, some are written with quotes where a field
 * needs them, or around every field, and some as they come (SST-2), where a quote is a part of the sentence. A sample without any says
 * nothing of what comes: there, a quote quotes only what needs it.
 */
export function dialectOf(text: string, delimiter: string): Dialect {
  const habit = escapesQuotes(text, delimiter) ? { backslash: true } : {};
  if (delimiter !== '\t') return { delimiter, quotes: true, ...habit };
  const rowWidth = commonWidth(text.split(/\r\n|\r|\n/, SAMPLE_ROWS).map((line) => line.split(delimiter)));
  const quoting = { delimiter, quotes: true, rowWidth, ...habit };
  const { needed, needless, stray, fields } = quoteUses(text, quoting);
  if (needed + needless + stray === 0) return { ...quoting, onlyNeeded: true };
  const quote = stray > 0 ? needed > stray : needed > 0 || needless >= fields * 0.4;
  return quote ? quoting : { delimiter, quotes: false };
}
