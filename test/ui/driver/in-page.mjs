// Functions that run in the page. Each is sent there as its source text, so it may use nothing outside itself; plain JavaScript, since
// the checkout is type-checked for Node, where there is no DOM. Their types are in in-page.d.mts.

/** The rendered lines of the editor, from top to bottom, with what decorations draw on them. */
export function readLines(editorSelector) {
  const editor = document.querySelector(editorSelector);
  if (editor === null) return [];
  const numbers = new Map();
  for (const overlay of editor.querySelectorAll('.margin-view-overlays > div')) {
    const number = Number(overlay.querySelector('.line-numbers')?.textContent);
    if (number > 0) numbers.set(Math.round(overlay.getBoundingClientRect().top), number);
  }
  const contentOf = (element, pseudo) => {
    const { content } = getComputedStyle(element, pseudo);
    // A string is quoted, with quotes and backslashes escaped; a keyword or a url() is not.
    if (!content.startsWith('"')) return '';
    return content.slice(1, -1).replace(/\\(.)/g, '$1').replace(/\s/g, ' ');
  };
  const area = editor.querySelector('.overflow-guard').getBoundingClientRect();
  return [...editor.querySelectorAll('.view-lines .view-line')]
    .map((line) => {
      const before = [];
      const after = [];
      let isTextSeen = false;
      for (const span of line.querySelectorAll('span')) {
        if (span.querySelector('span') !== null) continue;
        for (const pseudo of ['::before', '::after']) {
          const drawn = contentOf(span, pseudo);
          if (drawn.trim() !== '') (isTextSeen ? after : before).push(drawn);
          isTextSeen ||= span.textContent !== '';
        }
      }
      const box = line.getBoundingClientRect();
      return {
        top: box.top,
        // A line that is cut by the edge counts when its middle can be seen.
        isSeen: box.top + box.height / 2 > area.top && box.top + box.height / 2 < area.bottom,
        number: numbers.get(Math.round(box.top)),
        text: line.textContent.replace(/\u00a0/g, ' '),
        before,
        after,
      };
    })
    .filter(({ isSeen }) => isSeen)
    .sort((a, b) => a.top - b.top)
    .map(({ number, text, before, after }) => ({ number, text, before, after }));
}

/** The middle of the first `text` in a rendered line (1-based), in pixels of the page; null where it is not rendered. */
export function findText({ editorSelector, line, text }) {
  const editor = document.querySelector(editorSelector);
  if (editor === null) return null;
  const topOf = (element) => Math.round(element.getBoundingClientRect().top);
  const overlay = [...editor.querySelectorAll('.margin-view-overlays > div')].find(
    (it) => Number(it.querySelector('.line-numbers')?.textContent) === line,
  );
  if (overlay === undefined) return null;
  const viewLine = [...editor.querySelectorAll('.view-lines .view-line')].find((it) => topOf(it) === topOf(overlay));
  if (viewLine === undefined) return null;
  const nodes = [];
  const walker = document.createTreeWalker(viewLine, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() !== null) nodes.push(walker.currentNode);
  const start = nodes
    .map((node) => node.data)
    .join('')
    .replace(/\u00a0/g, ' ')
    .indexOf(text);
  if (start < 0) return null;
  const place = (offset) => {
    let before = 0;
    for (const node of nodes) {
      if (offset <= before + node.length) return [node, offset - before];
      before += node.length;
    }
    return [viewLine, viewLine.childNodes.length];
  };
  const range = document.createRange();
  range.setStart(...place(start));
  range.setEnd(...place(start + text.length));
  const box = range.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** The status bar's items from left to right. */
export function readStatusBar(items) {
  return items
    .map((item) => ({
      id: item.id,
      text: item.textContent.replace(/\s+/g, ' ').trim(),
      label: item.getAttribute('aria-label') ?? '',
      left: item.getBoundingClientRect().left,
    }))
    .sort((a, b) => a.left - b.left)
    .map(({ id, text, label }) => ({ id, text, label }));
}

/** The labels of a quick pick's rows, without the details below them. */
export function readLabels(rows) {
  return rows.map((row) => row.querySelector('.label-name')?.textContent ?? '');
}

/** Puts a text into the clipboard. */
export function copyText(text) {
  return navigator.clipboard.writeText(text);
}

/** The colours that decorations put behind words; not those of a bracket beside the cursor. */
export function readColours(editorSelector) {
  return [...document.querySelectorAll(`${editorSelector} .view-overlays .cdr:not(.bracket-match)`)]
    .map((element) => getComputedStyle(element).backgroundColor)
    .filter((colour) => colour !== 'rgba(0, 0, 0, 0)');
}
