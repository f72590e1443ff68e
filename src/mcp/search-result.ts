// What the search tool answers: hits by section in the shapes of tools, shorter forms of them, and their text.
import { z } from 'zod';
import { category, ECOSYSTEMS, kind, orgStatus, sourceType } from '../contract/enums.ts';
import { count } from '../contract/pagination.ts';
import { SEARCH_MODES, type SearchAnswer, searchAnswer } from '../contract/search.ts';
import { blocks, bullets, facts, lines, QUOTE_NOTE, releaseBlocks, section } from './markdown.ts';
import { inline, quoted, shortened } from './quoting.ts';
import { excerptItem, releaseListItem, scopedName } from './shapes.ts';

export const SEARCH_SECTIONS = [
  'packages',
  'orgs',
  'products',
  'sources',
  'releases',
  'collections',
  'changelogs',
] as const;
export type SearchSection = (typeof SEARCH_SECTIONS)[number];

export const searchOutput = {
  mode: z.enum(SEARCH_MODES).describe('How was searched: by words, by meaning or both.'),
  degraded: z.boolean().describe('true: a part of the search was not available, and hits may be missing.'),
  degradedReason: searchAnswer.shape.degradedReason,
  lexicalHits: count.describe('Listed releases and passages that hold the words; 0: nothing holds them.'),
  hitCap: z.boolean().describe('true: there are more matches than this page shows.'),
  packages: z.array(z.object({ ecosystem: z.enum(ECOSYSTEMS), name: z.string(), latest: z.string().nullable() })),
  orgs: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      domain: z.string().nullable(),
      category: category.nullable(),
      status: orgStatus,
    }),
  ),
  products: z.array(z.object({ id: z.string(), product: z.string(), name: z.string(), kind: kind.nullable() })),
  sources: z.array(z.object({ id: z.string(), source: z.string(), name: z.string(), type: sourceType })),
  releases: z.array(releaseListItem),
  collections: z.array(
    z.object({ slug: z.string(), name: z.string(), description: z.string().nullable(), memberCount: count }),
  ),
  passages: z
    .array(
      z.object({
        source: z.string(),
        path: z.string(),
        offset: count.describe('Argument `offset` of get_changelog.'),
        heading: z.string().nullable(),
        snippet: z.string(),
      }),
    )
    .describe('Parts of changelog files.'),
};

export type SearchResult = z.output<z.ZodObject<typeof searchOutput>>;

export function entitiesOf(answer: SearchAnswer, wants: ReadonlySet<SearchSection>) {
  const products = answer.catalog.filter(({ entryType }) => entryType === 'product');
  return {
    packages: (wants.has('packages') ? answer.packages : []).map(({ ecosystem, name, latest }) => {
      return { ecosystem, name, latest };
    }),
    orgs: (wants.has('orgs') ? answer.orgs : []).map(({ id, slug, name, domain, category, status }) => ({
      id,
      slug,
      name,
      domain,
      category,
      status,
    })),
    products: (wants.has('products') ? products : []).map((hit) => ({
      id: hit.id,
      product: scopedName(hit.orgSlug, hit),
      name: hit.name,
      kind: hit.kind,
    })),
    sources: (wants.has('sources') ? answer.sources : []).map((hit) => ({
      id: hit.id,
      source: scopedName(hit.orgSlug, hit),
      name: hit.name,
      type: hit.type,
    })),
    collections: (wants.has('collections') ? answer.collections : []).map(
      ({ slug, name, description, memberCount }) => ({ slug, name, description, memberCount }),
    ),
  };
}

export function excerptResult(value: SearchResult, length: number): SearchResult {
  return {
    ...value,
    releases: value.releases.map((item) => excerptItem(item, length)),
    passages: value.passages.map((passage) => ({
      ...passage,
      heading: passage.heading && shortened(passage.heading, Math.max(length, 40)),
      snippet: shortened(passage.snippet, length),
    })),
    collections: value.collections.map((item) => ({
      ...item,
      description: item.description && shortened(item.description, length),
    })),
  };
}

export function searchText(value: SearchResult): string {
  const { packages, orgs, products, sources, collections, releases, passages } = value;
  const nothing = [packages, orgs, products, sources, collections, releases, passages].every(
    (list) => list.length === 0,
  );
  return blocks(
    '# Search',
    facts(
      `mode ${value.mode}`,
      value.degraded && `degraded (${value.degradedReason ?? 'by words alone'}): hits may be missing`,
      value.lexicalHits === 0 ? 'nothing holds these words' : `${value.lexicalHits} hits hold the words`,
    ),
    nothing && 'No hits. Fewer or other words, or no filters, may find more.',
    section(
      'Packages',
      bullets(
        packages.map((each) =>
          facts(inline(each.name), each.ecosystem, each.latest && `latest ${inline(each.latest)}`),
        ),
      ),
    ),
    section('Organizations', bullets(orgs.map((org) => facts(org.slug, inline(org.name), org.domain, org.id)))),
    section('Products', bullets(products.map((each) => facts(each.product, inline(each.name), each.kind, each.id)))),
    section('Sources', bullets(sources.map((each) => facts(each.source, inline(each.name), each.type, each.id)))),
    section(
      'Collections',
      bullets(collections.map((each) => facts(each.slug, inline(each.name), `${each.memberCount} members`))),
    ),
    (releases.length > 0 || passages.length > 0) && QUOTE_NOTE,
    section('Releases', releaseBlocks(releases)),
    section(
      'Passages of changelog files',
      blocks(
        ...passages.map(({ source, path, offset, heading, snippet }) =>
          lines(
            facts(`- ${source}`, inline(path), `offset ${offset}`),
            quoted(heading === null || snippet.includes(heading) ? snippet : `${heading}\n${snippet}`),
          ),
        ),
      ),
    ),
  );
}
