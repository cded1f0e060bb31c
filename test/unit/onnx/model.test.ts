import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { differentiable } from '../../../src/engine/onnx/differentiate';
import { dataTypes, type ModelProto, modelSchema } from '../../../src/engine/onnx/messages';
import { OnnxError, readModel, writeModel } from '../../../src/engine/onnx/model';
import { valuesOf } from '../../../src/engine/onnx/tensors';
import { encode } from '../../../src/engine/onnx/wire';
import { wordTable } from '../../../src/engine/onnx/word-table';
import { feedsFor, seedOf } from './differences';
import { modelOf, numbersOf, sessionOf } from './little-models';
import { tiny, tinyClassifier } from './tiny-classifier';

/** A field of protobuf: tag and content. */
const field = (number: number, content: readonly number[]): number[] => [
  ...varint(number * 8 + 2),
  ...varint(content.length),
  ...content,
];

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

describe('onnx: reading and writing', () => {
  it('what was written is read as it was, numbers of every kind', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const attribute = fc.record({
      name: fc.string({ unit: 'grapheme' }),
      i: int64,
      f: fc.float({ noNaN: true }),
      ints: fc.array(int64, { minLength: 1 }),
      floats: fc.array(fc.float({ noNaN: true }), { minLength: 1 }),
      s: fc.uint8Array(),
      t: fc.record({
        dims: fc.array(int64, { minLength: 1 }),
        int64Data: fc.array(int64, { minLength: 1 }),
        int32Data: fc.array(fc.integer(), { minLength: 1 }),
        doubleData: fc.array(fc.double({ noNaN: true }), { minLength: 1 }),
        rawData: fc.uint8Array({ maxLength: 3000 }),
      }),
    });
    fc.assert(
      fc.property(fc.array(attribute, { minLength: 1, maxLength: 4 }), (attributes) => {
        const model: ModelProto = { irVersion: 8n, graph: { node: [{ opType: 'Some', attribute: attributes }] } };
        const [node] = readModel(writeModel(model)).graph!.node!;
        assert.deepEqual(plain(node!.attribute), plain(attributes));
      }),
    );
  });

  it('keeps fields that it does not know, in their place, at every depth', () => {
    const unknown = [...field(2, [112]), ...field(99, [1, 2, 3])];
    const node = [...field(4, [65]), ...field(6, [100]), ...field(77, [9])];
    const graph = [...field(1, node), ...field(10, [120])];
    const bytes = Uint8Array.from([8, 7, ...unknown.slice(0, 3), ...field(7, graph), ...unknown.slice(3)]);
    assert.deepEqual(writeModel(readModel(bytes)), bytes);
  });

  it('reads numbers packed and one by one', () => {
    const graphWith = (tensor: number[]): Uint8Array => Uint8Array.from(field(7, field(5, tensor)));
    const type = [16, dataTypes.int64];
    const packed = [...field(1, [3]), ...type, ...field(7, [5, 6, 7])];
    const single = [8, 3, ...type, 56, 5, 56, 6, 56, 7];
    for (const tensor of [packed, single]) {
      const [read] = readModel(graphWith(tensor)).graph!.initializer!;
      assert.deepEqual([...valuesOf(read!)!], [5, 6, 7]);
    }
  });

  it('refuses what is no ONNX file, cut off at any place', () => {
    assert.throws(() => readModel(Buffer.from('version https://git-lfs.github.com/spec/v1\n')), OnnxError);
    assert.throws(() => readModel(new Uint8Array()), /holds no graph/);
    const whole = writeModel(modelOf(tinyClassifier()));
    for (let length = 1; length < whole.length; length += 97) {
      // Between two fields of the outermost message a shorter file is a file too, though one of a smaller model.
      try {
        readModel(whole.subarray(0, length));
      } catch (error) {
        assert.ok(error instanceof OnnxError, `${error}`);
      }
    }
  });

  it('does not follow messages nested without end', () => {
    let deep: number[] = [];
    for (let depth = 0; depth < 300; depth++) deep = field(6, field(1, field(5, deep)));
    assert.throws(() => readModel(Uint8Array.from(field(7, field(1, field(5, deep))))), /nested too deeply/);
  });

  it('writes weights once: no copy of what it read', () => {
    const model = readModel(writeModel(modelOf(tinyClassifier())));
    const [tensor] = model.graph!.initializer!.filter(({ rawData }) => (rawData?.length ?? 0) > 500);
    const changed = writeModel(model);
    tensor!.rawData![0]! ^= 1;
    assert.notDeepEqual(writeModel(model), changed);
  });
});

describe('onnx: weights outside the file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-onnx-'));
  after(() => rmSync(folder, { recursive: true }));

  it('stay there in the differentiated model, and ONNX Runtime finds them in the folder it is told', async () => {
    const model = modelOf(tinyClassifier());
    const parts: Uint8Array[] = [];
    let offset = 0;
    const initializer = model.graph!.initializer!.map((tensor) => {
      const { rawData, ...rest } = tensor;
      if (rawData === undefined || tensor.dataType !== dataTypes.float32 || rawData.length < 64) return tensor;
      const entries = { location: 'weights.bin', offset: String(offset), length: String(rawData.length) };
      parts.push(rawData);
      offset += rawData.length;
      const externalData = Object.entries(entries).map(([key, value]) => ({ key, value }));
      return { ...rest, externalData, dataLocation: 1 };
    });
    const outside: ModelProto = { ...model, graph: { ...model.graph!, initializer } };
    const weights = Buffer.concat(parts);
    writeFileSync(path.join(folder, 'weights.bin'), weights);
    assert.throws(() => wordTable(outside), /cannot be read/);
    const table = wordTable(outside, ({ location, offset: from, length }) => {
      assert.equal(location, 'weights.bin');
      return weights.subarray(from, from + length!);
    });
    const made = differentiable(readModel(encode(modelSchema, outside)));
    assert.ok(made.bytes.length < writeModel(model).length + 20_000);
    const session = await InferenceSession.create(made.bytes, {
      logSeverityLevel: 3,
      extra: { session: { model_external_initializers_file_folder_path: folder } },
    });
    const rows = [[4, 9, 2]];
    const embeddings = new Float32Array(3 * tiny.width);
    for (const [at, id] of rows[0]!.entries()) table.copyRow(id, embeddings, at * tiny.width);
    const results = await session.run({
      ...feedsFor(session, rows),
      [made.inputs.embeddings]: new Tensor('float32', embeddings, [1, 3, tiny.width]),
      [made.inputs.seed]: new Tensor('float32', seedOf(1, tiny.labels, 0), [1, tiny.labels]),
    });
    const plainSession = await sessionOf(model);
    const { logits } = await plainSession.run(feedsFor(plainSession, rows));
    for (const [at, value] of numbersOf(logits!).entries()) {
      assert.ok(Math.abs(numbersOf(results.logits!)[at]! - value) < 1e-5);
    }
  });
});

describe('onnx: the table of word embeddings', () => {
  for (const style of [
    {},
    { weights: 'int8' },
    { lookup: 'flat' },
    { lookup: 'fused', attention: 'fused', norm: 'skip' },
  ] as const) {
    it(`gives the rows that the model looks up: ${JSON.stringify(style)}`, async () => {
      const little = tinyClassifier(style);
      const model = modelOf(little);
      const table = wordTable(model);
      assert.equal(table.rows, tiny.vocabulary);
      assert.equal(table.width, tiny.width);
      const row = new Float32Array(tiny.width + 2);
      table.copyRow(7, row, 1);
      assert.equal(row[0], 0);
      assert.equal(row.at(-1), 0);
      assert.throws(() => table.copyRow(tiny.vocabulary, row, 0), RangeError);
    });
  }
});

/** Without the classes that property tests and the reader differ in. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
  }
  return Object.is(value, -0) ? 0 : value;
}
