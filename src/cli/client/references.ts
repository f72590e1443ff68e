// How arguments name entities: org by slug, id or domain; product and source by org/slug, id or a unique slug; release
// by id; any of them by the URL of its page.

import { type Ecosystem, SCOPED_ECOSYSTEM, withEcosystem } from '../../domain/ecosystems/index.ts';
import { idPrefixOf, isId, releaseIdOf, toProductId } from '../../domain/ids.ts';
import { normalizeDomain } from '../../domain/slugs.ts';
import { UsageError } from '../command.ts';
import { type Api, path } from './api.ts';

export type Reference =
  | { by: 'id'; entity: 'org' | 'product' | 'source' | 'release' | 'collection'; id: string }
  | { by: 'path'; org: string; slug: string }
  // A version of a source or product, as lists show it: org/source@version.
  | { by: 'version'; of: string; version: string }
  | { by: 'collection'; slug: string }
  | { by: 'repository'; coordinate: string }
  | { by: 'package'; ecosystem: Ecosystem; name: string }
  | { by: 'domain'; domain: string; address: string | null }
  | { by: 'slug'; slug: string };

type EntityName = Extract<Reference, { by: 'id' }>['entity'];

// The entities by the prefix of their ids.
const ENTITIES = new Map<string, EntityName>([
  ['org', 'org'],
  ['prod', 'product'],
  ['src', 'source'],
  ['rel', 'release'],
  ['col', 'collection'],
]);

// Parses what a person has typed or copied; `server` distinguishes pages of this registry from other URLs.
export function parseReference(text: string, server: string): Reference {
  const value = text.trim();
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return parseAddress(new URL(value), server);
  return parseName(value.replace(/^\/+|\/+$/g, ''));
}

function parseAddress(url: URL, server: string): Reference {
  const segments = url.pathname
    .replace(/\.(?:json|md|atom)$/, '')
    .split('/')
    .filter(Boolean)
    .map((one) => decodeSegment(one));
  const [first = '', second] = segments;
  const release = first === 'release' && second !== undefined ? releaseIdOf(second) : null;
  if (release !== null) return { by: 'id', entity: 'release', id: release };
  if (url.host === new URL(server).host) return parsePage(segments);
  if (/^(?:www\.)?github\.com$/.test(url.hostname) && second !== undefined) {
    return { by: 'repository', coordinate: `${first}/${second.replace(/\.git$/, '')}` };
  }
  const domain = normalizeDomain(url.hostname);
  if (domain === null) return parsePage(segments);
  return { by: 'domain', domain, address: segments.length > 0 ? segments.join('/') : null };
}

// Parses the path of a page; what stands below an entity belongs to it.
export function parsePage(segments: readonly string[]): Reference {
  const [first = '', second] = segments;
  if (second !== undefined && first === 'collections') return { by: 'collection', slug: second };
  if (second !== undefined && (first === 'source' || first === 'sources')) return parseName(second);
  if (second === undefined || ['overview', 'sources', 'releases'].includes(second)) return parseName(first);
  if (second === 'product' && segments[2] !== undefined) return { by: 'path', org: first, slug: segments[2] };
  return { by: 'path', org: first, slug: second };
}

function parseName(value: string): Reference {
  const release = releaseIdOf(value);
  if (release !== null) return { by: 'id', entity: 'release', id: release };
  const named = packageReference(value);
  if (named !== null) return named;
  const at = value.indexOf('@');
  const [of, version] = [value.slice(0, at), value.slice(at + 1)];
  if (at > 0 && version !== '') return { by: 'version', of, version };
  const id = toProductId(value);
  const entity = ENTITIES.get(idPrefixOf(id) ?? '');
  if (entity) return { by: 'id', entity, id };
  const [org = '', slug, ...more] = value.split('/');
  if (org === '' || slug === '' || more.length > 0)
    throw new UsageError(`"${value}" names nothing; use org or org/slug`);
  if (slug !== undefined) return { by: 'path', org, slug };
  const domain = org.includes('.') ? normalizeDomain(org) : null;
  return domain === null ? { by: 'slug', slug: org } : { by: 'domain', domain, address: null };
}

// `npm:lamp`, `pypi:lamp@1.2.0`, and `@acme/lamp`: only one ecosystem has scopes.
function packageReference(value: string): Reference | null {
  const named = withEcosystem(value) ?? (value.startsWith('@') ? { ecosystem: SCOPED_ECOSYSTEM, rest: value } : null);
  if (named === null) return null;
  const { ecosystem, rest } = named;
  const [, name, version] = /^(@[^/@\s]+\/[^/@\s]+|[^/@\s]+)(?:@(.+))?$/.exec(rest) ?? [];
  if (name === undefined) return null;
  return version === undefined
    ? { by: 'package', ecosystem, name }
    : { by: 'version', of: `${ecosystem}:${name}`, version };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

// The smallest response that contains the id.
const MINIMAL_QUERY = { limit: 1, include_content: false };

// The path of a source below /v1.
export async function sourcePath(api: Api, text: string): Promise<string> {
  const reference = parseReference(text, api.server);
  if (reference.by === 'path') return path`/v1/orgs/${reference.org}/sources/${reference.slug}`;
  return path`/v1/sources/${await sourceIdOf(api, text)}`;
}

export async function sourceIdOf(api: Api, text: string): Promise<string> {
  const reference = parseReference(text, api.server);
  if (reference.by === 'id' && reference.entity === 'source') return reference.id;
  if (reference.by === 'path') {
    const found = path`/v1/orgs/${reference.org}/sources/${reference.slug}`;
    return (await api.get<{ id: string }>(found, MINIMAL_QUERY)).id;
  }
  if (reference.by === 'repository') {
    const query = { coordinate: reference.coordinate };
    return (await api.get<{ sourceId: string }>('/v1/lookups/source-by-coordinate', query)).sourceId;
  }
  if (reference.by === 'package') return sourceOfPackage(api, reference);
  if (reference.by === 'id') throw new UsageError(`${reference.id} is no source`);
  if (reference.by === 'version') throw new UsageError(`"${text}" is a version; use ${reference.of}`);
  const slug = reference.by === 'domain' ? text.trim() : reference.slug;
  return (await api.get<{ sourceId: string }>('/v1/lookups/source-by-slug', { slug })).sourceId;
}

export async function sourceOfPackage(
  api: Api,
  { ecosystem, name }: { ecosystem: string; name: string },
): Promise<string> {
  return (await api.get<{ sourceId: string }>('/v1/lookups/package', { ecosystem, name })).sourceId;
}

export async function productIdOf(api: Api, text: string): Promise<string> {
  const reference = parseReference(text, api.server);
  if (reference.by === 'id' && reference.entity === 'product') return reference.id;
  if (reference.by === 'path') {
    const found = path`/v1/orgs/${reference.org}/products/${reference.slug}`;
    return (await api.get<{ id: string }>(found, MINIMAL_QUERY)).id;
  }
  if (reference.by !== 'slug') throw new UsageError(`"${text}" is no product; use org/slug or a prod_ id`);
  return (await api.get<{ productId: string }>('/v1/lookups/product-by-slug', { slug: reference.slug })).productId;
}

// The org in the form that the API accepts: slug, id or domain.
export function orgName(text: string, server: string): string {
  const reference = parseReference(text, server);
  if (reference.by === 'slug') return reference.slug;
  if (reference.by === 'domain') return reference.domain;
  if (reference.by === 'id' && isId(reference.id, 'org')) return reference.id;
  throw new UsageError(`"${text}" is no org; use its slug, id or domain`);
}

// The body field that names an entity: by id or by slug, whichever was given.
export function byIdOrSlug(entity: 'org' | 'source' | 'product', value: string): Record<string, string> {
  return { [`${entity}${idPrefixOf(toProductId(value)) === null ? 'Slug' : 'Id'}`]: value };
}
