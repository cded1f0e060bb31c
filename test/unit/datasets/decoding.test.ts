import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { decodeFile } from '../../../src/engine/datasets/decoding';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { rows } from './opening';

const utf8 = (text: string) => new TextEncoder().encode(text);
const joined = (...parts: (Uint8Array | number[])[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

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
      bytes: joined(utf8('text,label\ncaf'), [0xe9], utf8(' is nice,pos\ntoo bad,neg\n')),
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

  it('decodes any bytes as TextDecoder does (property)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        if (bytes.includes(0) || (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
          return;
        assert.equal(decodeFile(bytes, 'f').text, new TextDecoder().decode(bytes));
      }),
    );
  });
});
