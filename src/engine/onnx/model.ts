/** An ONNX file: read, and written again with nothing lost. */
import { type ModelProto, modelSchema, type TensorProto } from './messages';
import { decode, encode } from './wire';

/** The file is no ONNX model, or not one that Assay can work with. The message says what to do. */
export class OnnxError extends Error {}

/** Throws OnnxError. The bytes must not change afterwards: the weights are views into them. */
export function readModel(bytes: Uint8Array): ModelProto {
  let model: ModelProto;
  try {
    model = decode<ModelProto>(modelSchema, bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OnnxError(`This is not an ONNX file, or it is damaged (${reason}): copy or export it again.`);
  }
  if (model.graph === undefined) throw new OnnxError('This ONNX file holds no graph: export the model again.');
  return model;
}

export function writeModel(model: ModelProto): Uint8Array<ArrayBuffer> {
  return encode(modelSchema, model);
}

/** Version of the operators of a domain (empty: ONNX's own) that the model is written in; 0 where it names none. */
export function opsetOf(model: ModelProto, domain = ''): number {
  const found = model.opsetImport?.find((set) => domainOf(set.domain) === domain);
  return Number(found?.version ?? 0n);
}

/** ONNX's own domain has two names. */
export function domainOf(name: string | undefined): string {
  return name === undefined || name === 'ai.onnx' ? '' : name;
}

/** True where the tensor's values lie in another file. */
export function isExternal(tensor: TensorProto): boolean {
  return tensor.dataLocation === 1;
}
