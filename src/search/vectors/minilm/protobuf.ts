// The part of protocol buffers that a model file needs. Large parts are passed by reference and never copied.
const VARINT = 0;
const BYTES = 2;
const FIXED_32 = 5;

export class ProtobufMessage {
  readonly parts: Uint8Array[] = [];
  length = 0;

  int(field: number, value: number | bigint): this {
    return this.#add(varint(tag(field, VARINT)), varint(BigInt.asUintN(64, BigInt(value))));
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#add(varint(tag(field, FIXED_32)), bytes);
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#add(varint(tag(field, BYTES)), varint(BigInt(value.length)), value);
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value));
  }

  message(field: number, value: ProtobufMessage): this {
    return this.#add(varint(tag(field, BYTES)), varint(BigInt(value.length)), ...value.parts);
  }

  #add(...parts: Uint8Array[]): this {
    for (const part of parts) {
      this.parts.push(part);
      this.length += part.length;
    }
    return this;
  }
}

function tag(field: number, wire: number): bigint {
  return BigInt((field << 3) | wire);
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
