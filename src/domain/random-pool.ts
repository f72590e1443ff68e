// Reads random bytes in large blocks: an id needs few bytes, and a call for each id costs more than the bytes.
const POOL_BYTES = 8192;

export function pooledRandom(fill: (size: number) => Uint8Array): (size: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return (size) => {
    if (size > POOL_BYTES / 8) return fill(size);
    if (used + size > pool.length) {
      pool = fill(POOL_BYTES);
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
