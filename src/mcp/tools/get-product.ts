import { z } from 'zod';
import { category, kind, sourceType } from '../../contract/enums.ts';
import { count } from '../../contract/pagination.ts';
import { timestamp } from '../../contract/scalars.ts';
import { excerptCut, listCut, MAX_TOKENS } from '../budget.ts';
import { blocks, bullets, day, facts, lines, QUOTE_NOTE, releaseBlocks, section } from '../markdown.ts';
import { excerptOverview, overviewPart, overviewText, toOverviewPart } from '../overview-part.ts';
import { inline, link, quoted, shortened } from '../quoting.ts';
import { locateProduct } from '../references.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, excerptItem, releaseListItem, scopedName, toListItem } from '../shapes.ts';
import { tool } from '../tool.ts';

const LATEST = 10;

const productFacts = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  orgSlug: z.string().describe('Argument `org` of other tools.'),
  url: z.string().nullable(),
  description: z.string().nullable(),
  category: category.nullable(),
  kind: kind.nullable(),
  releaseCount: count,
  releasesLast30Days: count,
  latestDate: timestamp.nullable(),
  tags: z.array(z.string()),
});

const output = {
  product: productFacts,
  sources: z.array(
    z.object({
      id: z.string(),
      source: z.string().describe('Argument `source` of other tools.'),
      name: z.string(),
      type: sourceType,
      url: z.string(),
    }),
  ),
  latest: z.array(releaseListItem).describe('The newest releases.'),
  overview: overviewPart.nullable().optional().describe('null: none was written.'),
};

type ProductResult = z.output<z.ZodObject<typeof output>>;

export const getProduct = tool({
  name: 'get_product',
  title: 'Read a product',
  description:
    'One product with its sources, newest releases and written overview. For more releases use latest_releases.',
  input: { product: z.string().trim().min(1).max(300).describe('org/slug, prod_ id, or a unique slug.') },
  output,
  async run({ api, maxTokens, given }, { product }) {
    const { path, params } = await locateProduct(api, product);
    const detail = await api.get(path, { params, query: { limit: LATEST, include_content: false } });
    const whole: ProductResult = {
      product: productFacts.parse(detail),
      sources: detail.sources.map(({ id, slug, name, type, url }) => ({
        id,
        source: scopedName(detail.orgSlug, { id, slug }),
        name,
        type,
        url,
      })),
      latest: detail.releases.map(toListItem),
      overview: toOverviewPart(detail.overview),
    };
    return fitResult<ProductResult>(
      {
        value: whole,
        cuts: [
          listCut('sources', 5),
          listCut('latest', 3),
          excerptCut(excerpts),
          listCut('sources'),
          listCut('latest'),
        ],
        text: productText,
        truncation: ({ sources, latest }, cut) =>
          cut
            ? {
                truncated: true,
                reason: 'token_budget',
                omitted: whole.sources.length - sources.length + whole.latest.length - latest.length,
                next: maxTokens < MAX_TOKENS ? { ...given, max_tokens: MAX_TOKENS } : null,
              }
            : COMPLETE,
      },
      maxTokens,
    );
  },
});

function excerpts(value: ProductResult, length: number): ProductResult {
  const { product, overview, latest } = value;
  return {
    ...value,
    product: {
      ...product,
      description: product.description && shortened(product.description, length),
      tags: product.tags.slice(0, length),
    },
    latest: latest.map((item) => excerptItem(item, length)),
    ...(overview ? { overview: excerptOverview(overview, length) } : {}),
  };
}

function productText({ product, sources, latest, overview }: ProductResult): string {
  return blocks(
    `# ${inline(product.name)}`,
    lines(
      facts(`${product.orgSlug}/${product.slug}`, product.id, product.kind, product.category),
      facts(
        `${product.releaseCount} releases`,
        `${product.releasesLast30Days} in the last 30 days`,
        product.latestDate !== null && `latest ${day(product.latestDate)}`,
      ),
      product.url !== null && link(product.url),
      product.tags.length > 0 && `tags: ${product.tags.map(inline).join(', ')}`,
    ),
    QUOTE_NOTE,
    quoted(product.description ?? ''),
    section(
      'Sources',
      bullets(sources.map((each) => facts(each.source, inline(each.name), each.type, link(each.url), each.id))),
    ),
    section('Latest releases', releaseBlocks(latest) || 'None.'),
    section('Overview', overview ? overviewText(overview) : 'None was written.'),
  );
}
