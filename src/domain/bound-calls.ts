// What a call touches, by its path and body, for callers that may change one part of the registry alone. Whatever cannot
// be told is refused.
import { idPrefixOf } from './ids.ts';

export interface NamedPlace {
  type: 'org' | 'product' | 'source' | 'release';
  name: string;
  // The organization that the path names before it.
  org?: string;
}

interface SentInput {
  query?: unknown;
  body?: unknown;
}

const PLACE_TYPES = { org: 'org', prod: 'product', src: 'source', rel: 'release' } as const;

// What these paths write is shared by the whole registry: tags, further domains and handles, other releases, a manifest
// that adds what it likes; and what was deleted is brought back by those who deleted it.
const SHARED_SEGMENTS = ['tags', 'aliases', 'accounts', 'coverage', 'sync-well-known', 'promote', 'restore'];
const SHARED_FIELDS = ['tags', 'aliases', 'domain', 'accounts', 'featured', 'discovery'];
const PLACE_FIELDS = ['org', 'orgId', 'orgSlug', 'product', 'productId', 'productSlug', 'source', 'sourceId'];

// What the path itself names; null for a path outside of single organizations, products, sources and releases.
export function pathPlace(path: string, params: Record<string, string>): NamedPlace | null {
  const [, root = '', first = '', second, third = ''] = path.split('/');
  if (path.split('/').some((segment) => SHARED_SEGMENTS.includes(segment))) return null;
  const value = (segment: string) => params[segment.slice(1, -1)] ?? '';
  if (root === 'orgs' && first === '{org}') {
    const inside = third.startsWith('{');
    if (inside && second === 'sources') return { type: 'source', name: value(third), org: value(first) };
    if (inside && second === 'products') return { type: 'product', name: value(third), org: value(first) };
    return { type: 'org', name: value(first) };
  }
  if (root === 'products' && first === '{prod}') return { type: 'product', name: value(first) };
  if (root === 'sources' && first === '{src}') return { type: 'source', name: value(first) };
  return root === 'releases' && first === '{rel}' ? { type: 'release', name: value(first) } : null;
}

// Null when something of the input is shared by the registry or cannot be told.
export function inputPlaces(place: NamedPlace, { query, body }: SentInput): NamedPlace[] | null {
  if (fieldsOf(body).some(([field]) => SHARED_FIELDS.includes(field))) return null;
  // The slug of an organization is its address in the registry.
  if (place.type === 'org' && fieldsOf(body).some(([field]) => field === 'slug')) return null;
  const isUnclear = [...fieldsOf(body), ...fieldsOf(query)].some(
    ([field, value]) => PLACE_FIELDS.includes(field) && value !== undefined && typedPlace(value) === null,
  );
  return isUnclear ? null : [place, ...typedPlaces([query, body])];
}

function fieldsOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function typedPlace(value: unknown): NamedPlace | null {
  if (typeof value !== 'string') return null;
  const prefix = idPrefixOf(value);
  const type = Object.entries(PLACE_TYPES).find(([known]) => known === prefix)?.[1];
  return type ? { type, name: value } : null;
}

// Every typed id anywhere in the input, each once.
function typedPlaces(input: unknown): NamedPlace[] {
  const found = new Map<string, NamedPlace>();
  const waiting = [input];
  while (waiting.length > 0) {
    const value = waiting.pop();
    const place = typedPlace(value);
    if (place) found.set(place.name, place);
    for (const [, inner] of fieldsOf(value)) waiting.push(inner);
  }
  return [...found.values()];
}
