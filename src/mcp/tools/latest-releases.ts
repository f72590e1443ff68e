import { z } from 'zod';
import { BREAKING, KINDS, RELEASE_TYPES } from '../../contract/enums.ts';
import { badRequest } from '../../contract/errors.ts';
import { fitFeed } from '../feed-paging.ts';
import { blocks, QUOTE_NOTE, releaseBlocks } from '../markdown.ts';
import { inline } from '../quoting.ts';
import { productIdOf, sourceIdOf } from '../references.ts';
import { cursorPaging, releaseListItem } from '../shapes.ts';
import { tool } from '../tool.ts';

const verdict = z.enum(BREAKING);
const name = z.string().trim().min(1).max(300);

export const latestReleases = tool({
  name: 'latest_releases',
  title: 'List the latest releases',
  description:
    'The newest releases of the registry, or of one organization, product or source, newest first. Full texts come from get_release.',
  input: {
    org: name.optional().describe('Slug, org_ id or domain. At most one of org, product and source.'),
    product: name.optional().describe('org/slug, prod_ id, or a unique slug.'),
    source: name.optional().describe('org/slug, src_ id, or a unique slug.'),
    kind: z.enum(KINDS).optional().describe('Only of this kind of product or source.'),
    type: z.enum(RELEASE_TYPES).optional().describe('Only single features, or only rollups of many changes.'),
    min_importance: z.int().min(1).max(5).optional().describe('Only releases of at least this importance.'),
    breaking: z
      .union([verdict, z.array(verdict).min(1)])
      .optional()
      .describe('Only releases with this verdict on breaking changes, or with one of several.'),
    include_prereleases: z.boolean().optional().describe('true: also pre-releases.'),
    since: z.string().max(64).optional().describe('From then on: a date, a date-time, or 7d, 2w, 3m, 1y.'),
    until: z.string().max(64).optional().describe('Up to then, in the same forms.'),
    limit: z.int().min(1).max(50).default(10).describe('How many to answer.'),
    cursor: z.string().min(1).max(2000).optional().describe('`nextCursor` of the page before.'),
  },
  output: { releases: z.array(releaseListItem), pagination: cursorPaging },
  async run(call, { org, product, source, limit, breaking, min_importance: minImportance, ...filters }) {
    if ([org, product, source].filter((each) => each !== undefined).length > 1) {
      throw badRequest('org', 'at most one of org, product and source may be given');
    }
    const { api } = call;
    const query = {
      ...filters,
      minImportance,
      breaking,
      include_content: false,
      org,
      product: product === undefined ? undefined : await productIdOf(api, product),
      source: source === undefined ? undefined : await sourceIdOf(api, source),
    };
    return fitFeed(call, {
      limit,
      read: (count) => api.get('/releases/latest', { query: { ...query, count } }),
      head: {},
      text: ({ releases }) =>
        releases.length === 0
          ? blocks('# Latest releases', 'None that match. Other filters or a wider window may find some.')
          : blocks(
              `# Latest releases of ${inline(org ?? product ?? source ?? 'the registry')}`,
              QUOTE_NOTE,
              releaseBlocks(releases),
            ),
    });
  },
});
