// How arguments name entities: `org` by slug, id or domain; `product` and `source` as org/slug, typed id or a bare slug that
// is unique; `release` by id, by an address of its page or as org/source@version.
import { badRequest, notFound } from '../contract/errors.ts';
import { idPrefixOf, isId, releaseIdOf, toProductId } from '../domain/ids.ts';
import { isSameVersion } from '../domain/versions/same-version.ts';
import type { ReadInput, RegistryApi } from './registry-api.ts';

export type EntityReference =
  | { by: 'id'; id: string }
  | { by: 'path'; org: string; slug: string }
  | { by: 'slug'; slug: string };

export function parseReference(entity: 'product' | 'source', text: string): EntityReference {
  const value = text.trim();
  const id = entity === 'product' ? toProductId(value) : value;
  if (idPrefixOf(id) === (entity === 'product' ? 'prod' : 'src')) return { by: 'id', id };
  const [org = '', slug, ...rest] = value.replace(/^\/+|\/+$/g, '').split('/');
  if (slug === undefined && org !== '') return { by: 'slug', slug: org };
  if (slug === undefined || org === '' || slug === '' || rest.length > 0) {
    throw badRequest(entity, `must be org/slug, a ${entity === 'product' ? 'prod_' : 'src_'} id or a slug`);
  }
  return { by: 'path', org, slug };
}

const RELEASE_PAGE = /^\/release\/([^/]+?)(?:\.(?:json|md))?\/?$/;

// The id of a release that is named by id or by an address of its page, on whatever host that is.
export function parseReleaseReference(text: string): string | null {
  const value = text.trim();
  const path = URL.canParse(value) ? new URL(value).pathname : value;
  return releaseIdOf(RELEASE_PAGE.exec(path)?.[1] ?? value);
}

const VERSION_OF_SOURCE = /^([^@]+)@([^@]+)$/;
// Newer releases mention older versions in their text, so the one that is meant may stand behind them.
const MENTIONS = 100;

export async function releaseIdNamed(api: RegistryApi, text: string): Promise<string> {
  const id = parseReleaseReference(text);
  if (id !== null) return id;
  const [, named, version] = VERSION_OF_SOURCE.exec(text.trim()) ?? [];
  if (named === undefined || version === undefined) {
    throw badRequest(
      'release',
      'must be a rel_ id, the address of a release page of the registry or org/source@version',
    );
  }
  const query = { q: version, limit: MENTIONS, include_content: false, include_prereleases: true };
  const { releases } = await api.get('/sources/{src}/releases', {
    params: { src: await sourceIdOf(api, named) },
    query,
  });
  const same = releases.filter((one) => one.version !== null && isSameVersion(one.version, version));
  const found = same.find((one) => one.version === version) ?? same[0];
  if (!found) throw notFound('release', text.trim());
  return found.id;
}

type ProductRead = { path: '/products/{prod}' | '/orgs/{org}/products/{product}' } & Required<
  Pick<ReadInput, 'params'>
>;
type SourceRead = { path: '/sources/{src}' | '/orgs/{org}/sources/{source}' } & Required<Pick<ReadInput, 'params'>>;

// The route that answers the product, and its parameters.
export async function locateProduct(api: RegistryApi, text: string): Promise<ProductRead> {
  const reference = parseReference('product', text);
  if (reference.by === 'path') {
    return { path: '/orgs/{org}/products/{product}', params: { org: reference.org, product: reference.slug } };
  }
  const id =
    reference.by === 'id'
      ? reference.id
      : (await api.get('/lookups/product-by-slug', { query: { slug: reference.slug } })).productId;
  return { path: '/products/{prod}', params: { prod: id } };
}

export async function locateSource(api: RegistryApi, text: string): Promise<SourceRead> {
  const reference = parseReference('source', text);
  if (reference.by === 'path') {
    return { path: '/orgs/{org}/sources/{source}', params: { org: reference.org, source: reference.slug } };
  }
  const id =
    reference.by === 'id'
      ? reference.id
      : (await api.get('/lookups/source-by-slug', { query: { slug: reference.slug } })).sourceId;
  return { path: '/sources/{src}', params: { src: id } };
}

// Parameters for the shortest answer that contains the id.
const MINIMAL_QUERY = { limit: 1, include_content: false };

export async function productIdOf(api: RegistryApi, text: string): Promise<string> {
  const { path, params } = await locateProduct(api, text);
  return isId(params.prod ?? '', 'prod')
    ? (params.prod ?? '')
    : (await api.get(path, { params, query: MINIMAL_QUERY })).id;
}

export async function sourceIdOf(api: RegistryApi, text: string): Promise<string> {
  const { path, params } = await locateSource(api, text);
  return isId(params.src ?? '', 'src')
    ? (params.src ?? '')
    : (await api.get(path, { params, query: MINIMAL_QUERY })).id;
}
