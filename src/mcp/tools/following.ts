// What the account of the caller follows: read, changed, and what it brings.
import { z } from 'zod';
import { type Follow, TARGET_TYPES } from '../../contract/account.ts';
import { badRequest } from '../../contract/errors.ts';
import { listCut } from '../budget.ts';
import { fitFeed } from '../feed-paging.ts';
import { blocks, bullets, day, facts, QUOTE_NOTE, releaseBlocks } from '../markdown.ts';
import { inline } from '../quoting.ts';
import { productIdOf } from '../references.ts';
import type { RegistryApi } from '../registry-api.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, cursorPaging, releaseListItem, scopedName } from '../shapes.ts';
import { tool } from '../tool.ts';

const name = z.string().trim().min(1).max(300);
const target = {
  org: name.optional().describe('Slug, org_ id or domain. One of org, product and package.'),
  product: name.optional().describe('org/slug, prod_ id, or a unique slug.'),
  package: name.optional().describe('ecosystem:name, as npm:zod.'),
};

type Target = { targetType: (typeof TARGET_TYPES)[number]; targetId: string };

async function targetOf(api: RegistryApi, given: z.output<z.ZodObject<typeof target>>): Promise<Target> {
  const { org, product, package: key } = given;
  if ([org, product, key].filter((one) => one !== undefined).length !== 1) {
    throw badRequest('org', 'give one of org, product and package');
  }
  if (key !== undefined) return { targetType: 'package', targetId: key };
  if (product !== undefined) return { targetType: 'product', targetId: await productIdOf(api, product) };
  return { targetType: 'org', targetId: (await api.get('/orgs/{org}', { params: { org: org ?? '' } })).id };
}

const state = { targetType: z.string(), targetId: z.string(), following: z.boolean() };

function stateResult(value: { targetType: string; targetId: string; following: boolean }, maxTokens: number) {
  const text = () =>
    value.following
      ? `# Followed\n\n${value.targetId} is part of the feed now.`
      : `# Not followed\n\n${value.targetId} is not part of the feed any more.`;
  return fitResult({ value, cuts: [], text, truncation: () => COMPLETE }, maxTokens);
}

export const follow = tool({
  name: 'follow',
  title: 'Follow an organization, a product or a package',
  description: 'Its releases appear in the feed of the signed-in account. Needs an account.',
  account: 'write',
  input: target,
  output: state,
  async run({ api, maxTokens }, input) {
    const found = await targetOf(api, input);
    const { following } = await api.send('POST /me/follows', { body: found });
    return stateResult({ ...found, following }, maxTokens);
  },
});

export const unfollow = tool({
  name: 'unfollow',
  title: 'No longer follow',
  description: 'Takes an organization, a product or a package out of the feed of the account. Needs an account.',
  account: 'write',
  input: target,
  output: state,
  async run({ api, maxTokens }, input) {
    const found = await targetOf(api, input);
    const params = { type: found.targetType, id: found.targetId };
    const { following } = await api.send('DELETE /me/follows/{type}/{id}', { params });
    return stateResult({ ...found, following }, maxTokens);
  },
});

const followed = z.object({
  targetType: z.enum(TARGET_TYPES),
  name: z.string(),
  use: z.string().describe('Argument `org`, `product` or `package` of follow.'),
  since: z.string(),
});

function useOf({ targetType, targetId, orgSlug, slug }: Follow): string {
  if (targetType === 'package') return targetId;
  return targetType === 'org' ? slug : scopedName(orgSlug, { id: targetId, slug });
}

export const listFollows = tool({
  name: 'list_follows',
  title: 'What the account follows',
  description: 'What the signed-in account follows. Needs an account.',
  account: 'read',
  input: {},
  output: { follows: z.array(followed) },
  async run({ api, maxTokens }) {
    const { follows } = await api.get('/me/follows');
    const value = {
      follows: follows.map((one) => ({
        targetType: one.targetType,
        name: one.name,
        use: useOf(one),
        since: one.createdAt,
      })),
    };
    return fitResult<typeof value>(
      {
        value,
        cuts: [listCut('follows')],
        text: (cut) =>
          blocks(
            '# Follows',
            bullets(
              cut.follows.map((one) => facts(one.use, inline(one.name), one.targetType, `since ${day(one.since)}`)),
            ) || 'Nothing yet.',
          ),
        truncation: (cut, isCut) =>
          isCut
            ? {
                truncated: true,
                reason: 'token_budget',
                omitted: value.follows.length - cut.follows.length,
                next: null,
              }
            : COMPLETE,
      },
      maxTokens,
    );
  },
});

export const myFeed = tool({
  name: 'my_feed',
  title: 'Releases of what the account follows',
  description: 'Newest first. Needs an account.',
  account: 'read',
  input: {
    since: z.string().max(64).optional().describe('From then on: a date, or 7d, 2w, 3m.'),
    limit: z.int().min(1).max(50).default(10).describe('How many to answer.'),
    cursor: z.string().min(1).max(2000).optional().describe('`nextCursor` of the page before.'),
  },
  output: { releases: z.array(releaseListItem), pagination: cursorPaging },
  run: (call, { limit, ...query }) =>
    fitFeed(call, {
      limit,
      read: async (count) => {
        const { items, pagination } = await call.api.get('/me/feed', { query: { ...query, limit: count } });
        return { releases: items, pagination };
      },
      head: {},
      text: ({ releases }) =>
        blocks(
          '# Your feed',
          ...(releases.length === 0 ? ['Nothing in this window.'] : [QUOTE_NOTE, releaseBlocks(releases)]),
        ),
    }),
});
