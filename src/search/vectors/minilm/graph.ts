// Nodes and constants of an ONNX graph, written as protocol buffers.
import { ProtobufMessage } from './protobuf.ts';
import type { Tensor } from './safetensors.ts';

export const FLOAT = 1;
const UINT8 = 2;
export const INT64 = 7;
const ATTRIBUTE = { float: 1, int: 2, ints: 7 } as const;

type Attribute = number | readonly number[] | { float: number };
type ConstantValues = Float32Array | BigInt64Array | Uint8Array;

// The name of a value that one node outputs and others take as input.
export type GraphValue = string;

interface NodeOptions {
  attributes?: Record<string, Attribute>;
  // The domain of the operator; without it the operator belongs to the ONNX standard.
  domain?: string;
  output?: GraphValue;
}

export class Graph {
  readonly #nodes: ProtobufMessage[] = [];
  readonly #constants: ProtobufMessage[] = [];

  node(op: string, inputs: readonly GraphValue[], options: NodeOptions = {}): GraphValue {
    const output = options.output ?? this.#newName();
    this.#write(op, inputs, [output], options);
    return output;
  }

  // Adds an operator with several outputs.
  nodes(op: string, inputs: readonly GraphValue[], outputs: number): GraphValue[] {
    const name = this.#newName();
    return this.#write(
      op,
      inputs,
      Array.from({ length: outputs }, (_, at) => `${name}.${at}`),
      {},
    );
  }

  tensor(name: GraphValue, { shape, values }: Tensor): GraphValue {
    return this.#constant(name, shape, FLOAT, values);
  }

  bytes(name: GraphValue, shape: readonly number[], values: Uint8Array): GraphValue {
    return this.#constant(name, shape, UINT8, values);
  }

  scalar(name: GraphValue, value: number): GraphValue {
    return this.#constant(name, [], FLOAT, Float32Array.of(value));
  }

  integers(name: GraphValue, values: readonly number[]): GraphValue {
    return this.#constant(name, [values.length], INT64, BigInt64Array.from(values, BigInt));
  }

  finish(name: string): ProtobufMessage {
    const graph = new ProtobufMessage();
    for (const node of this.#nodes) graph.message(1, node);
    graph.text(2, name);
    for (const constant of this.#constants) graph.message(5, constant);
    return graph;
  }

  #write(op: string, inputs: readonly GraphValue[], outputs: GraphValue[], { attributes = {}, domain }: NodeOptions) {
    const message = new ProtobufMessage();
    for (const input of inputs) message.text(1, input);
    for (const output of outputs) message.text(2, output);
    message.text(4, op);
    for (const [key, value] of Object.entries(attributes)) message.message(5, attribute(key, value));
    if (domain !== undefined) message.text(7, domain);
    this.#nodes.push(message);
    return outputs;
  }

  #newName(): GraphValue {
    return `n${this.#nodes.length}`;
  }

  #constant(name: GraphValue, dims: readonly number[], type: number, values: ConstantValues): GraphValue {
    const tensor = new ProtobufMessage();
    for (const size of dims) tensor.int(1, size);
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#constants.push(tensor.int(2, type).text(8, name).bytes(9, raw));
    return name;
  }
}

function attribute(name: string, value: Attribute): ProtobufMessage {
  const message = new ProtobufMessage().text(1, name);
  if (typeof value === 'number') return message.int(3, value).int(20, ATTRIBUTE.int);
  if ('float' in value) return message.float(2, value.float).int(20, ATTRIBUTE.float);
  for (const one of value) message.int(8, one);
  return message.int(20, ATTRIBUTE.ints);
}

export function valueInfo(name: string, type: number, dims: readonly (string | number)[]): ProtobufMessage {
  const shape = new ProtobufMessage();
  for (const size of dims) {
    shape.message(
      1,
      typeof size === 'string' ? new ProtobufMessage().text(2, size) : new ProtobufMessage().int(1, size),
    );
  }
  const tensor = new ProtobufMessage().int(1, type).message(2, shape);
  return new ProtobufMessage().text(1, name).message(2, new ProtobufMessage().message(1, tensor));
}
