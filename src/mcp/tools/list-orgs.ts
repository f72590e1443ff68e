import { z } from 'zod';
import { CATEGORIES, category } from '../../contract/enums.ts';
import { count } from '../../contract/pagination.ts';
import { timestamp } from '../../contract/scalars.ts';
import { blocks, bullets, day, facts } from '../markdown.ts';
import { fitPage } from '../paging.ts';
import { inline, shortened } from '../quoting.ts';
import { pagePaging } from '../shapes.ts';
import { tool } from '../tool.ts';

const listedOrg = z.object({
  id: z.string(),
  slug: z.string().describe('Argument `org` of other tools.'),
  name: z.string(),
  domain: z.string().nullable(),
  category: category.nullable(),
  sourceCount: count,
  releaseCount: count,
  recentReleaseCount: count,
  lastActivity: timestamp.nullable(),
});

export const listOrgs = tool({
  name: 'list_orgs',
  title: 'List organizations',
  description:
    'Pages through the organizations of the registry, with their numbers of sources and releases. To find one by name or topic use search.',
  input: {
    query: z.string().trim().min(1).max(200).optional().describe('Part of a name or slug.'),
    category: z.enum(CATEGORIES).optional().describe('Only of this category.'),
    featured: z.boolean().optional().describe('true: only featured organizations.'),
    include_empty: z.boolean().optional().describe('true: also those without releases.'),
    page: z.int().min(1).max(1_000_000).default(1).describe('Number of the page.'),
    limit: z.int().min(1).max(100).default(25).describe('How many to answer.'),
  },
  output: { orgs: z.array(listedOrg), pagination: pagePaging },
  async run(call, { query, include_empty: includeEmpty, ...filters }) {
    const { items, pagination } = await call.api.get('/orgs', { query: { ...filters, q: query, includeEmpty } });
    return fitPage(call, {
      key: 'orgs',
      items: items.map((item) => listedOrg.parse(item)),
      pagination,
      shorten: (org, length) => ({ ...org, name: shortened(org.name, Math.max(length, 40)) }),
      text: ({ orgs, pagination: { totalItems, page, totalPages } }) =>
        blocks('# Organizations', `${totalItems} in all, page ${page} of ${totalPages}.`, bullets(orgs.map(orgLine))),
    });
  },
});

function orgLine(org: z.infer<typeof listedOrg>): string {
  return facts(
    org.slug,
    inline(org.name),
    org.domain,
    org.category,
    `${org.sourceCount} sources`,
    `${org.releaseCount} releases, ${org.recentReleaseCount} of them recent`,
    org.lastActivity === null ? 'no activity' : `last ${day(org.lastActivity)}`,
    org.id,
  );
}
