import assert from 'node:assert/strict';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { decodeFile, decodePart, findEncoding, wholeCharacters } from '../../../src/engine/datasets/decoding';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { rows } from './opening';

/** The bytes of every character of an encoding, as TextDecoder reads them. */
function encoder(label: string): (text: string) => Uint8Array {
  const bytesOf = new Map<string, number[]>();
  const decoder = new TextDecoder(label, { fatal: true });
  const add = (...bytes: number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !bytesOf.has(text)) bytesOf.set(text, bytes);
    } catch {
      // Not a character.
    }
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) add(first, second);
  return (text) =>
    Uint8Array.from([...text].flatMap((each) => bytesOf.get(each) ?? assert.fail(`${label} has no ${each}`)));
}

const russian = ['Фильм скучный и слишком длинный.', 'Отличная игра актёров, советую всем!', 'Завтрак был холодный.'];
const chinese = ['这部电影非常无聊，太长了。', '演员的表演很好，推荐大家去看！', '早餐是冷的，不会再来了。'];
const taiwan = ['這部電影非常無聊，太長了。', '演員的表演很好，推薦大家去看！', '早餐是冷的，不會再來了。'];
const japanese = ['この映画はとても退屈でした。', '俳優の演技が素晴らしかったです。', '朝食は冷たかった。'];
const korean = ['이 영화는 너무 지루하고 길었다.', '배우들의 연기가 정말 좋았어요.', '아침 식사가 차가웠다.'];
const greek = ['Η ταινία ήταν βαρετή και πολύ μεγάλη.', 'Οι ηθοποιοί ήταν υπέροχοι, το συνιστώ σε όλους!'];

const known: [label: string, name: string, texts: string[]][] = [
  ['windows-1251', 'Windows-1251', russian],
  ['koi8-r', 'KOI8-R', russian],
  ['ibm866', 'CP866', russian],
  ['iso-8859-5', 'ISO 8859-5', russian],
  ['gb18030', 'GB18030 (GBK)', chinese],
  ['big5', 'Big5', taiwan],
  ['shift_jis', 'Shift-JIS', japanese],
  ['euc-jp', 'EUC-JP', japanese],
  ['euc-kr', 'EUC-KR', korean],
  ['windows-1253', 'Windows-1253', greek],
];

describe('datasets: older encodings', () => {
  for (const [label, name, texts] of known) {
    it(`${name} is read where its language is written in it, in CSV and in JSON Lines`, () => {
      const encode = encoder(label);
      const expected = texts.map((text, index) => [text, index % 2 === 0 ? 'neg' : 'pos']);
      const csv = `text,label\n${expected.map(([text, gold]) => `"${text}",${gold}\n`).join('')}`;
      const jsonl = expected.map(([text, gold]) => `${JSON.stringify({ text, label: gold })}\n`).join('');
      for (const content of [csv, jsonl]) {
        const document = DatasetDocument.open({ name: 'f', bytes: encode(content) });
        assert.deepEqual([document.info.encoding, document.info.badBytes], [name, 0]);
        assert.deepEqual(rows(document), expected);
      }
    });

    it(`${name} is decoded part by part as at once`, () => {
      const bytes = encoder(label)(`${texts.join('')}${texts.join('\n')}`);
      const encoding = findEncoding(bytes, 'f');
      assert.equal(encoding.label, label);
      const whole = decodePart(encoding, bytes).text;
      for (let part = 8; part < 24; part++) {
        let text = '';
        for (let at = 0; at < bytes.length; ) {
          const piece = bytes.subarray(at, at + part);
          const length = at + piece.length === bytes.length ? piece.length : wholeCharacters(encoding, piece);
          assert.ok(length > 0);
          text += decodePart(encoding, piece.subarray(0, length)).text;
          at += length;
        }
        assert.equal(text, whole);
      }
    });
  }

  it('characters of GB18030 with four bytes are not cut', () => {
    const encoding = { name: 'GB18030', label: 'gb18030', markLength: 0 } as const;
    const bytes = Uint8Array.of(0x41, 0x94, 0x39, 0xfc, 0x36, 0x94, 0x39, 0xfc);
    assert.equal(wholeCharacters(encoding, bytes), 5);
    assert.equal(decodePart(encoding, bytes.subarray(0, 5)).text, 'A😀');
  });

  it('one that is not sure is refused with a word that says what to do', () => {
    const refused = (bytes: Uint8Array) =>
      assert.throws(
        () => decodeFile(bytes, 'rows.csv'),
        (error) =>
          error instanceof NotADataset &&
          /^rows\.csv is neither UTF-8 nor Windows-1252.*Save it as UTF-8/.test(error.message),
      );
    const row = (text: string) => `text,label\n${text},pos\n${text},neg\n`;
    refused(encoder('windows-1250')(row('Film byl nudný a příliš dlouhý, skvělí herci, určitě běžte ven.')));
    refused(encoder('windows-1250')(row('Świetna gra aktorów, są wspaniali, łóżko było niewygodne, żałuję.')));
    refused(encoder('windows-1254')(row('Film çok sıkıcı ve gereğinden uzundu, beğenmedim, şahane değil.')));
    refused(encoder('windows-1255')(row('הסרט היה משעמם וארוך מדי')));
    refused(encoder('windows-1256')(row('كان الفيلم مملا وطويلا جدا')));
    refused(encoder('windows-874')(row('หนังเรื่องนี้น่าเบื่อและยาวเกินไป')));
    // Too few letters to tell.
    refused(encoder('shift_jis')(row('テスト')));
  });

  it('UTF-8 with some bad bytes stays UTF-8, whatever language is written in it', () => {
    for (const [, , texts] of known) {
      const bytes = new TextEncoder().encode(texts.join('\n'));
      const damaged = Uint8Array.from([...bytes.subarray(0, 30), 0xff, 0xfe, ...bytes.subarray(30), 0xe4]);
      assert.equal(decodeFile(damaged, 'f').encoding, 'UTF-8');
    }
    const long = new TextEncoder().encode('plain words, a row of them\n'.repeat(400));
    const few = Uint8Array.from([...long, 0xff, 0xfe, 0xff, 0xc3, 0xff, 0xff]);
    assert.deepEqual([decodeFile(few, 'f').encoding, decodeFile(few, 'f').badBytes], ['UTF-8', 6]);
  });

  it('what the editor decodes otherwise is decoded so, and what it looks like is said', () => {
    const bytes = encoder('gb18030')(`text,label\n${chinese.map((text) => `${text},pos\n`).join('')}`);
    const decoded = decodeFile(bytes, 'f', 'utf8');
    assert.equal(decoded.encoding, 'UTF-8');
    assert.equal(decoded.looksLike, 'GB18030 (GBK)');
    const hebrew = encoder('windows-1255')('text,label\nהסרט היה משעמם וארוך מדי,pos\n');
    assert.equal(decodeFile(hebrew, 'f', 'utf8').looksLike, 'another encoding');
    const good = new TextEncoder().encode('text,label\nçé,pos\n');
    assert.equal(decodeFile(good, 'f', 'utf8').looksLike, undefined);
    assert.equal(decodeFile(Uint8Array.from([...good, 0xff]), 'f', 'utf8').looksLike, undefined);
    const one = Uint8Array.from(Buffer.from('text,label\nIt cost £5,neg\n', 'latin1'));
    assert.equal(decodeFile(one, 'f', 'utf8').looksLike, 'Windows-1252');
  });
});
