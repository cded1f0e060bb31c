/**
 * Protobuf messages by a table of their fields. What the table does not name is kept as it stands and written again in its place,
 * so a message survives being rewritten by us even where its format has grown since. Bytes are views into what was read and are
 * copied once, when the whole is put together: weights are hundreds of megabytes.
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

export type Scalar = 'int64' | 'uint64' | 'int32' | 'float' | 'double' | 'string' | 'bytes';

export interface Field {
  name: string;
  type: Scalar | { message: Schema };
  /** `packed`: numbers written one after the other under one tag. Either way of writing is read. */
  repeated?: 'unpacked' | 'packed';
}

/** Fields by their number. A function where messages hold one another. */
export type Schema = () => Readonly<Record<number, Field>>;

export interface Message {
  /** Fields that the table does not name, as they were read. */
  unknown?: { number: number; tagAndContent: Uint8Array }[];
}

type Value = bigint | number | string | Uint8Array | Message;
type Fields = Record<string, unknown> & Message;

const wireTypes: Record<Scalar, WireType> = {
  int64: WireType.Varint,
  uint64: WireType.Varint,
  int32: WireType.Varint,
  float: WireType.Bit32,
  double: WireType.Bit64,
  string: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
};

const maxDepth = 100;
/** Bytes of at least so many are not copied before the end. */
const largePart = 1024;

/** Throws Error where the bytes are no such message. */
export function decode<T extends Message>(schema: Schema, bytes: Uint8Array): T {
  return decodeAt(schema, bytes, 0) as T;
}

function decodeAt(schema: Schema, bytes: Uint8Array, depth: number): Message {
  if (depth > maxDepth) throw new Error('messages nested too deeply');
  const fields = schema();
  const message: Fields = {};
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [number, wireType] = reader.tag();
    const field = Object.hasOwn(fields, number) ? fields[number] : undefined;
    if (field === undefined || !isWrittenAs(field, wireType)) {
      reader.skip(wireType, number);
      message.unknown ??= [];
      message.unknown.push({ number, tagAndContent: bytes.subarray(start, reader.pos) });
      continue;
    }
    const read = (from: BinaryReader): Value =>
      typeof field.type === 'object' ? decodeAt(field.type.message, from.bytes(), depth + 1) : scalar(from, field.type);
    if (field.repeated === undefined) {
      message[field.name] = read(reader);
      continue;
    }
    message[field.name] ??= [];
    const list = message[field.name] as Value[];
    if (wireType === WireType.LengthDelimited && isNumber(field)) {
      const packed = new BinaryReader(reader.bytes());
      while (packed.pos < packed.len) list.push(read(packed));
      if (packed.pos > packed.len) throw new Error('cut short');
    } else {
      list.push(read(reader));
    }
    if (reader.pos > reader.len) throw new Error('cut short');
  }
  if (reader.pos > reader.len) throw new Error('cut short');
  return message;
}

const isNumber = ({ type }: Field): boolean => typeof type === 'string' && wireTypes[type] !== WireType.LengthDelimited;

const wireTypeOf = ({ type }: Field): WireType =>
  typeof type === 'string' ? wireTypes[type] : WireType.LengthDelimited;

function isWrittenAs(field: Field, wireType: WireType): boolean {
  return wireType === wireTypeOf(field) || (field.repeated !== undefined && wireType === WireType.LengthDelimited);
}

function scalar(reader: BinaryReader, type: Scalar): Value {
  switch (type) {
    case 'int64':
      return BigInt(reader.int64());
    case 'uint64':
      return BigInt(reader.uint64());
    case 'int32':
      return reader.int32();
    case 'float':
      return reader.float();
    case 'double':
      return reader.double();
    case 'string':
      return reader.string();
    case 'bytes':
      return reader.bytes();
  }
}

/**
 * The message's bytes, fields by rising number as every writer we know of orders them: what came from such a one and was not
 * changed is written byte by byte as it was. Undefined fields are left out; zeros are written.
 */
export function encode(schema: Schema, message: Message): Uint8Array<ArrayBuffer> {
  const { parts, length } = encodeParts(schema, message);
  const whole = new Uint8Array(length);
  let position = 0;
  for (const part of parts) {
    whole.set(part, position);
    position += part.length;
  }
  return whole;
}

interface Parts {
  parts: Uint8Array[];
  length: number;
}

function encodeParts(schema: Schema, message: Message): Parts {
  const parts: Uint8Array[] = [];
  let length = 0;
  let writer = new BinaryWriter();
  const flush = (): void => {
    const written = writer.finish();
    writer = new BinaryWriter();
    append(written);
  };
  const append = (part: Uint8Array): void => {
    if (part.length === 0) return;
    parts.push(part);
    length += part.length;
  };
  const appendBytes = ({ parts: all, length: total }: Parts): void => {
    writer.uint32(total);
    if (total < largePart) {
      for (const part of all) writer.raw(part);
      return;
    }
    flush();
    for (const part of all) append(part);
  };
  const write = (field: Field, value: Value): void => {
    if (typeof field.type === 'object') appendBytes(encodeParts(field.type.message, value as Message));
    else if (field.type === 'bytes')
      appendBytes({ parts: [value as Uint8Array], length: (value as Uint8Array).length });
    else writeScalar(writer, field.type, value);
  };
  const unknown = [...(message.unknown ?? [])].sort((a, b) => a.number - b.number);
  const writeUnknownBelow = (number: number): void => {
    while (unknown[0] !== undefined && unknown[0].number < number) {
      const { tagAndContent } = unknown.shift()!;
      flush();
      append(tagAndContent);
    }
  };
  for (const [number, field] of Object.entries(schema())) {
    writeUnknownBelow(Number(number));
    const value = (message as Fields)[field.name] as Value | Value[] | undefined;
    if (value === undefined) continue;
    if (field.repeated === 'packed') {
      const packed = new BinaryWriter();
      for (const one of value as Value[]) writeScalar(packed, field.type as Scalar, one);
      const bytes = packed.finish();
      if (bytes.length === 0) continue;
      writer.tag(Number(number), WireType.LengthDelimited);
      appendBytes({ parts: [bytes], length: bytes.length });
      continue;
    }
    for (const one of field.repeated === 'unpacked' ? (value as Value[]) : [value as Value]) {
      writer.tag(Number(number), wireTypeOf(field));
      write(field, one);
    }
  }
  writeUnknownBelow(Number.POSITIVE_INFINITY);
  flush();
  return { parts, length };
}

function writeScalar(writer: BinaryWriter, type: Scalar, value: Value): void {
  switch (type) {
    case 'int64':
      writer.int64(value as bigint);
      return;
    case 'uint64':
      writer.uint64(value as bigint);
      return;
    case 'int32':
      writer.int32(value as number);
      return;
    case 'float':
      writer.float(value as number);
      return;
    case 'double':
      writer.double(value as number);
      return;
    case 'string':
      writer.string(value as string);
      return;
    case 'bytes':
      writer.bytes(value as Uint8Array);
  }
}
