// The package ships no types; this is the part of it that we use.
declare module 'onnxruntime-node' {
  interface Tensor {
    readonly data: Float32Array | BigInt64Array;
  }

  interface Session {
    run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  }

  const runtime: {
    InferenceSession: { create(path: string, options: object): Promise<Session> };
    Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
  };
  export default runtime;
}
