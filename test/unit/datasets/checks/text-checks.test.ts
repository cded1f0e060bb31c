import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { CheckCode } from '../../../../src/engine/datasets/checks/catalogue';
import { changesOf, titleOf } from '../../../../src/engine/datasets/checks/fixes';
import { DatasetDocument } from '../../../../src/engine/datasets/document';
import { applyChanges, offsetChanges } from '../../../../src/engine/datasets/edits';
import { open } from '../opening';
import { findingsWith } from './checking';

const rows = (text: string) =>
  [text, 'Something else'].map((content) => JSON.stringify({ text: content, label: 'a' })).join('\n');

/** The text after the fix of its finding; undefined: nothing is found, null: there is no fix. */
function mended(code: CheckCode, text: string, leavesNothing = true): string | null | undefined {
  const document = open(rows(text), { task: 'sentiment', text: 'text', gold: 'label' });
  const [finding, ...more] = findingsWith(code, document);
  if (finding === undefined) return undefined;
  assert.equal(more.length, 0, 'one finding an example');
  const { place } = finding;
  assert.ok(place.part === 'text' && place.span.end > place.span.start && place.span.end <= text.length);
  const changes = changesOf(document, finding);
  if (changes === null) return null;
  const after = open(applyChanges(document.text, offsetChanges(changes, document.lines)), {
    task: 'sentiment',
    text: 'text',
    gold: 'label',
  });
  if (leavesNothing) assert.equal(findingsWith(code, after).length, 0, 'the fix leaves nothing of it');
  return after.examples[0]!.text;
}

const silent = (code: CheckCode, texts: readonly string[]) => {
  for (const text of texts) assert.equal(mended(code, text), undefined, JSON.stringify(text));
};

describe('checks of texts', () => {
  it('control characters: invisible ones are found and taken out', () => {
    const cases: [string, string][] = [
      ['A\u0000 film', 'A film'],
      ['A fi\u0007lm, a f\u200bilm', 'A film, a film'],
      ['A\u000bfilm\u2028it is', 'A film it is'],
      ['\ufeffA film', 'A film'],
      ['A fi\u00adlm', 'A film'],
      ['It\u0092s \u0093fine\u0094', 'It’s “fine”'],
      ['An \u202eodd\u202c film', 'An odd film'],
      ['zero\u200dwidth', 'zerowidth'],
      ['\u001b[1;31mred\u001b[0m', 'red'],
      ['un\u{e0041}seen', 'unseen'],
    ];
    for (const [text, expected] of cases) assert.equal(mended('assay/control-character', text), expected);
  });

  it('control characters: what the fix writes is what its title says', () => {
    const titleFor = (text: string) => {
      const document = open(rows(text), { task: 'sentiment', text: 'text', gold: 'label' });
      const [finding] = findingsWith('assay/control-character', document);
      return finding === undefined || finding.fix === null ? null : titleOf(finding.fix);
    };
    assert.equal(titleFor('fi\u0007lm'), 'Remove the invisible character');
    assert.equal(titleFor('f\u0007i\u0007lm'), 'Remove 2 invisible characters');
    assert.equal(titleFor('It\u0092s'), 'Write “’” for U+0092');
    assert.equal(titleFor('page\u000cbreak'), 'Write a space for U+000C');
    assert.equal(titleFor('\u0093fine\u0094'), 'Write what was meant for 2 invisible characters');
    // A line break of its own, or “…”: told, and left to the person.
    assert.equal(mended('assay/control-character', 'the end\u0085'), null);
  });

  it('control characters: bytes of a wrongly decoded character are told as that, once', () => {
    const asLatin1 = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
    for (const text of ['It’s “fine”', 'À la carte – Œuvre', '😀 nice']) {
      assert.equal(mended('assay/control-character', asLatin1(text)), undefined);
      assert.equal(mended('assay/mojibake', asLatin1(text)), text);
    }
    assert.equal(mended('assay/control-character', `${asLatin1('It’s')} fi\u0007lm`), `${asLatin1('It’s')} film`);
  });

  it('control characters: those that belong to a script, an emoji or the layout stay', () => {
    silent('assay/control-character', [
      'Flags: 🏴󠁧󠁢󠁥󠁮󠁧󠁿 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
      'Two\tcolumns\nand lines\r\nof text',
      'A family 👨‍👩‍👧 and a heart ❤️‍🔥',
      'می‌خواهم فیلم ببینم',
      'क्‍ष',
      'שלום \u200fworld',
      'ภาษา\u200bไทย',
      'Café, naïve, 北京 and 🎬',
    ]);
  });

  it('wrongly decoded text is found and repaired, once or twice decoded', () => {
    const cases: [string, string][] = [
      ['Itâ€™s fine', 'It’s fine'],
      ['a cafÃ© and a naÃ¯ve guest', 'a café and a naïve guest'],
      ['It cost Â£5', 'It cost £5'],
      ['ðŸ˜€ nice', '😀 nice'],
      ['ÐŸÑ€Ð¸Ð²ÐµÑ‚', 'Привет'],
      ['SÃ£o Paulo', 'São Paulo'],
      ['Å¡koda and TomÃ¡Å¡', 'škoda and Tomáš'],
      ['Itâ\u0080\u0099s', 'It’s'],
    ];
    for (const [text, expected] of cases) assert.equal(mended('assay/mojibake', text), expected);
    const asWindows = (text: string) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(text));
    assert.equal(mended('assay/mojibake', asWindows(asWindows('It’s'))), 'It’s');
  });

  it('whatever was read as Windows-1252 is found, where it is more than a letter', () => {
    const characters = fc.constantFrom(...'éèüñßçøåæ£©«»’“”…—€ПриветΩλ北京東ありमन😀🎬');
    fc.assert(
      fc.property(fc.array(characters, { minLength: 2, maxLength: 6 }), (parts) => {
        const meant = parts.join('');
        const wrong = new TextDecoder('windows-1252').decode(new TextEncoder().encode(meant));
        // By chance, what was meant may look wrong itself (é£©).
        assert.equal(mended('assay/mojibake', `so ${wrong} it is`, false), `so ${meant} it is`);
      }),
      { numRuns: Number(process.env.ASSAY_PROPERTY_RUNS ?? 300) },
    );
  });

  it('proper words are not taken for wrongly decoded ones', () => {
    silent('assay/mojibake', [
      'PÃO, São Paulo e “IRMÔ',
      'VOILÀ” dit-elle, «À bientôt»',
      'Ångström, Ærø, Öl, ÜBER “ÄÖÜ”',
      'CAFɒS AND CAFÉ…',
      'Straße – Größe – Übung',
      'Ça va? Où ça? Dès l’été',
      'Łódź, Kraków, Žižek, Čapek',
      'Ð is a letter, and so is ð',
      'a surface of 100 Å² and a volume of 3 Å³, ±0.1 Å°',
      'AMANHÃ\u00a0É DIA; IRMÃ™',
      'au café…” dit-elle, olé——, «Pelé»…, voilà…” et câ…”',
    ]);
    const latin = fc.string({ unit: fc.constantFrom(...'abcdefghij .,ÄÖÜäöüßéèàçñøåÉÀÇ'), maxLength: 60 });
    fc.assert(
      fc.property(latin, (text) => {
        silent('assay/mojibake', [`x${text}`]);
      }),
      { numRuns: Number(process.env.ASSAY_PROPERTY_RUNS ?? 300) },
    );
  });

  it('HTML that was left in a text; references are decoded where that is safe', () => {
    const cases: [string, string | null][] = [
      ['Tom &amp; Jerry', 'Tom & Jerry'],
      ['It&#39;s &quot;fine&quot; &#x2014; really', 'It\'s "fine" — really'],
      ['Good.<br />Bad.', null],
      ['<b>Bold</b> words', null],
      ['<a href="x">here</a>', null],
      ['if a &lt; b', null],
      ['a &lt;br&gt; b &amp; c', null],
      ['a <!-- note --> b', null],
      ['One.<p>Two.<p>Three.', null],
      ['so <I>very</I> good', null],
      ['<img src=x>', null],
      ['tokenised : bad . < br / > < br / > good', null],
      ['It & # 39 ; s & quot ; fine & quot ;', 'It \' s " fine "'],
      ['Tom &amp;amp; Jerry&amp;#39;s', "Tom & Jerry's"],
      ['1990&#150;1995', '1990–1995'],
      ['a &amp;lt; b', null],
    ];
    for (const [text, expected] of cases) assert.equal(mended('assay/html', text), expected, text);
    silent('assay/html', [
      'a < b and c > d',
      'I <3 you',
      'The <e1>cat</e1> sat on the <e2>mat</e2>',
      'AT&T, R&D; and Q&A',
      'x<y>z',
      '[E1] cat [/E1]',
      'salt & pepper ; more',
      '<a> and <b> are nodes, <i, j> a pair, if <b and c> d',
      '<s> a token of the model </s>',
      'see <link> and <video> , <title> by <user>',
      'a <p> alone',
      'R & D ; x, & # 1 ; of 2',
    ]);
  });

  it('entity markers that were left in a text', () => {
    const cases: [string, string][] = [
      ['The <e1>cat</e1> sat', 'The cat sat'],
      ['[E1] cats sat on [/E1] mats', ' cats sat on  mats'],
      ['a [unused1] b', 'a  b'],
    ];
    for (const [text, expected] of cases) assert.equal(mended('assay/markers', text), expected);
    assert.equal(mended('assay/markers', 'The [subj]cat[/subj] sat'), 'The cat sat');
    silent('assay/markers', [
      'a <b> c',
      '[1] and [sic]',
      'x < e1 > y',
      'E1 and e2',
      '“the [head] coach of the [tail] end”',
    ]);
    // Where the reader takes the markers for the entities, and where one row lacks them.
    const marked = [
      'The <e1>cat</e1> sat on the <e2>mat</e2>',
      'An <e1>owl</e1> flew over a <e2>barn</e2>',
      'No marks here at all',
    ];
    const document = open(
      `text\tlabel\n${[...marked, ...marked.slice(0, 2)].map((text) => `${text}\tOn`).join('\n')}\n`,
    );
    assert.deepEqual(findingsWith('assay/markers', document), []);
    assert.deepEqual(
      document.findings.map(({ code, severity, range }) => [code, severity, range.startLine]),
      [['assay/markers', 'error', 3]],
    );
  });

  it('lost characters are told and cannot be mended', () => {
    assert.equal(mended('assay/replacement-character', 'It\ufffds a fi\ufffdm'), null);
    assert.equal(mended('assay/replacement-character', 'half \ud83d a picture'), null);
    silent('assay/replacement-character', ['It’s a film', 'a whole 🎬 picture']);
  });

  it('empty texts', () => {
    const found = (text: string) =>
      findingsWith('assay/empty-text', open(rows(text), { task: 'sentiment', text: 'text', gold: 'label' })).length;
    for (const text of ['', '   ', '\n', '\u200b', '\u0000', '\u3164', '\u2800', '\ufe0f'])
      assert.equal(found(text), 1, JSON.stringify(text));
    for (const text of ['.', '?', '0', '😀', '好']) assert.equal(found(text), 0, text);
  });

  it('say where and how often', () => {
    const [finding] = findingsWith(
      'assay/control-character',
      open(rows('A fi\u0007lm \u0007 and \u0007'), { task: 'sentiment', text: 'text', gold: 'label' }),
    );
    assert.match(finding!.message, /^U\+0007 \(bell\) stands at character 5 of the text, and 2 more further on\./);
  });

  it('find nothing in the samples but what stands there', () => {
    const document = DatasetDocument.open({ name: 'x', text: 'text,label\nTom &amp; Jerry,a\nA film,b\n' });
    assert.equal(findingsWith('assay/html', document).length, 1);
  });
});
