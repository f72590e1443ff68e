// Vectors as they are stored: one byte a value, and one scale that makes the largest value fit.
const MAX_INT8 = 127;

interface QuantisedVector {
  scale: number;
  data: Int8Array;
}

export function quantise(vector: Float32Array): QuantisedVector {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / MAX_INT8 || 1;
  return { scale, data: Int8Array.from(vector, (value) => Math.round(value / scale)) };
}

export function dequantise({ scale, data }: QuantisedVector): Float32Array {
  return Float32Array.from(data, (value) => value * scale);
}

// Scales a vector to length one; a vector of zeros stays as it is.
export function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / length);
}

// The cosine of a vector of length one and a stored one; the scale of the stored one does not change the angle.
export function cosine(query: Float32Array, data: Int8Array): number {
  let even = 0;
  let odd = 0;
  let squares = 0;
  // Two sums side by side take half the time of one, and thousands of vectors are scanned at once.
  const pairs = data.length & ~1;
  for (let at = 0; at < pairs; at += 2) {
    const a = data[at] as number;
    const b = data[at + 1] as number;
    even += (query[at] as number) * a;
    odd += (query[at + 1] as number) * b;
    squares += a * a + b * b;
  }
  if (pairs < data.length) {
    const last = data[pairs] as number;
    even += (query[pairs] as number) * last;
    squares += last * last;
  }
  return squares === 0 ? 0 : (even + odd) / Math.sqrt(squares);
}

// The bytes as the database gives them.
export function bytesOf(data: Uint8Array): Int8Array {
  return new Int8Array(data.buffer, data.byteOffset, data.byteLength);
}
