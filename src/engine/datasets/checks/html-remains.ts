import type { Example } from '../dataset';
import type { CheckFinding, TextPart } from './finding';
import { nothing } from './row-check';
import { atCharacter, partsFinding, placesOf } from './text-parts';
import { windows1252 } from './windows-1252';

/** Elements that nothing else is called like. Others (`<e1>`, `<head>`) mark something else, and `<s>` is a model's token. */
const sure =
  'blockquote|br|dd|div|dl|dt|em|font|h[1-6]|hr|html|iframe|li|ol|pre|script|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|th|thead|tr|tt|ul';
/** Elements whose names stand in angle brackets as well for something else (`<link>` for a link, `<a>` for a node). */
const unsure =
  'a|abbr|b|big|body|center|cite|code|del|footer|form|header|i|img|input|ins|link|meta|nav|p|section|title|u|video';
/** With attributes (`<a href="x">`), or bare. Tokenizers of words set the signs apart: `< br / >`. */
const tag = new RegExp(
  `</?(?:(?:${sure})(?:\\s[^<>]*)?/?|(?:${unsure})(?:\\s+[\\w-]+\\s*=[^<>]*)?\\s*/?)>|< ?br ?/? ?>|<!--[\\s\\S]*?-->`,
  'gi',
);
const bareUnsure = new RegExp(`^</?(${unsure})>$`, 'i');
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
/** Also one that was written twice (`&amp;#39;`), and as tokenizers of words write it (`& quot ;`). */
const reference = new RegExp(
  `&(?:amp;)*(?:#(\\d{2,7})|#[xX]([0-9a-fA-F]{2,6})|(${Object.keys(entities).join('|')}));|& (?:# ?(\\d{2,5})|(amp|apos|gt|lt|nbsp|quot)) ;`,
  'g',
);

/** Tags and character references of HTML that were left in a text. */
export function htmlRemains(example: Example): readonly CheckFinding[] {
  const { text } = example;
  if (!text.includes('<') && !text.includes('&')) return nothing;
  const tags = tagsIn(text).map((match) => part(match, ''));
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

/** Bare tags of unsure names count in pairs, `<p>` also where there are several: that is how pages part their paragraphs. */
function tagsIn(text: string): RegExpExecArray[] {
  const all = [...text.matchAll(tag)];
  const written = all.map(([found]) => found.toLowerCase());
  return all.filter((_, index) => {
    const name = bareUnsure.exec(written[index]!)?.[1];
    if (name === undefined) return true;
    const isPaired =
      written.includes(`</${name}>`) && written.some((found) => new RegExp(`^<${name}[\\s>]`).test(found));
    return isPaired || (name === 'p' && written.filter((found) => found === '<p>').length > 1);
  });
}

function part(match: RegExpExecArray, text: string): TextPart {
  return { span: { start: match.index, end: match.index + match[0].length }, text };
}

/** Empty: it is none. */
function characterOf([, tight, hex, tightName, apart, apartName]: RegExpExecArray): string {
  const name = tightName ?? apartName;
  if (name !== undefined) return entities[name] ?? '';
  const decimal = tight ?? apart;
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
  // As browsers read them (HTML Standard, 13.2.5.80): the bytes of Windows-1252.
  if (code >= 0x80 && code < 0xa0) return windows1252.charAt(code - 0x80).replace('\ufffd', '');
  const isCharacter = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) && code !== 127;
  return isCharacter ? String.fromCodePoint(code) : '';
}
