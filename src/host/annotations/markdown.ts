/** Dataset text inside Markdown: nothing in it may become markup, a link or another table cell. */

/** Every ASCII punctuation character is escaped (CommonMark allows it for all of them); line ends become spaces. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n\t\u2028\u2029]+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[!"#$%'()*+,\-./:=?@[\\\]^_`{|}~]/g, '\\$&');
}

/** Cut to `length` UTF-16 units, never inside a surrogate pair. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text[length - 2] ?? '') ? length - 2 : length - 1;
  return `${text.slice(0, end)}…`;
}
