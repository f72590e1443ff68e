// A seeded stream of choices (sfc32): the same seed gives the same choices on every machine.
export type Random = {
  // In [0, 1).
  next(): number;
  // Both ends included.
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  weighted<T>(entries: readonly (readonly [T, number])[]): T;
  shuffle<T>(items: readonly T[]): T[];
  // Up to `count` different items, in random order.
  sample<T>(items: readonly T[], count: number): T[];
  hex(length: number): string;
  // An independent stream: drawing from it does not move this one.
  fork(label: string): Random;
};

export function createRandom(seed: number | string): Random {
  const text = String(seed);
  const next = sfc32(hash(text, 1), hash(text, 2), hash(text, 3), hash(text, 4));

  const random: Random = {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => at(items, Math.floor(next() * items.length)),
    weighted: (entries) => {
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of entries) {
        rest -= weight;
        if (rest < 0) return item;
      }
      return at(entries, entries.length - 1)[0];
    },
    shuffle: (items) => random.sample(items, items.length),
    sample: (items, count) => {
      const pool = [...items];
      const taken = Math.min(count, pool.length);
      for (let i = 0; i < taken; i++) {
        const j = random.int(i, pool.length - 1);
        [pool[i], pool[j]] = [at(pool, j), at(pool, i)];
      }
      return pool.slice(0, taken);
    },
    hex: (length) => Array.from({ length }, () => random.int(0, 15).toString(16)).join(''),
    fork: (label) => createRandom(`${text}/${label}`),
  };
  return random;
}

function at<T>(items: readonly T[], index: number): T {
  if (index < 0 || index >= items.length) throw new RangeError('nothing to choose from');
  return items[index] as T;
}

// FNV-1a with a final mix; four salts fill the four words of state.
function hash(text: string, salt: number): number {
  let h = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

function sfc32(seedA: number, seedB: number, seedC: number, seedD: number): () => number {
  let [a, b, c, d] = [seedA, seedB, seedC, seedD];
  const step = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  // Similar seeds start with similar words of state; a few rounds part them.
  for (let i = 0; i < 12; i++) step();
  return step;
}
