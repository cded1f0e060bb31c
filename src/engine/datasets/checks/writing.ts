import type { FormatId } from '../../../protocol/dataset';

/** How values are written in the place of others, in the way of the row. */

/** A label as it may be written in the place of another, likeliest first. */
export function waysToWriteLabel(value: string, former: string, format: FormatId): string[] {
  if (format === 'csv') return waysInCsv(value, former);
  if (format === 'semeval2014-xml') return [former.charAt(0) + escapedXml(value) + former.charAt(0)];
  if (former.startsWith('__label__')) return [`__label__${value}`];
  // A list of one label.
  const [, open = '', inner = former, close = ''] = /^(\[\s*)([\s\S]*?)(\s*\])$/.exec(former) ?? [];
  const isString = inner.startsWith('"');
  const string = isString ? [jsonString(value, former)] : [value, jsonString(value, former)];
  // A number may only become a number, or the column would hold both.
  const isOther = /^-?\d+(\.\d+)?$/.test(inner) && !/^-?\d+(\.\d+)?$/.test(value);
  const ways = isOther ? [] : isString || open !== '' ? string : [value];
  return ways.map((way) => open + way + close);
}

/** In quotes where the former was, or where it has to be; white space around it stays. */
function waysInCsv(value: string, former: string): string[] {
  const quoted = `"${value.replaceAll('"', '""')}"`;
  const [, open = '', close = ''] = /^("?\s*)[\s\S]*?(\s*"?)$/.exec(former) ?? [];
  if (former.startsWith('"')) return [open + value.replaceAll('"', '""') + close, quoted];
  return [open + value + close, quoted];
}

/** A part of a text. `field`: the raw text field; `former`: what stands in the place of the part. */
export function writtenText(text: string, field: string, former: string, format: FormatId): string {
  if (format === 'csv') return field.startsWith('"') ? text.replaceAll('"', '""') : text;
  if (format === 'semeval2014-xml') return escapedXml(text);
  return /^["[]/.test(field) ? jsonString(text, former).slice(1, -1) : text;
}

/** Other than ASCII is escaped where it was. */
function jsonString(value: string, former: string): string {
  const string = JSON.stringify(value);
  if (!/\\u[0-9a-f]{4}/i.test(former)) return string;
  return string.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escapedXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&apos;');
}

/** What says where an entity ends, moved by one: a number, or a list of numbers that gets one more or loses its last. Null: it is neither. */
export function movedEnd(raw: string, by: 1 | -1): string | null {
  if (/^\d{1,9}$/.test(raw)) {
    const number = Number(raw) + by;
    return number < 0 ? null : String(number);
  }
  const list = /^(\[\s*)(?:(\d+)(\s*,\s*))*(\d{1,9})(\s*\])$/.exec(raw);
  if (list === null) return null;
  const [, , , separator, last, close] = list;
  const before = raw.slice(0, raw.length - last!.length - close!.length);
  if (by === 1) return `${before}${last}${separator ?? ', '}${Number(last) + 1}${close}`;
  return separator === undefined ? null : before.slice(0, before.length - separator.length) + close;
}
