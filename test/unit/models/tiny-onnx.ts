/**
 * Writes tiny ONNX models (as protobuf, by hand), so that tests can have inputs, types, shapes and faults of every kind.
 * The classifier's logits are [s, -s, 0, 0, …] with s = the sum of the row's ids that `attention_mask` does not hide,
 * plus a bias from an initializer.
 */

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

const integer = (field: number, value: number): number[] => [...varint(field * 8), ...varint(value)];
const bytesField = (field: number, bytes: readonly number[]): number[] => [
  ...varint(field * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const string = (field: number, text: string): number[] => bytesField(field, [...Buffer.from(text)]);

const elementTypes = { float32: 1, int32: 6, int64: 7, float16: 10, float64: 11 };
type ElementType = keyof typeof elementTypes;

function valueInfo(name: string, type: ElementType, dims: readonly (string | number)[]): number[] {
  const shape = dims.flatMap((dim) => bytesField(1, typeof dim === 'number' ? integer(1, dim) : string(2, dim)));
  const tensor = [...integer(1, elementTypes[type]), ...bytesField(2, shape)];
  return [...string(1, name), ...bytesField(2, bytesField(1, tensor))];
}

type Attribute = { name: string; int: number } | { name: string; ints: readonly number[] };

function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Attribute[] = [],
): number[] {
  return [
    ...inputs.flatMap((input) => string(1, input)),
    ...string(2, output),
    ...string(4, operator),
    ...attributes.flatMap((attribute) =>
      bytesField(5, [
        ...string(1, attribute.name),
        ...('int' in attribute ? integer(3, attribute.int) : attribute.ints.flatMap((value) => integer(8, value))),
        ...integer(20, 'int' in attribute ? 2 : 7),
      ]),
    ),
  ];
}

function floats(values: readonly number[]): number[] {
  return [...Buffer.from(Float32Array.from(values).buffer)];
}

export interface TinyModel {
  inputs?: readonly string[];
  inputType?: 'int32' | 'int64' | 'float32';
  output?: string;
  outputType?: 'float32' | 'float16' | 'float64';
  /** Labels. */
  columns?: number;
  /** As many logits as the row has tokens: only a run shows how many. */
  openColumns?: boolean;
  /** Keeps the bias in a file of this name beside the model. */
  externalBias?: string;
}

/** The bias, as the external file holds it. */
export const externalBias = Buffer.from(floats([0.5]));

export function tinyOnnx(options: TinyModel = {}): Buffer {
  const { inputs = ['input_ids', 'attention_mask'], inputType = 'int64', output = 'logits' } = options;
  const { outputType = 'float32', columns = 2, openColumns = false } = options;
  const masked = inputs.includes('attention_mask');
  const bias = [
    ...integer(1, 1),
    ...integer(2, elementTypes.float32),
    ...string(8, 'bias'),
    ...(options.externalBias === undefined
      ? bytesField(9, floats([0.5]))
      : [
          ...bytesField(13, [...string(1, 'location'), ...string(2, options.externalBias)]),
          ...bytesField(13, [...string(1, 'offset'), ...string(2, '0')]),
          ...bytesField(13, [...string(1, 'length'), ...string(2, '4')]),
          ...integer(14, 1),
        ]),
  ];
  const toFloat = [{ name: 'to', int: elementTypes.float32 }];
  const first = inputs[0]!;
  const nodes = [
    node('Cast', [first], 'ids', toFloat),
    ...(masked
      ? [node('Cast', ['attention_mask'], 'mask', toFloat), node('Mul', ['ids', 'mask'], 'kept')]
      : [node('Identity', ['ids'], 'kept')]),
    node('ReduceSum', ['kept'], 'total', [
      { name: 'axes', ints: [1] },
      { name: 'keepdims', int: 1 },
    ]),
    node('Add', ['total', 'bias'], 'sum'),
    node('Neg', ['sum'], 'negated'),
    node('Sub', ['sum', 'sum'], 'zero'),
    node('Concat', ['sum', 'negated', ...new Array<string>(columns - 2).fill('zero')], 'joined', [
      { name: 'axis', int: 1 },
    ]),
    node('Cast', [openColumns ? 'kept' : 'joined'], output, [{ name: 'to', int: elementTypes[outputType] }]),
  ];
  const graph = [
    ...nodes.flatMap((bytes) => bytesField(1, bytes)),
    ...string(2, 'tiny'),
    ...bytesField(5, bias),
    ...inputs.flatMap((name) => bytesField(11, valueInfo(name, inputType, ['batch', 'sequence']))),
    ...bytesField(12, valueInfo(output, outputType, ['batch', openColumns ? 'labels' : columns])),
  ];
  return Buffer.from([...integer(1, 7), ...bytesField(7, graph), ...bytesField(8, integer(2, 11))]);
}
