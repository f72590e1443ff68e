// Writes a BERT encoder as an ONNX model, because the package ships only weights and the engine needs a graph. Weight matrices
// are bytes; attention, norms and activation stay in single precision. The weights are in a file beside the graph, which the
// engine maps.
import { quantiseColumns, SCALES, ZERO_POINT } from './int8-weights.ts';
import { ProtobufMessage } from './protobuf.ts';
import type { SafetensorsWriter, StoredTensor, Tensor } from './safetensors.ts';

interface Encoder {
  layers: number;
  heads: number;
  width: number;
}

type Weights = (name: string) => Tensor;

const IR_VERSION = 8;
const OPSET = 17;
// Operators that the engine adds to the standard.
const CONTRIB = 'com.microsoft';

interface WeightsBeside {
  // The name of the file with the weights, in the folder of the graph.
  name: string;
  writer: SafetensorsWriter;
}

// The model takes one text at a time without padding, so it needs no mask.
export function bertModel(
  weights: Weights,
  encoder: Encoder,
  beside: WeightsBeside,
  layers: MakeLayers = int8Layers,
): ProtobufMessage {
  const graph = new Graph(beside);
  const output = encode(graph, weights, encoder, layers(graph, weights));
  graph.node('Identity', [output], { output: 'last_hidden_state' });
  const described = graph
    .finish('encoder')
    .message(11, valueInfo('input_ids', INT64, ['batch', 'length']))
    .message(12, valueInfo('last_hidden_state', FLOAT, ['batch', 'length', encoder.width]));
  return new ProtobufMessage()
    .int(1, IR_VERSION)
    .text(2, 'release-registry')
    .message(7, described)
    .message(8, new ProtobufMessage().text(1, '').int(2, OPSET))
    .message(8, new ProtobufMessage().text(1, CONTRIB).int(2, 1));
}

function encode(graph: Graph, weights: Weights, { layers, heads, width }: Encoder, linear: LinearLayers): GraphValue {
  const headScale = graph.scalar('head_scale', 1 / Math.sqrt(width / heads));
  const byHead = graph.integers('by_head', [0, 0, heads, width / heads]);
  const together = graph.integers('together', [0, 0, width]);

  const norm = (input: GraphValue, name: string): GraphValue => {
    const scale = graph.widened(`${name}.weight`, weights(`${name}.weight`));
    const shift = graph.widened(`${name}.bias`, weights(`${name}.bias`));
    return graph.node('LayerNormalization', [input, scale, shift], {
      attributes: { axis: -1, epsilon: { float: 1e-12 } },
    });
  };
  const split = (input: GraphValue, perm: readonly number[]): GraphValue =>
    graph.node('Transpose', [graph.node('Reshape', [input, byHead])], { attributes: { perm } });
  // The activation uses tanh, which saves an eighth of the whole time over the error function.
  const gelu = (input: GraphValue): GraphValue => graph.node('FastGelu', [input], { domain: CONTRIB });

  let hidden = norm(embeddings(graph, weights), 'embeddings.LayerNorm');
  for (let layer = 0; layer < layers; layer += 1) {
    const prefix = `encoder.layer.${layer}`;
    const bytes = linear.quantise(hidden);
    const query = split(linear.apply(bytes, `${prefix}.attention.self.query`), [0, 2, 1, 3]);
    const key = split(linear.apply(bytes, `${prefix}.attention.self.key`), [0, 2, 3, 1]);
    const value = split(linear.apply(bytes, `${prefix}.attention.self.value`), [0, 2, 1, 3]);
    const scores = graph.node('Mul', [graph.node('MatMul', [query, key]), headScale]);
    const attention = graph.node('Softmax', [scores], { attributes: { axis: -1 } });
    const mixed = graph.node('Transpose', [graph.node('MatMul', [attention, value])], {
      attributes: { perm: [0, 2, 1, 3] },
    });
    const joined = linear.quantise(graph.node('Reshape', [mixed, together]));
    const attended = linear.apply(joined, `${prefix}.attention.output.dense`);
    hidden = norm(graph.node('Add', [attended, hidden]), `${prefix}.attention.output.LayerNorm`);
    const inner = gelu(linear.apply(linear.quantise(hidden), `${prefix}.intermediate.dense`));
    const outer = linear.apply(linear.quantise(inner), `${prefix}.output.dense`);
    hidden = norm(graph.node('Add', [outer, hidden]), `${prefix}.output.LayerNorm`);
  }
  return hidden;
}

interface LinearInput {
  values: GraphValue;
  scale: GraphValue;
  zeroPoint: GraphValue;
}

// Products with the weight matrices, in whatever precision.
interface LinearLayers {
  // Quantises an input once for all layers that take it.
  quantise(input: GraphValue): LinearInput;
  apply(input: LinearInput, name: string): GraphValue;
}

export type MakeLayers = (graph: Graph, weights: Weights) => LinearLayers;

// Products of bytes. The range of the activations is that of each text; the engine fuses the steps of `apply` into one.
function int8Layers(graph: Graph, weights: Weights): LinearLayers {
  const weightZero = graph.byte('weight_zero_point', ZERO_POINT);
  return {
    quantise(input) {
      const [values = '', scale = '', zeroPoint = ''] = graph.nodes('DynamicQuantizeLinear', [input], 3);
      return { values, scale, zeroPoint };
    },
    apply(input, name) {
      const { shape, values, scales } = quantiseColumns(transposed(weights(`${name}.weight`)));
      const matrix = graph.bytes(`${name}.weight`, shape, values);
      const scale = graph.tensor(`${name}.weight${SCALES}`, { shape: [scales.length], values: scales });
      const bias = graph.widened(`${name}.bias`, weights(`${name}.bias`));
      const product = graph.node('MatMulInteger', [input.values, matrix, input.zeroPoint, weightZero]);
      const floats = graph.node('Cast', [product], { attributes: { to: FLOAT } });
      return graph.node('Add', [graph.node('Mul', [floats, graph.node('Mul', [input.scale, scale])]), bias]);
    },
  };
}

// The sum of word, position and token-type embeddings; only the first token type is used. The tables stay in half precision;
// what is taken of them is widened.
function embeddings(graph: Graph, weights: Weights): GraphValue {
  const table = (kind: string) => {
    const name = `embeddings.${kind}_embeddings.weight`;
    return graph.halves(name, weights(name));
  };
  const at = (index: number) => graph.integers(`at_${index}`, [index]);
  const [first, second, third] = [at(0), at(1), at(2)];
  const shape = graph.node('Shape', ['input_ids']);
  const length = graph.node('Slice', [shape, second, third, first]);
  const type = graph.node('Slice', [table('token_type'), first, second, first]);
  const position = graph.node('Slice', [table('position'), first, length, first]);
  const here = graph.node('Add', [graph.widen(position), graph.widen(type)]);
  return graph.node('Add', [graph.widen(graph.node('Gather', [table('word'), 'input_ids'])), here]);
}

export function transposed({ shape: [rows = 0, columns = 0], values }: Tensor): Tensor {
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      turned[column * rows + row] = values[row * columns + column] ?? 0;
    }
  }
  return { shape: [columns, rows], values: turned };
}

// Nodes and constants of an ONNX graph, written as protocol buffers.

const FLOAT = 1;
const UINT8 = 2;
const INT64 = 7;
const FLOAT16 = 10;
const STORED_TYPE = { F32: FLOAT, U8: UINT8, F16: FLOAT16 } as const;
const EXTERNAL = 1;
const ATTRIBUTE = { float: 1, int: 2, ints: 7 } as const;

type Attribute = number | readonly number[] | { float: number };
type ConstantValues = Float32Array | BigInt64Array | Uint8Array | Float16Array;

// The name of a value that one node outputs and others take as input.
type GraphValue = string;

interface NodeOptions {
  attributes?: Record<string, Attribute>;
  // The domain of the operator; without it the operator belongs to the ONNX standard.
  domain?: string;
  output?: GraphValue;
}

class Graph {
  readonly #beside: WeightsBeside;
  readonly #nodes: ProtobufMessage[] = [];
  readonly #constants: ProtobufMessage[] = [];

  constructor(beside: WeightsBeside) {
    this.#beside = beside;
  }

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
    return this.#stored(name, { dtype: 'F32', shape, bytes: rawBytes(values) });
  }

  bytes(name: GraphValue, shape: readonly number[], bytes: Uint8Array): GraphValue {
    return this.#stored(name, { dtype: 'U8', shape, bytes });
  }

  // The values must be such that half precision loses nothing of them.
  halves(name: GraphValue, { shape, values }: Tensor): GraphValue {
    return this.#stored(name, { dtype: 'F16', shape, bytes: rawBytes(new Float16Array(values)) });
  }

  // Half precision in the file, single precision for what takes it.
  widened(name: GraphValue, tensor: Tensor): GraphValue {
    return this.widen(this.halves(name, tensor));
  }

  widen(value: GraphValue): GraphValue {
    return this.node('Cast', [value], { attributes: { to: FLOAT } });
  }

  byte(name: GraphValue, value: number): GraphValue {
    return this.#constant(name, [], UINT8, Uint8Array.of(value));
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
    return this.#add(name, dims, new ProtobufMessage().int(2, type).text(8, name).bytes(9, rawBytes(values)));
  }

  #stored(name: GraphValue, tensor: StoredTensor): GraphValue {
    const { name: file, writer } = this.#beside;
    const offset = writer.add(name, tensor);
    const place = { location: file, offset: String(offset), length: String(tensor.bytes.length) };
    const described = new ProtobufMessage().int(2, STORED_TYPE[tensor.dtype]).text(8, name);
    for (const [key, value] of Object.entries(place)) {
      described.message(13, new ProtobufMessage().text(1, key).text(2, value));
    }
    return this.#add(name, tensor.shape, described.int(14, EXTERNAL));
  }

  #add(name: GraphValue, dims: readonly number[], described: ProtobufMessage): GraphValue {
    for (const size of dims) described.int(1, size);
    this.#constants.push(described);
    return name;
  }
}

function rawBytes({ buffer, byteOffset, byteLength }: ConstantValues): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function attribute(name: string, value: Attribute): ProtobufMessage {
  const message = new ProtobufMessage().text(1, name);
  if (typeof value === 'number') return message.int(3, value).int(20, ATTRIBUTE.int);
  if ('float' in value) return message.float(2, value.float).int(20, ATTRIBUTE.float);
  for (const one of value) message.int(8, one);
  return message.int(20, ATTRIBUTE.ints);
}

function valueInfo(name: string, type: number, dims: readonly (string | number)[]): ProtobufMessage {
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
