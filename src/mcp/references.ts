// How arguments name entities: `org` by slug, id or domain; `product` and `source` as org/slug, typed id or a bare slug that
// is unique; `release` by id or by an address of its page.
import { badRequest } from '../contract/errors.ts';
import { idPrefixOf, isId, releaseIdOf, toProductId } from '../domain/ids.ts';
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
export function parseReleaseReference(text: string): string {
  const value = text.trim();
  const path = URL.canParse(value) ? new URL(value).pathname : value;
  const id = releaseIdOf(RELEASE_PAGE.exec(path)?.[1] ?? value);
  if (id === null) throw badRequest('release', 'must be a rel_ id or the address of a release page of the registry');
  return id;
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
