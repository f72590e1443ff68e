import { z } from 'zod';
import type { CollectionDetail } from '../../contract/collection.ts';
import { count } from '../../contract/pagination.ts';
import { type Cut, excerptCut } from '../budget.ts';
import { type FeedValue, fitFeed } from '../feed-paging.ts';
import { blocks, bullets, facts, QUOTE_NOTE, releaseBlocks, section } from '../markdown.ts';
import { inline, quoted, shortened } from '../quoting.ts';
import { cursorPaging, releaseListItem, scopedName } from '../shapes.ts';
import { tool } from '../tool.ts';

const collectionFacts = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  memberCount: count,
  members: z.array(
    z.object({
      kind: z.enum(['org', 'product']),
      use: z.string().describe('Argument `org` or `product` of other tools.'),
      name: z.string(),
      releaseCount: count,
    }),
  ),
});

type Head = { collection: z.infer<typeof collectionFacts> };

export const getCollectionReleases = tool({
  name: 'get_collection_releases',
  title: 'Read a collection',
  description: 'The members of a collection and the newest releases of all of them in one list.',
  input: {
    collection: z.string().trim().min(1).max(300).describe('Slug or col_ id; list_collections and search tell it.'),
    include_prereleases: z.boolean().optional().describe('true: also pre-releases.'),
    limit: z.int().min(1).max(50).default(20).describe('How many releases to answer.'),
    cursor: z.string().min(1).max(2000).optional().describe('`nextCursor` of the page before.'),
  },
  output: { collection: collectionFacts, releases: z.array(releaseListItem), pagination: cursorPaging },
  async run(call, { collection, limit, ...filters }) {
    const { api } = call;
    const params = { col: collection };
    const detail = await api.get('/collections/{col}', { params });
    return fitFeed<Head>(call, {
      limit,
      read: (size) =>
        api.get('/collections/{col}/releases', { params, query: { ...filters, limit: size, include_content: false } }),
      head: { collection: factsOf(detail) },
      headCuts: [memberCut, excerptCut((value, length) => withDescription(value, length))],
      text: collectionText,
    });
  },
});

function factsOf({ slug, name, description, memberCount, members }: CollectionDetail): Head['collection'] {
  return {
    slug,
    name,
    description,
    memberCount,
    members: members.map((member) => ({
      kind: member.kind,
      use: member.kind === 'org' ? member.slug : scopedName(member.org.slug, member),
      name: member.name,
      releaseCount: member.releaseCount,
    })),
  };
}

const memberCut: Cut<FeedValue<Head>> = {
  most: ({ collection }) => collection.members.length,
  apply: (value, steps) => {
    const { members } = value.collection;
    return { ...value, collection: { ...value.collection, members: members.slice(0, members.length - steps) } };
  },
};

function withDescription(value: FeedValue<Head>, length: number): FeedValue<Head> {
  const { description } = value.collection;
  return { ...value, collection: { ...value.collection, description: description && shortened(description, length) } };
}

function collectionText({ collection, releases }: FeedValue<Head>): string {
  const { name, slug, description, memberCount, members } = collection;
  const left = memberCount - members.length;
  return blocks(
    `# ${inline(name)}`,
    facts(slug, `${memberCount} members`),
    QUOTE_NOTE,
    quoted(description ?? ''),
    section(
      'Members',
      bullets([
        ...members.map((member) =>
          facts(member.use, inline(member.name), member.kind, `${member.releaseCount} releases`),
        ),
        ...(left > 0 && members.length > 0 ? [`${left} more`] : []),
      ]),
    ),
    section('Releases', releaseBlocks(releases) || 'None.'),
  );
}
