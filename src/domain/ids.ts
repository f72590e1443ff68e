export const ID_PREFIXES = [
  'org',
  'prod',
  'src',
  'rel',
  'rev',
  'loc',
  'oa',
  'da',
  'pkg',
  'col',
  'tag',
  'sum',
  'kp',
  'kpc',
  'scf',
  'scc',
  'fl',
  'usg',
  'aud',
  'iu',
  'bu',
  'fb',
  'rec',
  'tok',
  'fol',
  'evt',
  'whk',
  'stk',
  'dgm',
  'dlv',
  'att',
] as const;

export type IdPrefix = (typeof ID_PREFIXES)[number];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = 21;
// One byte in 32 is refused, so three spare bytes make a second draw rare.
const DRAW = BODY_LENGTH + 3;

const BODY = /^[0-9A-Za-z]{21}$/;
const RELEASE_SEGMENT = /^(rel_[0-9A-Za-z]{21})(?:-.*)?$/s;
const KNOWN: ReadonlySet<string> = new Set(ID_PREFIXES);

export function newId(prefix: IdPrefix, randomBytes: (size: number) => Uint8Array): string {
  let id = `${prefix}_`;
  let missing = BODY_LENGTH;
  while (missing > 0) {
    for (const byte of randomBytes(DRAW)) {
      // Six bits give 0–63; refusing 62 and 63 keeps every character equally likely.
      const index = byte & 63;
      if (index >= 62) continue;
      id += ALPHABET[index];
      missing -= 1;
      if (missing === 0) break;
    }
  }
  return id;
}

export function isId(value: string, prefix: IdPrefix): boolean {
  return (
    value.length === prefix.length + 1 + BODY_LENGTH &&
    value.startsWith(`${prefix}_`) &&
    BODY.test(value.slice(prefix.length + 1))
  );
}

// The prefix of an id. Slugs hold no underscore, so the prefix alone distinguishes an id, even a malformed one, from a slug.
export function idPrefixOf(value: string): IdPrefix | null {
  const end = value.indexOf('_');
  if (end < 0) return null;
  const prefix = value.slice(0, end);
  return KNOWN.has(prefix) ? (prefix as IdPrefix) : null;
}

// The domain manifest spells product ids `prd_`; everything else passes through unchanged.
export function toProductId(value: string): string {
  return value.startsWith('prd_') ? `prod_${value.slice(4)}` : value;
}

// The release id in a path segment, without the decorative text that may follow it.
export function releaseIdOf(segment: string): string | null {
  return RELEASE_SEGMENT.exec(segment)?.[1] ?? null;
}

const POOL_BYTES = 8192;

// A reader of random bytes that asks for large blocks: an id needs few bytes, and a call for each id costs more than they do.
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
