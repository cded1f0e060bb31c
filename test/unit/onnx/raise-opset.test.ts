import assert from 'node:assert/strict';
import { Graph, protoOf } from '../../../src/engine/onnx/graph';
import { OnnxError } from '../../../src/engine/onnx/model';
import { raiseOpset, targetOpset } from '../../../src/engine/onnx/raise-opset';
import { feedOf, type LittleNode, modelOf, numbersOf, sessionOf, someNumbers } from './little-models';

const dims = [2, 3, 1, 4];
const x = { type: 'float32', dims, values: someNumbers(24, 1).map(Math.fround) } as const;

const examples: [opset: number, node: Omit<LittleNode, 'inputs' | 'outputs'> & { outputs?: number }][] = [
  [11, { op: 'Squeeze', attributes: { axes: [2] } }],
  [11, { op: 'Squeeze' }],
  [11, { op: 'Unsqueeze', attributes: { axes: [0, 3] } }],
  [12, { op: 'ReduceSum', attributes: { axes: [1, -1], keepdims: 0 } }],
  [12, { op: 'ReduceSum', attributes: { keepdims: 0 } }],
  [11, { op: 'ReduceMean', attributes: { axes: [1] } }],
  [11, { op: 'Split', attributes: { axis: 1, split: [1, 2] }, outputs: 2 }],
  [11, { op: 'Split', attributes: { axis: 3 }, outputs: 2 }],
  [9, { op: 'Slice', attributes: { axes: [1, 3], starts: [1, -3], ends: [9, -1] } }],
  [9, { op: 'Slice', attributes: { starts: [1], ends: [2 ** 53] } }],
  [10, { op: 'Clip', attributes: { min: { float: -0.25 }, max: { float: 0.5 } } }],
  [10, { op: 'Clip', attributes: { max: { float: 0.5 } } }],
  [10, { op: 'Pad', attributes: { pads: [0, 1, 0, 0, 0, 0, 0, 2], value: { float: 7 } } }],
  [10, { op: 'Dropout', attributes: { ratio: { float: 0.5 } } }],
  ...([undefined, 0, 1, 2, 3, -1, -2] as const).flatMap((axis) =>
    (['Softmax', 'LogSoftmax'] as const).map((op): (typeof examples)[number] => [
      12,
      { op, attributes: axis === undefined ? {} : { axis } },
    ]),
  ),
  [13, { op: 'Softmax', attributes: { axis: 1 } }],
];

describe('onnx: raising the version of the operators', () => {
  for (const [opset, { op, attributes = {}, outputs: count = 1 }] of examples) {
    it(`${op} of version ${opset}, ${JSON.stringify(attributes)}: computes the same`, async () => {
      const outputs = Array.from({ length: count }, (_, index) => `y${index}`);
      const node = { op, attributes, inputs: ['x'], outputs };
      const model = modelOf({
        inputs: { x: { type: 'float32', dims: [null, 3, 1, 4] } },
        nodes: [node],
        outputs,
        opset,
      });
      const graph = new Graph(model.graph!);
      assert.equal(raiseOpset(graph, opset), targetOpset);
      const raised = {
        ...model,
        opsetImport: [{ version: BigInt(targetOpset) }],
        graph: { ...model.graph!, node: graph.nodes.map(protoOf), initializer: [...graph.initializers.values()] },
      };
      const feeds = { x: feedOf(x) };
      const before = await (await sessionOf(model, false)).run(feeds);
      const after = await (await sessionOf(raised, false)).run(feeds);
      for (const name of outputs) {
        assert.deepEqual(after[name]!.dims, before[name]!.dims);
        const wanted = numbersOf(before[name]!);
        assert.ok(numbersOf(after[name]!).every((value, at) => Math.abs(value - wanted[at]!) < 1e-6));
      }
    });
  }

  it('turns constants in every form into initializers', () => {
    const constants = [{ value_int: 3 }, { value_ints: [1, 2] }, { value_float: { float: 0.5 } }];
    const graph = new Graph(
      modelOf({
        inputs: {},
        nodes: constants.map((attributes, at) => ({ op: 'Constant', inputs: [], outputs: [`c${at}`], attributes })),
        outputs: [],
      }).graph!,
    );
    raiseOpset(graph, 17);
    assert.equal(graph.nodes.length, 0);
    assert.deepEqual(
      constants.map((_, at) => graph.numbers(`c${at}`)),
      [[3], [1, 2], [0.5]],
    );
  });

  it('refuses what is older than broadcasting', () => {
    const graph = new Graph(modelOf({ inputs: {}, nodes: [], outputs: [] }).graph!);
    assert.throws(() => raiseOpset(graph, 6), OnnxError);
  });
});
