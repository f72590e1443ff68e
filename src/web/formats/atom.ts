// The Atom form of a page: reads filters from the query and answers validators before it builds the document.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { BREAKING, KINDS, SOURCE_TYPES } from '../../contract/enums.ts';
import { flag, integerIn, listOf, oneOf, text } from '../../contract/query.ts';
import { ATOM_TYPE } from '../../domain/atom/feed.ts';
import { resolveProduct } from '../../entities/resolve.ts';
import { holdsCurrent } from '../../http/kernel/answer.ts';
import { Reply } from '../../http/kernel/reply.ts';
import { parseQuery } from '../../http/kernel/target.ts';
import { publicFeed } from '../../releases/atom/public-feed.ts';
import type { FeedSubject } from '../../releases/atom/subjects.ts';
import type { FeedFilter } from '../../releases/feeds/feed-query.ts';
import { WEB_ASSETS } from '../assets.ts';
import type { PageFormat } from '../page.ts';

const feedQuery = z.object({
  cursor: text({ max: 100_000 }),
  include_prereleases: flag(),
  include_coverage: flag(),
  kind: oneOf(KINDS),
  source_type: listOf(SOURCE_TYPES),
  product: text(),
  minImportance: integerIn(1, 5),
  breaking: listOf(BREAKING),
  security: flag(),
});

type AtomQuery = z.output<typeof feedQuery>;

interface AtomPage {
  subject(ctx: Context, params: Record<string, string>): Promise<FeedSubject>;
  // The path of the HTML page, where it is not the feed's path without its suffix.
  page?: string;
  // The organization whose feed accepts a product as a filter.
  productsOf?(params: Record<string, string>): string;
}

export function atomFeed({ subject: subjectOf, page, productsOf }: AtomPage): PageFormat {
  return async (called, { params, request, path }) => {
    const ctx = { ...called, caller: ANONYMOUS };
    const query = parseQuery(feedQuery, request.target.query);
    const { cursor } = query;
    const subject = await subjectOf(ctx, params);
    const product = query.product && productsOf ? await productOf(ctx, productsOf(params), query.product) : null;
    const { webUrl } = ctx.config;
    const { tag, modified, document } = await publicFeed(ctx, subject, {
      filter: { ...filterOf(query), ...(product && { productId: product.id }) },
      filters: effectiveFilters({ ...query, product: product?.slug }),
      cursor,
      address: { self: `${webUrl}${path}.atom`, page: `${webUrl}${page ?? path}` },
      version: WEB_ASSETS.version,
    });
    const headers = {
      'Last-Modified': modified.toUTCString(),
      'Cache-Control': 'public, max-age=300',
      'X-Robots-Tag': 'noindex',
      Vary: 'Accept-Encoding',
    };
    const quoted = `"${tag}"`;
    if (holdsCurrent(request.headers, { tag: quoted, modified: headers['Last-Modified'] })) {
      return new Reply(304, null, { ...headers, ETag: quoted });
    }
    const reply = new Reply(200, await document(), { 'Content-Type': ATOM_TYPE, ...headers });
    reply.tag = tag;
    return reply;
  };
}

async function productOf(ctx: Context, org: string, product: string): Promise<{ id: string; slug: string }> {
  return (await resolveProduct(ctx, { org, product }, { parameter: 'product' })).product;
}

function filterOf(query: AtomQuery): FeedFilter {
  return {
    includePrereleases: query.include_prereleases ?? false,
    includeCoverage: query.include_coverage ?? false,
    kind: query.kind,
    sourceTypes: query.source_type,
    minImportance: query.minImportance,
    breaking: query.breaking,
    security: query.security,
  };
}

// Filters that differ from their default, in a fixed order, so that the same selection always has the same id.
function effectiveFilters({ cursor: _cursor, ...query }: Partial<AtomQuery>): URLSearchParams {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === false) return [];
    return [[name, Array.isArray(value) ? [...new Set<string>(value)].sort().join(',') : String(value)]];
  });
  return new URLSearchParams(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}
