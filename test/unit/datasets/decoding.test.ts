import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import {
  decodeFile,
  decodePart,
  type Encoding,
  findEncoding,
  wholeCharacters,
} from '../../../src/engine/datasets/decoding';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { rows } from './opening';

const utf8 = (text: string) => new TextEncoder().encode(text);
const joined = (...parts: (Uint8Array | number[])[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Null: it cannot be told. */
function foundEncoding(bytes: Uint8Array): Encoding | null {
  try {
    return findEncoding(bytes, 'f');
  } catch (error) {
    assert.ok(error instanceof NotADataset);
    return null;
  }
}

describe('datasets: decoding', () => {
  it('strips a byte-order mark at the start only', () => {
    assert.deepEqual(decodeFile(utf8('\ufeffa\ufeffb'), 'f'), {
      text: 'a\ufeffb',
      encoding: 'UTF-8 with BOM',
      badBytes: 0,
    });
    assert.deepEqual(decodeFile(utf8('é😀'), 'f'), { text: 'é😀', encoding: 'UTF-8', badBytes: 0 });
  });

  it('reads UTF-16 with a byte-order mark', () => {
    const little = Buffer.from('\ufeffaé😀', 'utf16le');
    assert.deepEqual(decodeFile(little, 'f'), { text: 'aé😀', encoding: 'UTF-16 LE', badBytes: 0 });
    assert.deepEqual(decodeFile(Buffer.from(little).swap16(), 'f'), {
      text: 'aé😀',
      encoding: 'UTF-16 BE',
      badBytes: 0,
    });
  });

  it('shows and counts bad bytes, but not a U+FFFD that the file itself has', () => {
    const decoded = decodeFile(joined(utf8('a\ufffd'), [0xff], utf8('b'), [0xc3], utf8('c')), 'f');
    assert.deepEqual(decoded, { text: 'a\ufffd\ufffdb\ufffdc', encoding: 'UTF-8', badBytes: 2 });
  });

  it('reads a dataset with bad bytes and says how many there are', () => {
    const document = DatasetDocument.open({
      name: 'f',
      bytes: joined(utf8('text,label\ncaf'), [0xc3], utf8(' is nice,pos\ntoo bad,neg\n')),
    });
    assert.equal(document.info.badBytes, 1);
    assert.deepEqual(rows(document), [
      ['caf\ufffd is nice', 'pos'],
      ['too bad', 'neg'],
    ]);
  });

  it('tells binary files, and UTF-16 without a byte-order mark', () => {
    const refused = (bytes: Uint8Array) => {
      try {
        decodeFile(bytes, 'model.onnx');
      } catch (error) {
        assert.ok(error instanceof NotADataset);
        return error.message;
      }
      return assert.fail('not refused');
    };
    assert.match(refused(Uint8Array.of(8, 7, 18, 0, 0, 0, 200)), /^model\.onnx is a binary file/);
    assert.match(
      refused(new Uint8Array(Buffer.from('text,label\ngood,1\n', 'utf16le'))),
      /UTF-16 text without a byte-order mark/,
    );
    // One NUL late in a text is an accident.
    assert.equal(decodeFile(utf8(`${'a'.repeat(5000)}\0`), 'f').text.length, 5001);
  });

  describe('Windows-1252, which has no mark', () => {
    const latin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
    const french = 'text,label\nUn café déçu à Málaga,neg\nL\x92été était très chaud \x96 «à midi»,pos\n';

    it('is read where UTF-8 does not hold, with its own quotes and dashes', () => {
      const document = DatasetDocument.open({ name: 'f', bytes: latin(french) });
      assert.equal(document.info.encoding, 'Windows-1252');
      assert.equal(document.info.badBytes, 0);
      assert.deepEqual(rows(document), [
        ['Un café déçu à Málaga', 'neg'],
        ['L’été était très chaud – «à midi»', 'pos'],
      ]);
    });

    it('is not read into UTF-8 with some bad bytes: those are shown and counted', () => {
      const mostly = joined(utf8('Ünïcödé, très bien, déjà vu. '.repeat(4)), latin('é è à ç é ü'));
      assert.equal(decodeFile(mostly, 'f').encoding, 'UTF-8');
      assert.equal(decodeFile(mostly, 'f').badBytes, 6);
    });

    it('is read of one byte too, where no character of UTF-8 stands in the file', () => {
      for (const text of [
        'It cost £5 and more.',
        'A fine café.',
        'It\x92s fine',
        'Il va à pied',
        '\x93Fine\x94',
        '5 °C',
      ])
        assert.equal(decodeFile(latin(`text,label\n${text},pos\n`), 'f').encoding, 'Windows-1252', text);
      // A character of UTF-8 that was cut off, and bytes that no text has.
      for (const text of ['caf\xc3', 'a\xffb', 'a\x81b', '\xe2\x80 x'])
        assert.equal(decodeFile(latin(`text,label\n${text},pos\n`), 'f').encoding, 'UTF-8', text);
    });

    it('is not read into the words of other alphabets', () => {
      const russian = Uint8Array.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0, 0x21]);
      assert.notEqual(decodeFile(russian, 'f').encoding, 'Windows-1252');
      // What it has no character for is a bad byte in it, too.
      assert.deepEqual(
        [
          decodeFile(joined(latin(french), [0x81]), 'f').encoding,
          decodeFile(joined(latin(french), [0x81]), 'f').badBytes,
        ],
        ['Windows-1252', 1],
      );
    });

    it('is what the editor says it is, or is not', () => {
      assert.equal(decodeFile(latin(french), 'f', 'utf8').encoding, 'UTF-8');
      assert.ok(decodeFile(latin(french), 'f', 'utf8').badBytes > 5);
      assert.equal(decodeFile(latin('café'), 'f', 'windows1252').text, 'café');
      assert.equal(decodeFile(utf8('\ufeffé'), 'f', 'utf8bom').text, 'é');
      assert.equal(decodeFile(new Uint8Array(Buffer.from('é', 'utf16le')), 'f', 'utf16le').text, 'é');
    });
  });

  it('decodes any bytes part by part as it does at once (property)', () => {
    const marks = [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]];
    const byte = fc.constantFrom(
      0x41,
      0x0a,
      0x80,
      0xbf,
      0xc3,
      0xe2,
      0x82,
      0xac,
      0xf0,
      0x9f,
      0x98,
      0xd8,
      0xdc,
      0xff,
      0xef,
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...marks),
        fc.array(byte, { maxLength: 40 }),
        fc.integer({ min: 8, max: 12 }),
        (mark, rest, part) => {
          const bytes = joined(mark, rest);
          const encoding = foundEncoding(bytes);
          if (encoding === null) return;
          let text = '';
          let badBytes = 0;
          for (let at = encoding.markLength; at < bytes.length; ) {
            const piece = bytes.subarray(at, at + part);
            const length = at + piece.length === bytes.length ? piece.length : wholeCharacters(encoding, piece);
            const decoded = decodePart(encoding, piece.subarray(0, length));
            text += decoded.text;
            badBytes += decoded.badBytes;
            at += length;
          }
          const { text: whole, badBytes: all } = decodeFile(bytes, 'f');
          assert.deepEqual({ text, badBytes }, { text: whole, badBytes: all });
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('decodes any bytes as TextDecoder does (property)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        if (bytes.includes(0) || (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
          return;
        const found = foundEncoding(bytes);
        if (found === null || found.label === 'windows-1252') return;
        assert.equal(decodeFile(bytes, 'f').text, new TextDecoder(found.label).decode(bytes));
      }),
    );
  });
});
