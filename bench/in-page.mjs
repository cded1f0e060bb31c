// Functions that run in the page. Each is sent there as its source text, so it may use nothing outside itself; plain JavaScript, since
// the checkout is type-checked for Node, where there is no DOM. Their types are in in-page.d.mts.

/**
 * From the next Enter on, looks at the lines of an editor once a frame. Time is the page's own, from the key event's time stamp to the
 * frame in which the last badge was there. Looking stops at the first line that is not done, so waiting costs the page little.
 */
export function watchFirstLook({ editorSelector, limitMs }) {
  const badgeOf = (line) => {
    for (const span of line.querySelectorAll('span')) {
      const { content } = getComputedStyle(span, '::before');
      if (content.startsWith('"')) return content.slice(1, -1);
    }
    return undefined;
  };
  const hasProbability = (badge) => /(\.\d\d|1\.0)$/.test(badge);
  /** Undefined where a line is not done yet. */
  const donePredictions = (editor) => {
    const area = editor.querySelector('.overflow-guard').getBoundingClientRect();
    let predicted = 0;
    for (const line of editor.querySelectorAll('.view-lines .view-line')) {
      const box = line.getBoundingClientRect();
      const middle = box.top + box.height / 2;
      if (middle < area.top || middle > area.bottom || line.textContent.trim() === '') continue;
      const badge = badgeOf(line);
      if (badge === undefined || badge === '·') return undefined;
      if (hasProbability(badge)) predicted++;
    }
    return predicted;
  };
  globalThis.assayFirstLook = new Promise((resolve, reject) => {
    const onKey = (event) => {
      if (event.key !== 'Enter') return;
      removeEventListener('keydown', onKey, true);
      const { timeStamp } = event;
      let firstBadgeMs;
      let firstPredictionMs;
      const look = () => {
        const ms = performance.now() - timeStamp;
        const editor = document.querySelector(editorSelector);
        if (editor !== null && firstPredictionMs === undefined) {
          for (const line of [...editor.querySelectorAll('.view-lines .view-line')].slice(0, 6)) {
            const badge = badgeOf(line);
            if (badge === undefined) continue;
            firstBadgeMs ??= ms;
            if (hasProbability(badge)) firstPredictionMs = ms;
          }
        }
        const predicted = editor === null ? undefined : donePredictions(editor);
        if (predicted !== undefined && predicted > 0) resolve({ firstBadgeMs, firstPredictionMs, ms, predicted });
        else if (ms > limitMs) reject(new Error(`Not every visible line had its prediction within ${limitMs} ms`));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    addEventListener('keydown', onKey, true);
  });
  // Whoever asks for it later is told of a failure; until then it is nobody's.
  globalThis.assayFirstLook.catch(() => {});
}

/** What watchFirstLook() has seen, when it has. */
export function firstLook() {
  return globalThis.assayFirstLook;
}
