import type { CollectionDetail } from '../../../contract/collection.ts';
import type { DomainLookup } from '../../../contract/lookup.ts';
import type { OrgDetail } from '../../../contract/org.ts';
import type { ResolvedEntry } from '../../../contract/org-catalog.ts';
import type { ProductDetail } from '../../../contract/product.ts';
import type { FeedItem, ReleaseDetail } from '../../../contract/release.ts';
import type { SourceDetail } from '../../../contract/source.ts';
import { ECOSYSTEMS } from '../../../domain/ecosystems/index.ts';
import { isSameVersion } from '../../../domain/versions/same-version.ts';
import { CommandFailure, EXIT, UsageError } from '../../command.ts';
import { type Api, path } from '../api.ts';
import { ApiFailure } from '../api-failure.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { cursorPages } from '../paging.ts';
import { collectionFields, orgFields, printRecord, productFields, releaseFields, sourceFields } from '../records.ts';
import { parsePage, parseReference, type Reference, sourceOfPackage } from '../references.ts';
import type { Column } from '../table.ts';
import { scoped } from '../views.ts';

// Finds the release that `org/source@version` names.

const PAGE = 100;
// Newer releases mention older versions, so the one that is meant may stand further back.
const MAX_PAGES = 5;

// The releases of a source with this version; several when its packages share it.
async function releasesOfVersion(api: Api, source: string, version: string): Promise<FeedItem[]> {
  const where = path`/v1/sources/${source}/releases`;
  const query = { q: version, include_prereleases: true, include_coverage: true };
  const read = cursorPages<FeedItem>(api, { path: where, query, key: 'releases' });
  const found: FeedItem[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, next } = await read({ cursor, limit: PAGE });
    found.push(...items.filter((item) => item.version !== null && isSameVersion(item.version, version)));
    if (found.length > 0 || next === null) break;
    cursor = next;
  }
  const exact = found.filter((item) => item.version === version);
  return exact.length > 0 ? exact : found;
}

type ReferencedType = 'org' | 'product' | 'source' | 'release' | 'collection';

// One entity that a reference can mean.
interface Match {
  type: ReferencedType;
  // The unambiguous identifier.
  id: string;
  name: string;
}

const MATCH_COLUMNS: readonly Column<Match>[] = [
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'NAME', value: ({ name }) => name, flexible: true },
  { title: 'ID', value: ({ id }) => id },
];

// Only the entity is needed; its releases have their own commands.
const SHORT = { limit: 1, include_content: false };

export const getCommands = [
  clientCommand({
    name: 'get',
    summary: 'Show any entity: by id, org, org/slug, org/source@version, npm:package, domain or web address',
    arguments: [{ name: 'ref', help: 'what to show', complete: 'entity' }],
    hasMarkdown: true,
    examples: [
      'registry get acme',
      'registry get acme/cli',
      'registry get acme/cli@2.1.0',
      'registry get npm:@acme/cli',
      'registry get acme.example --md',
    ],
    async run(session) {
      const matches = await findMatches(session.api, parseReference(session.args.ref ?? '', session.api.server));
      const [only, ...others] = matches;
      if (only === undefined) throw nothingIs(session.args.ref ?? '');
      if (others.length === 0) return show(session, only);
      const { output } = session;
      if (output.mode === 'json') output.json({ matches });
      else output.rows(MATCH_COLUMNS, matches);
      output.note(`"${session.args.ref}" has several meanings; use one of these ids`);
      return EXIT.failure;
    },
  }),
];

function nothingIs(text: string): CommandFailure {
  const message = `nothing is called "${text}"`;
  const body = { code: 'not_found', type: 'not_found', message };
  return new CommandFailure(`${message}; \`registry search\` finds names`, { body });
}

async function findMatches(api: Api, reference: Reference): Promise<Match[]> {
  switch (reference.by) {
    case 'id':
      return [{ type: reference.entity, id: reference.id, name: reference.id }];
    case 'collection':
      return [{ type: 'collection', id: reference.slug, name: reference.slug }];
    case 'path':
      return inOrg(api, reference);
    case 'version':
      return ofVersion(api, reference);
    case 'repository': {
      const query = { coordinate: reference.coordinate };
      const found = await api.get<{ sourceId: string }>('/v1/lookups/source-by-coordinate', query);
      return [{ type: 'source', id: found.sourceId, name: reference.coordinate }];
    }
    case 'package':
      return [{ type: 'source', id: await sourceOfPackage(api, reference), name: reference.name }];
    case 'domain':
      return ofDomain(api, reference);
    case 'slug':
      return bySlug(api, reference.slug);
  }
}

async function inOrg(api: Api, { org, slug }: { org: string; slug: string }): Promise<Match[]> {
  const found = await api.get<ResolvedEntry>(path`/v1/orgs/${org}/resolve/${slug}`);
  const { id } = found.kind === 'product' ? found.product : found.source;
  return [{ type: found.kind, id, name: `${org}/${slug}` }];
}

// A version of a source, or of a source of a product; of several entities with a name, those that have it.
async function ofVersion(api: Api, { of, version }: { of: string; version: string }): Promise<Match[]> {
  const named = await findMatches(api, parseReference(of, api.server));
  const owners = named.some(({ type }) => type === 'source' || type === 'product')
    ? named
    : await packagesNamed(api, of);
  const sources = await Promise.all(owners.map((owner) => sourceIdsOf(api, owner)));
  const found = await Promise.all([...new Set(sources.flat())].map((id) => releasesOfVersion(api, id, version)));
  return found.flat().map(({ id, version: own, source }) => {
    return { type: 'release', id, name: `${scoped(source.orgSlug, source.slug)}@${own}` };
  });
}

// A package may have another name than its source.
async function packagesNamed(api: Api, name: string): Promise<Match[]> {
  const found = await Promise.all(
    ECOSYSTEMS.map((ecosystem) => unlessMissing(sourceOfPackage(api, { ecosystem, name }))),
  );
  return [...new Set(found)].flatMap((id) => (id === null ? [] : [{ type: 'source', id, name }]));
}

async function sourceIdsOf(api: Api, { type, id }: Match): Promise<string[]> {
  if (type === 'source') return [id];
  if (type !== 'product') return [];
  const product = await api.get<ProductDetail>(apiPathOf('product', id), SHORT);
  return product.sources.map((source) => source.id);
}

// A URL on a host that belongs to no org may still be a page of this registry under another host name.
async function ofDomain(api: Api, { domain, address }: { domain: string; address: string | null }): Promise<Match[]> {
  const found = await unlessMissing(api.get<DomainLookup>('/v1/lookups/by-domain', { domain }));
  if (found?.org) return [{ type: 'org', id: found.org.id, name: found.org.slug }];
  if (found)
    return found.products.map(({ id, slug, orgSlug }) => ({ type: 'product', id, name: `${orgSlug}/${slug}` }));
  if (address === null) return [];
  const page = parsePage(address.split('/'));
  return page.by === 'domain' ? [] : findMatches(api, page);
}

// A bare word is the org of that name, otherwise any entity with that slug.
async function bySlug(api: Api, slug: string): Promise<Match[]> {
  const org = await unlessMissing(api.get<OrgDetail>(path`/v1/orgs/${slug}`));
  if (org) return [{ type: 'org', id: org.id, name: org.slug }];
  const [products, sources, collection] = await Promise.all([
    named(api, 'product', slug),
    named(api, 'source', slug),
    unlessMissing(api.get<CollectionDetail>(path`/v1/collections/${slug}`)),
  ]);
  const collections = collection ? [{ type: 'collection' as const, id: collection.id, name: collection.slug }] : [];
  const all = [...products, ...sources, ...collections];
  return all.length > 0 ? all : packagesNamed(api, slug);
}

interface SlugLookup {
  productId?: string;
  sourceId?: string;
  orgSlug: string | null;
}

async function named(api: Api, type: 'product' | 'source', slug: string): Promise<Match[]> {
  const match = (id: string, orgSlug: string | null) => ({ type, id, name: scoped(orgSlug, slug) });
  try {
    const found = await unlessMissing(api.get<SlugLookup>(path`/v1/lookups/${type}-by-slug`, { slug }));
    return found ? [match(found.productId ?? found.sourceId ?? '', found.orgSlug)] : [];
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.body?.code !== 'ambiguous_slug') throw error;
    const { candidates } = error.body.details as { candidates: { id: string; orgSlug: string | null }[] };
    return candidates.map(({ id, orgSlug }) => match(id, orgSlug));
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error) => {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 400)) return null;
    throw error;
  });
}

async function show({ api, output }: Session, { type, id }: Match): Promise<number> {
  const where = apiPathOf(type, id);
  if (output.mode === 'markdown') {
    if (type === 'collection') throw new UsageError('a collection has no markdown; leave --md out');
    output.text(await api.markdown(where));
    return EXIT.ok;
  }
  const answer = await api.get<never>(where, type === 'product' || type === 'source' ? SHORT : {});
  const text = type === 'release' ? contentOf(answer) : undefined;
  printRecord(output, { answer, fields: FIELDS[type](answer), ...(text ? { text } : {}) });
  return EXIT.ok;
}

function apiPathOf(type: ReferencedType, id: string): string {
  const plural = type === 'collection' ? 'collections' : `${type}s`;
  return path`/v1/${plural}/${id}`;
}

const contentOf = ({ content }: ReleaseDetail) => content;

const FIELDS = {
  org: (answer: OrgDetail) => orgFields(answer),
  product: (answer: ProductDetail) => productFields(answer),
  source: (answer: SourceDetail) => sourceFields(answer),
  release: (answer: ReleaseDetail) => releaseFields(answer),
  collection: (answer: CollectionDetail) => collectionFields(answer),
};
