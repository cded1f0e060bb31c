import assert from 'node:assert/strict';
import { differentiable } from '../../../src/engine/onnx/differentiate';
import { NotDifferentiable } from '../../../src/engine/onnx/gradients/context';
import { readModel, writeModel } from '../../../src/engine/onnx/model';
import { compareWithDifferences, differentiated, feedsFor, seedOf } from './differences';
import { type LittleModel, modelOf, sessionOf } from './little-models';
import { type TinyStyle, tiny, tinyClassifier } from './tiny-classifier';

const rows = [
  [3, 1, 9, 2, 14],
  [5, 2, 1, 7, 0],
];

/** One change of style a line, and those that exporters make together. */
const styles: Partial<TinyStyle>[] = [
  {},
  { norm: 'product' },
  { norm: 'node', opset: 17 },
  { norm: 'skip' },
  ...(['erf, half of x', 'erf, half of the sum', 'tanh', 'tanh, square', 'node', 'bias', 'fast', 'relu'] as const).map(
    (gelu) => ({ gelu }),
  ),
  { attention: 'fused' },
  { attention: 'multi-head' },
  { pooling: 'mean' },
  { pooling: 'max' },
  { pooling: 'chosen' },
  { weights: 'int8' },
  { lookup: 'flat' },
  { opset: 11, pooling: 'mean' },
  { opset: 12, gelu: 'tanh', pooling: 'chosen' },
  { lookup: 'fused', norm: 'skip', gelu: 'bias', attention: 'fused' },
  { weights: 'int8', lookup: 'flat', pooling: 'mean', norm: 'node', opset: 17 },
];

/** The same model with weights and arithmetic in half precision, and logits in single precision. */
function inHalf(model: LittleModel): LittleModel {
  const initializers = Object.fromEntries(
    Object.entries(model.initializers ?? {}).map(([name, array]) => [
      name,
      array.type === 'float32' ? { ...array, type: 'float16' as const } : array,
    ]),
  );
  const nodes = model.nodes.map((node) => ({
    ...node,
    outputs: node.outputs.map((output) => (output === 'logits' ? 'half_logits' : output)),
    attributes: node.op === 'Cast' && node.attributes?.to === 1 ? { to: 10 } : (node.attributes ?? {}),
  }));
  const last = { op: 'Cast', inputs: ['half_logits'], outputs: ['logits'], attributes: { to: 1 } };
  return { ...model, initializers, nodes: [...nodes, last] };
}

const titleOf = (style: Partial<TinyStyle>): string =>
  Object.entries(style).length === 0
    ? 'plain'
    : Object.entries(style)
        .map(([key, value]) => `${key} ${value}`)
        .join(', ');

describe('onnx: a differentiated classifier', () => {
  for (const style of styles) {
    it(`${titleOf(style)}: the same logits, and the slopes of finite differences`, async () => {
      const model = modelOf(tinyClassifier(style));
      const plain = await sessionOf(writeModel(model), false);
      const { logits } = await plain.run(feedsFor(plain, rows));
      const mine = await differentiated(model, tiny.labels);
      const results = await mine.run(rows, mine.embed(rows), seedOf(rows.length, tiny.labels, 1));
      for (const [at, value] of (logits!.data as Float32Array).entries()) {
        assert.ok(Math.abs(results.logits[at]! - value) < 1e-5, `logit ${at}: ${results.logits[at]}, not ${value}`);
      }
      // Relu has corners: a small step meets few of them.
      const step = style.gelu === 'relu' ? 1 / 2048 : 1 / 128;
      await compareWithDifferences(mine, rows, { label: 1, step, count: 40 });
      // A masked token takes no part.
      const masked = results.gradient.subarray(results.gradient.length - tiny.width);
      assert.ok(masked.every((value) => Math.abs(value) < 1e-6));
    });
  }

  it('is differentiated at several logits at once: the seed weighs them', async () => {
    const mine = await differentiated(modelOf(tinyClassifier()), tiny.labels);
    const embeddings = mine.embed(rows);
    const weights = [2, -1, 0.5];
    const seed = Float32Array.from({ length: 2 * tiny.labels }, (_, at) => weights[at % tiny.labels]!);
    const { gradient } = await mine.run(rows, embeddings, seed);
    const parts = await Promise.all(
      weights.map(async (_, label) => (await mine.run(rows, embeddings, seedOf(2, tiny.labels, label))).gradient),
    );
    for (const [at, value] of gradient.entries()) {
      const sum = weights.reduce((total, weight, label) => total + weight * parts[label]![at]!, 0);
      assert.ok(Math.abs(value - sum) < 1e-5);
    }
  });

  it('gives the normalised embeddings and the gradient there: through the layer it becomes that at the words', async () => {
    const mine = await differentiated(modelOf(tinyClassifier({ norm: 'node', opset: 17 })), tiny.labels);
    const { layer, layerGradient, gradient } = await mine.run(rows, mine.embed(rows), seedOf(2, tiny.labels, 0));
    assert.equal(layer!.length, gradient.length);
    // Normalising takes away what is common to all numbers of a token.
    for (let at = 0; at < gradient.length; at += tiny.width) {
      const sum = gradient.subarray(at, at + tiny.width).reduce((total, value) => total + value, 0);
      assert.ok(Math.abs(sum) < 1e-5, `token ${at / tiny.width}: ${sum}`);
    }
    assert.ok(layerGradient!.some((value) => Math.abs(value) > 1e-3));
  });

  for (const style of [{}, { attention: 'fused' }, { opset: 11 }] as Partial<TinyStyle>[]) {
    it(`gives attention probabilities where asked (${titleOf(style)}): rows sum to 1, masked tokens get none`, async () => {
      const mine = await differentiated(modelOf(tinyClassifier(style)), tiny.labels, { wantsAttention: true });
      const { attention } = await mine.run(rows, mine.embed(rows), seedOf(2, tiny.labels, 0));
      assert.equal(attention.length, tiny.layers);
      for (const tensor of attention) {
        assert.deepEqual(tensor.dims, [2, tiny.heads, 5, 5]);
        const values = tensor.data as Float32Array;
        for (let at = 0; at < values.length; at += 5) {
          const row = values.subarray(at, at + 5);
          assert.ok(Math.abs(row.reduce((sum, value) => sum + value, 0) - 1) < 1e-5);
          if (at >= values.length / 2) assert.ok(row[4]! < 1e-6);
        }
      }
    });
  }

  it('reads only what the graph still needs: not the ids, nor the table', () => {
    const { inputs, bytes } = differentiable(modelOf(tinyClassifier({ pooling: 'chosen' })));
    assert.deepEqual(inputs.others, ['input_ids', 'attention_mask']);
    const { graph } = readModel(bytes);
    assert.ok(!graph!.initializer!.some(({ dims }) => dims?.[0] === BigInt(tiny.vocabulary)));
  });

  it('nodes may stand in any order in the file', async () => {
    const model = tinyClassifier({ pooling: 'mean' });
    const results = await Promise.all(
      [model.nodes, model.nodes.toReversed()].map(async (nodes) => {
        const mine = await differentiated(modelOf({ ...model, nodes }), tiny.labels);
        return mine.run(rows, mine.embed(rows), seedOf(rows.length, tiny.labels, 1));
      }),
    );
    for (const [at, value] of results[0]!.gradient.entries()) {
      assert.ok(Math.abs(results[1]!.gradient[at]! - value) < 1e-6);
    }
  });

  it('a circle of nodes is told', () => {
    const model = tinyClassifier();
    const [first, ...others] = model.nodes;
    const nodes = [{ ...first!, inputs: [model.nodes.at(-1)!.outputs[0]!] }, ...others];
    assert.throws(() => differentiable(modelOf({ ...model, nodes })), /nodes of this graph form a circle at "/);
  });

  /** The sum of the embeddings and half of what `ids` looks up in the same table. */
  function lookedUpTwice(ids: string): LittleModel {
    const model = tinyClassifier();
    const lookup = model.nodes.find(({ op, inputs }) => op === 'Gather' && inputs[1] === 'input_ids')!;
    const [words] = lookup.outputs;
    const more = [
      { op: 'Add', inputs: ['input_ids', 'one'], outputs: ['moved'] },
      { op: 'Gather', inputs: [lookup.inputs[0]!, ids], outputs: ['again'], name: 'decoder/words' },
      { op: 'Mul', inputs: ['again', 'half'], outputs: ['less'] },
      { op: 'Add', inputs: [`${words}/once`, 'less'], outputs: [words!] },
    ];
    const nodes = model.nodes.flatMap((node) =>
      node === lookup ? [{ ...node, outputs: [`${words}/once`] }, ...more] : [node],
    );
    const initializers = {
      ...model.initializers,
      half: { type: 'float32', dims: [], values: [0.5] },
      one: { type: 'int64', dims: [], values: [1] },
    } as const;
    return { ...model, initializers, nodes };
  }

  it('a table that is looked up twice with the same ids: the gradients are added', async () => {
    const mine = await differentiated(modelOf(lookedUpTwice('input_ids')), tiny.labels);
    await compareWithDifferences(mine, rows, { label: 1, step: 1 / 128, count: 40 });
    const once = await differentiated(modelOf(tinyClassifier()), tiny.labels);
    const seed = seedOf(rows.length, tiny.labels, 1);
    const more = mine.embed(rows).map((value) => 1.5 * value);
    const [twice, single] = [await mine.run(rows, mine.embed(rows), seed), await once.run(rows, more, seed)];
    for (const [at, value] of single.gradient.entries()) assert.ok(Math.abs(twice.gradient[at]! - 1.5 * value) < 1e-4);
  });

  it('and with other ids: refused, with the name of the second lookup', () => {
    assert.throws(
      () => differentiable(modelOf(lookedUpTwice('moved'))),
      (error) =>
        error instanceof NotDifferentiable && /"decoder\/words" \(Gather\) looks up other ids/.test(error.message),
    );
  });

  for (const style of [
    {},
    { gelu: 'tanh' },
    { norm: 'product', pooling: 'mean' },
    { norm: 'skip', gelu: 'bias', attention: 'fused' },
  ] as Partial<TinyStyle>[]) {
    it(`half precision (${titleOf(style)}): the gradients of the same model in single precision, nearly`, async () => {
      const [half, single] = await Promise.all(
        [inHalf(tinyClassifier(style)), tinyClassifier(style)].map(async (model) => {
          const mine = await differentiated(modelOf(model), tiny.labels);
          return {
            notes: mine.parts.notes,
            ...(await mine.run(rows, mine.embed(rows), seedOf(rows.length, tiny.labels, 1))),
          };
        }),
      );
      assert.deepEqual(half!.notes, []);
      for (const part of ['gradient', 'layerGradient'] as const) {
        const largest = Math.max(...single![part]!.map(Math.abs));
        for (const [at, value] of single![part]!.entries())
          assert.ok(Math.abs(half![part]![at]! - value) < 0.05 * largest);
      }
    });
  }

  it('names the node that lets nothing through', () => {
    const model = tinyClassifier();
    const last = model.nodes.at(-1)!;
    const nodes = [
      ...model.nodes.slice(0, -1),
      { ...last, outputs: ['before'] },
      { op: 'Round', inputs: ['before'], outputs: ['logits'], name: 'head/round' },
    ];
    assert.throws(
      () => differentiable(modelOf({ ...model, nodes })),
      /"head\/round" \(Round\) lets no gradient through/,
    );
  });

  it('names the node whose number of axes nobody knows, not the one that counts them', () => {
    const model = tinyClassifier();
    const pooler = model.nodes.find(({ op, attributes }) => op === 'Gather' && attributes?.axis === 1)!;
    const nodes = model.nodes.flatMap((node) =>
      node === pooler
        ? [
            { op: 'NonZero', inputs: ['attention_mask'], outputs: ['places'], name: 'who/knows' },
            { op: 'Shape', inputs: ['places'], outputs: ['sizes'] },
            { op: 'Compress', inputs: ['sizes', 'yes'], outputs: ['odd'], name: 'odd' },
            { op: 'Reshape', inputs: [pooler.inputs[0]!, 'odd'], outputs: ['reshaped'] },
            { ...node, inputs: ['reshaped', pooler.inputs[1]!] },
          ]
        : [node],
    );
    const initializers = { ...model.initializers, yes: { type: 'bool', dims: [2], values: [1, 1] } } as const;
    assert.throws(
      () => differentiable(modelOf({ ...model, initializers, nodes })),
      /"who\/knows" \(NonZero\).*how many axes/,
    );
  });

  it('names the node that there is no rule for', () => {
    const model = tinyClassifier({ gelu: 'relu' });
    const nodes = model.nodes.map((node) =>
      node.op === 'Relu' ? { ...node, op: 'Hardmax', name: 'layer/odd' } : node,
    );
    assert.throws(
      () => differentiable(modelOf({ ...model, nodes })),
      (error) => {
        assert.ok(error instanceof NotDifferentiable);
        assert.equal(error.opType, 'Hardmax');
        assert.match(error.message, /"layer\/odd" \(Hardmax\).*no rule.*Export.*occlusion/);
        return true;
      },
    );
  });

  it('says so where no table is looked up', () => {
    const model = modelOf({
      inputs: { input_ids: { type: 'int64', dims: ['b', 's'] } },
      nodes: [{ op: 'Cast', inputs: ['input_ids'], outputs: ['logits'], attributes: { to: 1 } }],
      outputs: ['logits'],
    });
    assert.throws(() => differentiable(model), /No table is looked up with "input_ids"/);
  });

  it('leaves the model as it was', () => {
    const model = modelOf(tinyClassifier());
    const before = writeModel(model);
    differentiable(model, { wantsAttention: true });
    assert.deepEqual(writeModel(model), before);
  });
});
