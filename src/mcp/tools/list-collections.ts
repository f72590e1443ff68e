import { z } from 'zod';
import { count } from '../../contract/pagination.ts';
import { blocks, facts, lines, QUOTE_NOTE } from '../markdown.ts';
import { fitPage } from '../paging.ts';
import { inline, quoted, shortened } from '../quoting.ts';
import { pagePaging } from '../shapes.ts';
import { tool } from '../tool.ts';

const listedCollection = z.object({
  slug: z.string().describe('Argument `collection` of get_collection_releases.'),
  name: z.string(),
  description: z.string().nullable(),
  memberCount: count,
  isFeatured: z.boolean(),
});

export const listCollections = tool({
  name: 'list_collections',
  title: 'List collections',
  description: 'Pages through the curated collections of organizations and products, by name.',
  input: {
    page: z.int().min(1).max(1_000_000).default(1).describe('Number of the page.'),
    limit: z.int().min(1).max(100).default(25).describe('How many to answer.'),
  },
  output: { collections: z.array(listedCollection), pagination: pagePaging },
  async run(call, query) {
    const { items, pagination } = await call.api.get('/collections', { query });
    return fitPage(call, {
      key: 'collections',
      items: items.map((item) => listedCollection.parse(item)),
      pagination,
      shorten: (item, length) => ({
        ...item,
        name: shortened(item.name, Math.max(length, 40)),
        description: item.description && shortened(item.description, length),
      }),
      text: ({ collections, pagination: { totalItems, page, totalPages } }) =>
        blocks(
          '# Collections',
          `${totalItems} in all, page ${page} of ${totalPages}.`,
          collections.length > 0 && QUOTE_NOTE,
          ...collections.map((item) =>
            lines(
              facts(`- ${item.slug}`, inline(item.name), `${item.memberCount} members`, item.isFeatured && 'featured'),
              quoted(item.description ?? ''),
            ),
          ),
        ),
    });
  },
});
