import assert from 'node:assert/strict';
import type { Tensor } from 'onnxruntime-node';
import { erfGateOperator } from '../../../src/engine/onnx/blocks/shared-gelu';
import { createContext } from '../../../src/engine/onnx/gradients/context';
import { quantisationRules } from '../../../src/engine/onnx/gradients/quantisation';
import { gradientRules } from '../../../src/engine/onnx/gradients/table';
import { Graph, protoOf } from '../../../src/engine/onnx/graph';
import type { ModelProto } from '../../../src/engine/onnx/messages';
import { inferFacts } from '../../../src/engine/onnx/shapes/infer';
import { type Array_, type DeclaredDims, feedOf, modelOf, numbersOf, sessionOf, someNumbers } from './little-models';
import { type RuleExample, ruleExamples } from './rule-examples';

interface Prepared {
  model: ModelProto;
  /** Fed in the run: those inputs that are no constants. */
  feeds: Map<string, Array_>;
  /** Of the inputs that are differentiated. */
  floats: string[];
}

const isFloat = (type: string): boolean => type === 'float32' || type === 'float64';

/** `declare` says how much of an input's shape the model tells. */
function prepare(example: RuleExample, declare: (dims: readonly number[], name: string) => DeclaredDims): Prepared {
  const feeds = new Map<string, Array_>();
  const initializers: Record<string, Array_> = {};
  const names = example.inputs.map((input, index) => {
    if (input === '') return '';
    const type = example.isSingle && input.type === 'float64' ? 'float32' : input.type;
    const values = example.isSingle ? input.values.map(Math.fround) : input.values;
    const array = { ...input, type, values };
    if (example.constants?.includes(index)) initializers[`x${index}`] = array;
    else feeds.set(`x${index}`, array);
    return `x${index}`;
  });
  const outputs = Array.from({ length: example.outputs ?? 1 }, (_, index) => `y${index}`);
  const model = modelOf({
    inputs: Object.fromEntries([...feeds].map(([name, { type, dims }]) => [name, { type, dims: declare(dims, name) }])),
    initializers,
    nodes: [{ op: example.op, inputs: names, outputs, attributes: example.attributes ?? {} }],
    outputs,
    opset: example.opset ?? 17,
  });
  const floats = [...feeds].flatMap(([name, { type }]) => (isFloat(type) ? [name] : []));
  return { model, feeds, floats };
}

/** The example's model with the rule's nodes behind it: `dy0` and so on in, `dx0` and so on out. */
function withGradient({ model, feeds, floats }: Prepared): ModelProto {
  const graph = new Graph(model.graph!);
  const facts = inferFacts(graph);
  const node = graph.nodes[0]!;
  const opset = Number(model.opsetImport![0]!.version);
  const context = createContext(graph, facts, opset, new Set(floats));
  const type = facts.of(floats[0]!);
  const seeds = node.outputs.map((output, index) => {
    facts.set(`dy${index}`, { elemType: type.elemType, shape: facts.of(output).shape });
    return `dy${index}`;
  });
  const gradients = gradientRules.get(`${node.domain === '' ? '' : `${node.domain}.`}${node.opType}`)!(
    node,
    seeds,
    context,
  );
  const outputs = node.inputs.flatMap((input, index) => {
    if (!floats.includes(input)) return [];
    const gradient = gradients[index];
    assert.ok(gradient, `no gradient at input ${index}`);
    return [context.emit('Identity', [gradient])];
  });
  const elemType = [...feeds.values()].some(({ type: one }) => one === 'float64') ? 11 : 1;
  return {
    ...model,
    graph: {
      ...model.graph!,
      node: graph.nodes.map(protoOf),
      initializer: [...graph.initializers.values()],
      input: [...model.graph!.input!, ...seeds.map((name) => ({ name, type: { tensorType: { elemType } } }))],
      output: outputs.map((name) => ({ name })),
    },
  };
}

async function check(
  example: RuleExample,
  declare: (dims: readonly number[], name: string) => DeclaredDims,
): Promise<void> {
  const prepared = prepare(example, declare);
  const forward = await sessionOf(prepared.model, false);
  const run = async (changed: ReadonlyMap<string, Array_>): Promise<Tensor[]> => {
    const results = await forward.run(Object.fromEntries([...changed].map(([name, array]) => [name, feedOf(array)])));
    return forward.outputNames.map((name) => results[name]!);
  };
  const outputs = await run(prepared.feeds);
  const seeds = outputs.map((output, index) => someNumbers(output.size, 100 + index));
  const weighted = (tensors: readonly Tensor[]): number =>
    tensors.reduce(
      (sum, tensor, index) => sum + numbersOf(tensor).reduce((part, value, at) => part + value * seeds[index]![at]!, 0),
      0,
    );

  const backward = await sessionOf(withGradient(prepared));
  const type = example.isSingle ? 'float32' : 'float64';
  const seedFeeds = outputs.map((output, index): [string, Tensor] => [
    `dy${index}`,
    feedOf({ type, dims: output.dims, values: seeds[index]! }),
  ]);
  const feeds = [...prepared.feeds].map(([name, array]): [string, Tensor] => [name, feedOf(array)]);
  // Some rules do not read all: ONNX Runtime refuses what the model does not declare, and here all is declared.
  const results = await backward.run(Object.fromEntries([...feeds, ...seedFeeds]));

  const step = example.isSingle ? 1 / 128 : 1e-5;
  for (const [place, name] of prepared.floats.entries()) {
    const found = results[backward.outputNames[place]!]!;
    const array = prepared.feeds.get(name)!;
    assert.deepEqual(found.dims, array.dims, `shape of the gradient at ${name}`);
    const gradient = numbersOf(found);
    const differences: number[] = [];
    for (const at of array.values.keys()) {
      const shifted = async (by: number): Promise<number> =>
        weighted(
          await run(
            new Map([...prepared.feeds, [name, { ...array, values: array.values.with(at, array.values[at]! + by) }]]),
          ),
        );
      // The fourth-order formula: single precision wants a step too large for the second-order one.
      const near = (await shifted(step)) - (await shifted(-step));
      const far = (await shifted(2 * step)) - (await shifted(-2 * step));
      differences.push((8 * near - far) / (12 * step));
    }
    const largest = Math.max(1e-3, ...differences.map(Math.abs));
    const tolerance = example.isSingle ? 2e-4 : 1e-6;
    for (const [at, difference] of differences.entries()) {
      const error = Math.abs(gradient[at]! - difference) / largest;
      assert.ok(error <= tolerance, `${name}[${at}]: the rule gives ${gradient[at]}, differences give ${difference}`);
    }
  }
}

describe('onnx: gradient rules', () => {
  for (const example of ruleExamples) {
    const title = `${example.op}${example.note === undefined ? '' : `, ${example.note}`}`;
    it(`${title}: as finite differences`, async () => {
      await check(example, (dims) => dims);
      await check(example, (dims, name) => dims.map((_, axis) => `${name}_${axis}`));
    });
  }

  it('all have an example', () => {
    // Rounding has no slope to compare with (rounded.test.ts); the gate is written for Gelu only (differentiate.test.ts).
    const elsewhere = [...Object.keys(quantisationRules), erfGateOperator];
    const shown = new Set([...ruleExamples.map(({ op }) => op), ...elsewhere]);
    assert.deepEqual(
      [...gradientRules.keys()].filter((op) => !shown.has(op)),
      [],
    );
  });
});
