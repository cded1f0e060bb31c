import { SaxesParser } from 'saxes';
import type { Span } from '../../protocol/dataset';
import { type OffsetMap, OffsetMapBuilder } from '../text/offset-map';

/** An element of a document, with its places. Offsets are relative to the text that was parsed. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The opening tag, with its brackets. */
  readonly tag: Span;
  /** What stands between the tags; grows until the element is closed. */
  content: Span;
  readonly children: XmlElement[];
}

/** Where and why a text is no XML. */
export interface XmlFault {
  readonly fault: string;
  readonly at: number;
}

/** Deeper than any format goes: what nests deeper is a fault. */
const MAX_DEPTH = 100;

/** The one element that `text` is. */
export function parseElement(text: string): XmlElement | XmlFault {
  const parser = new SaxesParser({ position: true });
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  let fault: XmlFault | null = null;
  const fail = (message: string) => {
    fault ??= { fault: message, at: Math.min(parser.position, text.length) };
  };
  let tagStart = 0;
  parser.on('error', (error) => {
    // The parser's own "1:7: " before the reason.
    fail(error.message.replace(/^[\d: ]+/, '').replace(/\.$/, ''));
  });
  parser.on('opentagstart', (tag) => {
    tagStart = text.lastIndexOf(`<${tag.name}`, parser.position);
  });
  parser.on('opentag', (tag) => {
    const end = parser.position;
    const element: XmlElement = {
      name: tag.name,
      attributes: new Map(Object.entries(tag.attributes)),
      tag: { start: tagStart, end },
      content: { start: end, end },
      children: [],
    };
    if (open.length >= MAX_DEPTH) fail('elements are nested too deep');
    else open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', (tag) => {
    const element = open.pop();
    if (element === undefined || tag.isSelfClosing) return;
    element.content = { start: element.content.start, end: text.lastIndexOf('</', parser.position - 1) };
  });
  parser.write(text).close();
  return fault ?? root ?? { fault: 'there is no element', at: 0 };
}

const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** What is not read as it is written: references, line ends, comments and the borders of CDATA sections. */
const special =
  /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));|\r\n|\r|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[^>]*>/g;

/** The text of an element's content, which was parsed and stands at `offset`; inner tags belong to no text. */
export function elementText(content: string, offset: number): { text: string; map: OffsetMap } {
  const builder = new OffsetMapBuilder(offset);
  const parts: string[] = [];
  const copy = (start: number, end: number) => {
    parts.push(content.slice(start, end));
    builder.copy(end - start, offset + start);
  };
  const unit = (value: string, at: number, length: number) => {
    parts.push(value);
    builder.unit(value.length, offset + at, length);
  };
  let done = 0;
  for (const match of content.matchAll(special)) {
    const { index } = match;
    const [whole, hex, decimal, name, section] = match;
    copy(done, index);
    done = index + whole.length;
    if (section !== undefined) {
      let at = index + '<![CDATA['.length;
      for (const part of section.split(/(\r\n?)/)) {
        if (part.startsWith('\r')) unit('\n', at, part.length);
        else copy(at, at + part.length);
        at += part.length;
      }
    } else if (whole.startsWith('\r')) {
      unit('\n', index, whole.length);
    } else if (hex !== undefined || decimal !== undefined) {
      const point = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
      if (point <= 0x10ffff) unit(String.fromCodePoint(point), index, whole.length);
      else copy(index, done);
    } else if (name !== undefined) {
      const value = named.get(name);
      if (value === undefined) copy(index, done);
      else unit(value, index, whole.length);
    }
  }
  copy(done, content.length);
  return { text: parts.join(''), map: builder.finish() };
}

/** Where an attribute's value stands, with its quotes; null if the tag does not have it. */
export function attributePlace(text: string, tag: Span, name: string): Span | null {
  const attribute = /([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')/g;
  for (const match of text.slice(tag.start, tag.end).matchAll(attribute)) {
    if (match[1] !== name) continue;
    const end = tag.start + match.index + match[0].length;
    return { start: end - match[2]!.length, end };
  }
  return null;
}
