// Writes a BERT encoder as an ONNX model: the package ships weights alone, the engine wants the graph with them.
import { Message } from './protobuf.ts';
import type { Tensor } from './safetensors.ts';

export interface Encoder {
  layers: number;
  heads: number;
  width: number;
}

const IR_VERSION = 8;
const OPSET = 17;
const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE = { float: 1, int: 2, ints: 7 } as const;
const FAR_BELOW = -10_000;

type Attribute = number | readonly number[] | { float: number };

/** Names of values: what a node makes is what others take. */
type Value = string;

export function bertModel(weights: (name: string) => Tensor, encoder: Encoder): Message {
  const graph = new Graph();
  const output = encode(graph, weights, encoder);
  graph.node('Identity', [output], {}, 'last_hidden_state');
  const described = graph
    .finish('encoder')
    .message(11, valueInfo('input_ids', INT64, ['batch', 'length']))
    .message(11, valueInfo('attention_mask', INT64, ['batch', 'length']))
    .message(12, valueInfo('last_hidden_state', FLOAT, ['batch', 'length', encoder.width]));
  const opset = new Message().text(1, '').int(2, OPSET);
  return new Message().int(1, IR_VERSION).text(2, 'release-registry').message(7, described).message(8, opset);
}

function encode(graph: Graph, weights: (name: string) => Tensor, { layers, heads, width }: Encoder): Value {
  const one = graph.scalar('one', 1);
  const half = graph.scalar('half', 0.5);
  const rootOfTwo = graph.scalar('root_of_two', Math.SQRT2);
  const headScale = graph.scalar('head_scale', 1 / Math.sqrt(width / heads));
  const byHead = graph.integers('by_head', [0, 0, heads, width / heads]);
  const together = graph.integers('together', [0, 0, width]);

  const norm = (input: Value, name: string): Value => {
    const scale = graph.tensor(`${name}.weight`, weights(`${name}.weight`));
    const shift = graph.tensor(`${name}.bias`, weights(`${name}.bias`));
    return graph.node('LayerNormalization', [input, scale, shift], { axis: -1, epsilon: { float: 1e-12 } });
  };
  const linear = (input: Value, name: string): Value => {
    const weight = graph.tensor(`${name}.weight`, transposed(weights(`${name}.weight`)));
    const bias = graph.tensor(`${name}.bias`, weights(`${name}.bias`));
    return graph.node('Add', [graph.node('MatMul', [input, weight]), bias]);
  };
  const split = (input: Value, perm: readonly number[]): Value =>
    graph.node('Transpose', [graph.node('Reshape', [input, byHead])], { perm });
  const gelu = (input: Value): Value => {
    const error = graph.node('Erf', [graph.node('Div', [input, rootOfTwo])]);
    return graph.node('Mul', [graph.node('Mul', [input, graph.node('Add', [error, one])]), half]);
  };

  let hidden = norm(embeddings(graph, weights), 'embeddings.LayerNorm');
  const masked = maskBias(graph, one);
  for (let layer = 0; layer < layers; layer += 1) {
    const place = `encoder.layer.${layer}`;
    const query = split(linear(hidden, `${place}.attention.self.query`), [0, 2, 1, 3]);
    const key = split(linear(hidden, `${place}.attention.self.key`), [0, 2, 3, 1]);
    const value = split(linear(hidden, `${place}.attention.self.value`), [0, 2, 1, 3]);
    const scores = graph.node('Mul', [graph.node('MatMul', [query, key]), headScale]);
    const attention = graph.node('Softmax', [graph.node('Add', [scores, masked])], { axis: -1 });
    const mixed = graph.node('Transpose', [graph.node('MatMul', [attention, value])], { perm: [0, 2, 1, 3] });
    const attended = linear(graph.node('Reshape', [mixed, together]), `${place}.attention.output.dense`);
    hidden = norm(graph.node('Add', [attended, hidden]), `${place}.attention.output.LayerNorm`);
    const inner = gelu(linear(hidden, `${place}.intermediate.dense`));
    hidden = norm(graph.node('Add', [linear(inner, `${place}.output.dense`), hidden]), `${place}.output.LayerNorm`);
  }
  return hidden;
}

// Words, and their places with the one token type that is ever used.
function embeddings(graph: Graph, weights: (name: string) => Tensor): Value {
  const words = graph.tensor('words', weights('embeddings.word_embeddings.weight'));
  const places = weights('embeddings.position_embeddings.weight');
  const type = weights('embeddings.token_type_embeddings.weight').values;
  const width = places.shape[1] ?? 0;
  const shifted = places.values.map((value, at) => value + (type[at % width] ?? 0));
  const [first, second, third] = [0, 1, 2].map((at) => graph.integers(`at_${at}`, [at])) as [Value, Value, Value];
  const shape = graph.node('Shape', ['input_ids']);
  const length = graph.node('Slice', [shape, second, third, first]);
  const table = graph.tensor('places', { shape: places.shape, values: shifted });
  const here = graph.node('Slice', [table, first, length, first]);
  return graph.node('Add', [graph.node('Gather', [words, 'input_ids']), here]);
}

function maskBias(graph: Graph, one: Value): Value {
  const mask = graph.node('Cast', ['attention_mask'], { to: FLOAT });
  const wide = graph.node('Unsqueeze', [mask, graph.integers('mask_axes', [1, 2])]);
  return graph.node('Mul', [graph.node('Sub', [one, wide]), graph.scalar('far_below', FAR_BELOW)]);
}

function transposed({ shape: [rows = 0, columns = 0], values }: Tensor): Tensor {
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      turned[column * rows + row] = values[row * columns + column] as number;
    }
  }
  return { shape: [columns, rows], values: turned };
}

class Graph {
  readonly #nodes: Message[] = [];
  readonly #constants: Message[] = [];

  node(op: string, inputs: readonly Value[], attributes: Record<string, Attribute> = {}, name?: Value): Value {
    const output = name ?? `n${this.#nodes.length}`;
    const message = new Message();
    for (const input of inputs) message.text(1, input);
    message.text(2, output).text(4, op);
    for (const [key, value] of Object.entries(attributes)) message.message(5, attribute(key, value));
    this.#nodes.push(message);
    return output;
  }

  tensor(name: Value, { shape, values }: Tensor): Value {
    return this.#constant(name, shape, FLOAT, values);
  }

  scalar(name: Value, value: number): Value {
    return this.#constant(name, [], FLOAT, Float32Array.of(value));
  }

  integers(name: Value, values: readonly number[]): Value {
    return this.#constant(name, [values.length], INT64, BigInt64Array.from(values, BigInt));
  }

  finish(name: string): Message {
    const graph = new Message();
    for (const node of this.#nodes) graph.message(1, node);
    graph.text(2, name);
    for (const constant of this.#constants) graph.message(5, constant);
    return graph;
  }

  #constant(name: Value, dims: readonly number[], type: number, values: Float32Array | BigInt64Array): Value {
    const tensor = new Message();
    for (const size of dims) tensor.int(1, size);
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#constants.push(tensor.int(2, type).text(8, name).bytes(9, raw));
    return name;
  }
}

function attribute(name: string, value: Attribute): Message {
  const message = new Message().text(1, name);
  if (typeof value === 'number') return message.int(3, value).int(20, ATTRIBUTE.int);
  if ('float' in value) return message.float(2, value.float).int(20, ATTRIBUTE.float);
  for (const one of value) message.int(8, one);
  return message.int(20, ATTRIBUTE.ints);
}

function valueInfo(name: string, type: number, dims: readonly (string | number)[]): Message {
  const shape = new Message();
  for (const size of dims) {
    shape.message(1, typeof size === 'string' ? new Message().text(2, size) : new Message().int(1, size));
  }
  const tensor = new Message().int(1, type).message(2, shape);
  return new Message().text(1, name).message(2, new Message().message(1, tensor));
}
