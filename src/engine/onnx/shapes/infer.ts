/** What is known of every value of a graph before it runs. */
import { type Graph, type Node, operatorOf } from '../graph';
import { dataTypes, type TensorProto, type ValueInfoProto } from '../messages';
import { sizeOf, valuesOf } from '../tensors';
import { type Dim, type Facts, type Shape, unknownFacts } from './dims';
import { shapeRules } from './rules';

export interface KnownFacts {
  of(value: string): Facts;
  /** For a value that is not the graph's own. */
  set(value: string, facts: Facts): void;
  /** Works out a node that was added behind those known. */
  add(node: Node): void;
}

/** Longer lists are data, not shapes. */
const longestContent = 16;

/** `given`: of values that are not the graph's own inputs. */
export function inferFacts(graph: Graph, given: ReadonlyMap<string, Facts> = new Map()): KnownFacts {
  const known = new Map(given);
  let count = 0;
  const fresh = (): string => `?${++count}`;
  for (const input of graph.proto.input ?? []) known.set(input.name ?? '', factsOfInput(input, fresh));

  const of = (value: string): Facts => {
    const facts = known.get(value);
    if (facts !== undefined) return facts;
    const tensor = graph.initializers.get(value);
    if (tensor === undefined) return unknownFacts;
    const read = factsOfTensor(tensor);
    known.set(value, read);
    return read;
  };
  const add = (node: Node): void => {
    const rule = shapeRules.get(operatorOf(node));
    const constant = operatorOf(node) === 'Constant' ? node.attributes.get('value')?.t : undefined;
    const outputs =
      constant !== undefined
        ? [factsOfTensor(constant)]
        : (rule?.(node, { of: (index) => (node.inputs[index] ? of(node.inputs[index]!) : unknownFacts), fresh }) ?? []);
    node.outputs.forEach((name, index) => {
      known.set(name, outputs[index] ?? unknownFacts);
    });
  };
  for (const node of graph.nodes) add(node);
  return { of, add, set: (value, facts) => known.set(value, facts) };
}

function factsOfInput({ name, type }: ValueInfoProto, fresh: () => string): Facts {
  const dims = type?.tensorType?.shape?.dim;
  const dimOf = (value: bigint | undefined, param: string | undefined): Dim =>
    value !== undefined ? Number(value) : param === undefined || param === '' ? fresh() : param;
  const shape: Shape | null = dims?.map(({ dimValue, dimParam }) => dimOf(dimValue, dimParam)) ?? null;
  // Exporters that name no axis still mean a batch of token ids.
  const isIds = shape === null && (name === 'input_ids' || name === 'attention_mask' || name === 'token_type_ids');
  return { elemType: type?.tensorType?.elemType ?? 0, shape: isIds ? [fresh(), fresh()] : shape };
}

function factsOfTensor(tensor: TensorProto): Facts {
  const facts: Facts = { elemType: tensor.dataType ?? 0, shape: (tensor.dims ?? []).map(Number) };
  const isWhole = tensor.dataType === dataTypes.int64 || tensor.dataType === dataTypes.int32;
  const values = isWhole && sizeOf(tensor) <= longestContent ? valuesOf(tensor) : null;
  return values === null ? facts : { ...facts, content: [...values] };
}
