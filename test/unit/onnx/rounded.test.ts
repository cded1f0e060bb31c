/** Operators that round: their gradient is that of the same product without rounding. */
import assert from 'node:assert/strict';
import { differentiable } from '../../../src/engine/onnx/differentiate';
import { writeModel } from '../../../src/engine/onnx/model';
import { differentiated, feedsFor, seedOf } from './differences';
import { type LittleModel, type LittleNode, modelOf, sessionOf, someNumbers } from './little-models';
import { tiny, tinyClassifier } from './tiny-classifier';

const [from, to, vocabulary] = [6, 4, 10];
const stored = someNumbers(from * to, 3, 100).map(Math.round);
const scales = someNumbers(to, 4, 0.004).map((value) => Math.fround(value + 0.01));
const zeros = [3, -2, 0, 5];

/** One row of embeddings, summed over its tokens, times weights in whole numbers. */
function product(nodes: readonly LittleNode[]): LittleModel {
  return {
    inputs: { input_ids: { type: 'int64', dims: ['b', 's'] } },
    initializers: {
      table: { type: 'float32', dims: [vocabulary, from], values: someNumbers(vocabulary * from, 8).map(Math.fround) },
      axes: { type: 'int64', dims: [1], values: [1] },
      stored: { type: 'int8', dims: [from, to], values: stored },
      scales: { type: 'float32', dims: [to], values: scales },
      zeros: { type: 'int8', dims: [to], values: zeros },
      step: { type: 'float32', dims: [], values: [Math.fround(1 / 40)] },
      middle: { type: 'uint8', dims: [], values: [128] },
      floats: { type: 'float32', dims: [from, to], values: weights.map(Math.fround) },
    },
    nodes: [
      { op: 'Gather', inputs: ['table', 'input_ids'], outputs: ['words'] },
      { op: 'ReduceSum', inputs: ['words', 'axes'], outputs: ['x'], attributes: { keepdims: 0 } },
      ...nodes,
    ],
    outputs: ['logits'],
  };
}

const weights = stored.map((value, at) => (value - zeros[at % to]!) * scales[at % to]!);
const dynamic: LittleNode = { op: 'DynamicQuantizeLinear', inputs: ['x'], outputs: ['q', 's', 'z'] };

const ways: Record<string, readonly LittleNode[]> = {
  'DynamicQuantizeLinear and MatMulInteger': [
    dynamic,
    { op: 'MatMulInteger', inputs: ['q', 'stored', 'z', 'zeros'], outputs: ['whole'] },
    { op: 'Cast', inputs: ['whole'], outputs: ['cast'], attributes: { to: 1 } },
    { op: 'Mul', inputs: ['s', 'scales'], outputs: ['factor'] },
    { op: 'Mul', inputs: ['cast', 'factor'], outputs: ['logits'] },
  ],
  'com.microsoft.MatMulIntegerToFloat': [
    dynamic,
    {
      op: 'com.microsoft.MatMulIntegerToFloat',
      inputs: ['q', 'stored', 's', 'scales', 'z', 'zeros'],
      outputs: ['logits'],
    },
  ],
  'com.microsoft.DynamicQuantizeMatMul': [
    { op: 'com.microsoft.DynamicQuantizeMatMul', inputs: ['x', 'stored', 'scales', 'zeros'], outputs: ['logits'] },
  ],
  'QuantizeLinear and DequantizeLinear': [
    { op: 'QuantizeLinear', inputs: ['x', 'step', 'middle'], outputs: ['q'] },
    { op: 'DequantizeLinear', inputs: ['q', 'step', 'middle'], outputs: ['near'] },
    { op: 'MatMul', inputs: ['near', 'floats'], outputs: ['logits'] },
  ],
  "com.microsoft's QuantizeLinear and DequantizeLinear": [
    { op: 'com.microsoft.QuantizeLinear', inputs: ['x', 'step', 'middle'], outputs: ['q'] },
    { op: 'com.microsoft.DequantizeLinear', inputs: ['q', 'step', 'middle'], outputs: ['near'] },
    { op: 'MatMul', inputs: ['near', 'floats'], outputs: ['logits'] },
  ],
};

describe('onnx: rounded activations', () => {
  for (const [title, nodes] of Object.entries(ways)) {
    it(`${title}: the gradient is the row of weights, and a note says why`, async () => {
      const mine = await differentiated(modelOf(product(nodes)), to);
      const rows = [
        [1, 2],
        [7, 4],
      ];
      for (let label = 0; label < to; label++) {
        const { gradient } = await mine.run(rows, mine.embed(rows), seedOf(2, to, label));
        for (const [at, value] of gradient.entries()) {
          const expected = weights[(at % from) * to + label]!;
          assert.ok(Math.abs(value - expected) < 1e-5, `label ${label}, entry ${at}: ${value}, not ${expected}`);
        }
      }
      assert.match(mine.parts.notes.join(' '), /rounds its activations/);
    });
  }

  it('let nothing through where a value was cut off at the end of the range', async () => {
    const mine = await differentiated(modelOf(product(ways['QuantizeLinear and DequantizeLinear']!)), to);
    // 255 steps of 1/40 reach from -3.2 to 3.175.
    const embeddings = Float32Array.from([4, 0, -4, 1, 3, 0.5]);
    const { gradient } = await mine.run([[1]], embeddings, seedOf(1, to, 0));
    assert.deepEqual(
      [...gradient].map((value) => value === 0),
      [true, false, true, false, false, false],
    );
  });

  it('in a whole classifier: logits as before, gradients near those of the weights as floats', async () => {
    const style = tinyClassifier({ weights: 'rounded', pooling: 'mean' });
    const rows = [[3, 1, 9, 2, 14]];
    const rounded = await differentiated(modelOf(style), tiny.labels);
    const plain = await sessionOf(writeModel(modelOf(style)), false);
    const { logits } = await plain.run(feedsFor(plain, rows));
    const seed = seedOf(1, tiny.labels, 1);
    const results = await rounded.run(rows, rounded.embed(rows), seed);
    for (const [at, value] of (logits!.data as Float32Array).entries()) {
      assert.ok(Math.abs(results.logits[at]! - value) < 1e-5);
    }
    assert.equal(differentiable(modelOf(style)).notes.length, 1);
    const smooth = await differentiated(modelOf(unrounded(style)), tiny.labels);
    const reference = (await smooth.run(rows, smooth.embed(rows), seed)).gradient;
    const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
    const cosine =
      dot(results.gradient, reference) / Math.sqrt(dot(results.gradient, results.gradient) * dot(reference, reference));
    assert.ok(cosine > 0.99, `cosine ${cosine}`);
  });
});

/** The same classifier with products of floats. */
function unrounded(model: LittleModel): LittleModel {
  const initializers = { ...model.initializers };
  const byOutput = new Map(model.nodes.flatMap((node) => node.outputs.map((name) => [name, node])));
  const nodes = model.nodes.map((node): LittleNode => {
    // Mul of Cast of MatMulInteger, and a factor: x times weights times the factor's constant.
    const cast = byOutput.get(node.inputs[0]!);
    const whole = cast?.op === 'Cast' ? byOutput.get(cast.inputs[0]!) : undefined;
    if (node.op !== 'Mul' || whole?.op !== 'MatMulInteger') return node;
    const rounding = byOutput.get(whole.inputs[0]!)!;
    const name = `${whole.inputs[1]}/floats`;
    const { dims, values } = initializers[whole.inputs[1]!]!;
    initializers[name] = { type: 'float32', dims, values: values.map((value) => Math.fround(value * 0.008)) };
    return { op: 'MatMul', inputs: [rounding.inputs[0]!, name], outputs: node.outputs };
  });
  return { ...model, initializers, nodes };
}
