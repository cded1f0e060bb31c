import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatasetDocument } from '../../../../src/engine/datasets/document';
import { open } from '../opening';
import { csvRows, findingsWith, linesOf } from './checking';

declare const ASSAY_ROOT: string;

const data = process.env.ASSAY_DATA ?? path.join(ASSAY_ROOT, '../shared/data');

const english = [
  'The hotel was clean but nobody at the desk could tell us when breakfast ended.',
  'I bought this lamp two weeks ago and it already flickers whenever the fridge starts.',
  'A slow film with a splendid ending that made up for the first hour.',
  'She said that the train from Ghent had been late every day of the week.',
  'It was the kind of story that stays with you for days.',
];

const others: Readonly<Record<string, readonly string[]>> = {
  German: [
    'Das Hotel war sauber, aber niemand am Empfang konnte uns sagen, wann das Frühstück endet.',
    'Ich habe diese Lampe vor zwei Wochen gekauft und sie flackert schon jetzt.',
    'Wir kommen gerne wieder, weil das Essen so gut war und der Kellner sehr nett.',
  ],
  French: [
    "L'hôtel était propre mais personne à la réception ne savait quand finissait le petit déjeuner.",
    'Le train de Gand est arrivé en retard tous les jours de la semaine.',
  ],
  Spanish: [
    'El hotel estaba limpio pero nadie en la recepción sabía cuándo terminaba el desayuno.',
    'La sopa estaba fría y el camarero no fue amable con nosotros.',
  ],
  Portuguese: [
    'O hotel estava limpo mas ninguém na recepção sabia quando terminava o café da manhã.',
    'A sopa estava fria e o garçom não foi simpático com a gente.',
  ],
  Italian: [
    "L'albergo era pulito ma nessuno alla reception sapeva quando finiva la colazione.",
    'La zuppa era fredda e il cameriere non è stato gentile con noi.',
  ],
  Dutch: [
    'Het hotel was schoon maar niemand aan de balie kon ons zeggen wanneer het ontbijt afgelopen was.',
    'Een trage film met een mooi einde dat het eerste uur goedmaakt.',
  ],
  Swedish: ['Jag köpte den här lampan för två veckor sedan och den blinkar redan.'],
  Polish: ['Hotel był czysty, ale nikt w recepcji nie wiedział, kiedy kończy się śniadanie.'],
  Indonesian: ['Kami akan kembali karena makanan di sini sangat enak.'],
};

const scripts: Readonly<Record<string, string>> = {
  'Cyrillic script': 'Суп был холодный, а официант грубый.',
  'Greek script': 'Η σούπα ήταν κρύα και ο σερβιτόρος αγενής.',
  'Chinese characters': '汤是冷的，服务员态度很差。',
  Japanese: 'スープは冷たく、店員はとても失礼だった。',
  'Hangul script': '수프는 차가웠고 종업원은 불친절했다.',
  'Arabic script': 'كان الحساء باردا وكان النادل فظا.',
  'Hebrew script': 'המרק היה קר והמלצר היה גס רוח.',
  'Thai script': 'ซุปเย็นและพนักงานเสิร์ฟไม่สุภาพ',
  'Devanagari script': 'सूप ठंडा था और बैरा बहुत रूखा था।',
};

/** Enough of one language, with the given rows among it; the first of them stands on line 52. */
function among(main: readonly string[], ...rows: readonly string[]): DatasetDocument {
  const many = Array.from({ length: 50 }, (_, at) => `${main[at % main.length]!} ${at}`);
  const all = [...many, ...rows].map((text, at): [string, string] => [text, at % 2 === 0 ? 'good' : 'bad']);
  return open(csvRows(...all));
}

describe('dataset checks: other-language', () => {
  for (const [language, texts] of Object.entries(others)) {
    it(`tells ${language} among English, and English among it`, () => {
      for (const text of texts) {
        const found = findingsWith('assay/other-language', among(english, text));
        assert.deepEqual(linesOf(found), [52], text);
        assert.ok(found[0]!.message.startsWith(`The text is in ${language}; `), found[0]!.message);
        assert.match(found[0]!.message, /of the texts here that tell are in English\./);
      }
      const back = findingsWith('assay/other-language', among(texts, english[0]!));
      assert.deepEqual(linesOf(back), [52]);
    });
  }

  it('tells every script among English, and among Chinese', () => {
    for (const [script, text] of Object.entries(scripts)) {
      const found = findingsWith('assay/other-language', among(english, text));
      assert.deepEqual(linesOf(found), [52], script);
      assert.ok(
        found[0]!.message.startsWith(`The text is in ${script}; 98 % of the texts here that tell are in Latin script.`),
      );
      const inChinese = findingsWith('assay/other-language', among([scripts['Chinese characters']!], text));
      assert.deepEqual(linesOf(inChinese), script === 'Chinese characters' ? [] : [52], script);
    }
  });

  it('says nothing of what is short, a name, a number, a picture, or of a file in several languages', () => {
    const quiet = [
      'Ja!',
      'Très bien',
      'as glum as mr. de niro',
      'La La Land',
      '12/04/2021 18:30',
      '🎬🎬🎬',
      'Привет',
      'Rio de Janeiro e São Paulo',
      'José Luis de la Cruz Ortega',
      '北京',
    ];
    assert.deepEqual(findingsWith('assay/other-language', among(english, ...quiet)), []);
    const both = among([english[0]!, others.German![0]!, english[1]!, others.German![1]!]);
    assert.deepEqual(findingsWith('assay/other-language', both), []);
    const few = open(csvRows([english[0]!, 'a'], [english[1]!, 'b'], [others.German![0]!, 'a']));
    assert.deepEqual(findingsWith('assay/other-language', few), []);
  });

  for (const [name, file] of [
    ['SST-2', 'sst2/train.tsv'],
    ['SemEval-2010', 'semeval2010task8/TRAIN_FILE.TXT'],
  ] as const) {
    it(`finds nothing in ${name}, which is English throughout`, function () {
      const absolute = path.join(data, file);
      if (!existsSync(absolute)) {
        this.test!.title += ` (skipped: no ${file} in ASSAY_DATA)`;
        this.skip();
      }
      const document = DatasetDocument.open({ name: path.basename(file), bytes: readFileSync(absolute) });
      assert.deepEqual(findingsWith('assay/other-language', document), []);
      assert.deepEqual(findingsWith('assay/mixed-language', document), []);
    });
  }
});

describe('dataset checks: mixed-language', () => {
  it('tells a text of two scripts or two languages, and marks the other script', () => {
    const mixed = [
      'The soup was cold and the waiter said: суп всегда такой, а вам что нужно',
      '汤是冷的，服务员态度很差。 I would not come back to this place and you should not either.',
      'The soup was cold and the waiter was rude to all of us. Wir kommen nicht wieder, weil das Essen auch nicht gut war.',
      'The room was not what we had booked. 我们等了一个小时才拿到另一个房间',
    ];
    const document = among(english, ...mixed);
    const found = findingsWith('assay/mixed-language', document);
    assert.deepEqual(linesOf(found), [52, 53, 54, 55]);
    assert.equal(
      found[0]!.message,
      'Most of the text is in Latin script and a good part in Cyrillic script: it may be two texts in one, or half a translation. Look at it.',
    );
    const [first] = found;
    assert.ok(first!.place.part === 'text');
    assert.equal(mixed[0]!.slice(first!.place.span.start, first!.place.span.end), 'суп всегда такой, а вам что нужно');
    assert.match(found[2]!.message, /^Most of the text is in English and a part in German:/);
  });

  it('says nothing of names, products, loan words, digits and pictures', () => {
    const chinese = [
      '我昨天在 Apple Store 买了一台 MacBook Pro 和一个 iPhone 15 Pro Max，很满意',
      '他在 Google 和 Microsoft 都工作过，现在住在 San Francisco',
      '这部电影 2021 年上映，IMDB 评分 8.5 🎬',
    ];
    assert.deepEqual(findingsWith('assay/mixed-language', among([scripts['Chinese characters']!], ...chinese)), []);
    assert.deepEqual(findingsWith('assay/other-language', among([scripts['Chinese characters']!], ...chinese)), []);
    const latin = [
      'The word 你好 means hello.',
      'She sang La vie en rose and Que sera, sera by the sea.',
      'Déjà vu, the maître d’ said, and the crème brûlée was the pièce de résistance.',
      'Greek letters such as α, β and γ are used in the paper.',
      'The Zeitgeist of the fin de siècle is what the book is about 🎬🎬.',
      'Ludwig van Beethoven and Vincent van Gogh were in the list of de facto classics.',
    ];
    assert.deepEqual(findingsWith('assay/mixed-language', among(english, ...latin)), []);
  });

  it('says nothing of Japanese, which mixes its scripts, nor of a file of code-switching', () => {
    assert.deepEqual(
      findingsWith('assay/mixed-language', among(['東京のホテルはきれいで、朝食もとても美味しかった。'])),
      [],
    );
    const switching = 'I was so tired ki bas ghar jaana tha, और फिर हम सब चाय पीने गए थे';
    const document = among([english[0]!, switching]);
    assert.deepEqual(findingsWith('assay/mixed-language', document), []);
  });
});
