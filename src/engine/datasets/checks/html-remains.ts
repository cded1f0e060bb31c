import type { Example } from '../dataset';
import type { CheckFinding, TextPart } from './finding';
import { nothing } from './row-check';
import { atCharacter, partsFinding, placesOf } from './text-parts';

/** Elements that pages and reviews are full of. Others (`<e1>`) mark something else. */
const tag =
  /<\/?(?:a|abbr|b|big|blockquote|body|br|center|cite|code|dd|del|div|dl|dt|em|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|li|link|meta|nav|ol|p|pre|q|s|script|section|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|th|thead|title|tr|tt|u|ul|video)(?:\s[^<>]*)?\/?>|<!--[\s\S]*?-->/gi;
/** Named characters that are common in texts, and numbered ones. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  bull: '•',
  cent: '¢',
  copy: '©',
  deg: '°',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  aacute: 'á',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  ccedil: 'ç',
  ntilde: 'ñ',
  iacute: 'í',
  oacute: 'ó',
  uacute: 'ú',
  euro: '€',
  frac12: '½',
  gt: '>',
  hellip: '…',
  iexcl: '¡',
  laquo: '«',
  ldquo: '“',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  middot: '·',
  nbsp: ' ',
  ndash: '–',
  pound: '£',
  quot: '"',
  raquo: '»',
  rdquo: '”',
  reg: '®',
  rsquo: '’',
  times: '×',
  trade: '™',
};
const reference = new RegExp(`&(?:#(\\d{2,7})|#[xX]([0-9a-fA-F]{2,6})|(${Object.keys(entities).join('|')}));`, 'g');

/** Tags and character references of HTML that were left in a text. */
export function htmlRemains(example: Example): readonly CheckFinding[] {
  const { text } = example;
  if (!text.includes('<') && !text.includes('&')) return nothing;
  const tags = [...text.matchAll(tag)].map((match) => part(match, ''));
  const references = [...text.matchAll(reference)].map((match) => part(match, characterOf(match)));
  const all = [...tags, ...references].sort((a, b) => a.span.start - b.span.start);
  const first = all[0];
  if (first === undefined) return nothing;
  const written = text.slice(first.span.start, Math.min(first.span.end, first.span.start + 30));
  const what = `“${written}” is left of HTML ${atCharacter(first.span.start)}${placesOf(all.length)}`;
  // Taking tags away may join what they part, and what is decoded must not become one.
  const isSafe = tags.length === 0 && references.every(({ text: decoded }) => !/[<>]|^$/.test(decoded));
  return [
    partsFinding('assay/html', example, all, {
      message: `${what}. A model reads it as words. Decode it, or strip the tags where the texts are made.`,
      title: isSafe
        ? references.length === 1
          ? `Write “${references[0]!.text}” for “${written}”`
          : `Decode ${references.length} HTML characters`
        : null,
    }),
  ];
}

function part(match: RegExpExecArray, text: string): TextPart {
  return { span: { start: match.index, end: match.index + match[0].length }, text };
}

/** Empty: it is none. */
function characterOf([, decimal, hex, name]: RegExpExecArray): string {
  if (name !== undefined) return entities[name] ?? '';
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
  const isCharacter =
    code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) && !(code >= 127 && code < 160);
  return isCharacter ? String.fromCodePoint(code) : '';
}
