// The caller's account: who it is, what it follows, its feed.
import { z } from 'zod';
import { readProfile } from '../../accounts/describe-caller.ts';
import { createFeedToken, deleteFeedToken, readFeedToken } from '../../accounts/following/feed-token.ts';
import { follow, unfollow } from '../../accounts/following/follow.ts';
import { listFollows, personalFeed } from '../../accounts/following/list-follows.ts';
import {
  feedTokenAnswer,
  followInput,
  followList,
  followState,
  newFeedToken,
  personalFeed as personalFeedShape,
  profile,
  success,
  TARGET_TYPES,
} from '../../contract/account.ts';
import { badRequest } from '../../contract/errors.ts';
import { param } from '../../contract/parameters.ts';
import { limitLike, oneOf, text } from '../../contract/query.ts';
import { created, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, meaningFilter, meaningQuery } from './feed-query.ts';

const tag = 'Account';
const BODY_LIMIT = 64 * 1024;

export const meRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/me',
    summary: 'The account behind the credential',
    description: "The account's profile and what the credential of this call may do.",
    tag,
    access: 'account',
    answers: { 200: profile },
    run: (ctx) => readProfile(ctx),
  }),
  route({
    method: 'GET',
    path: '/me/follows',
    summary: 'What the account follows, newest first',
    description: 'Followed organizations, products and packages with the time since when.',
    tag,
    access: 'account',
    query: { targetType: oneOf(TARGET_TYPES).describe('Only organizations, only products, or only packages.') },
    answers: { 200: followList },
    errors: ['bad_request'],
    run: (ctx, { query }) => listFollows(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/me/follows',
    summary: 'Follow an org, a product or a package',
    description:
      "Releases of it appear in the account's feed from now on. The id of a package is `npm:` or `pypi:` and its name. Following it again changes nothing.",
    tag,
    access: 'account:write',
    body: followInput,
    bodyLimit: BODY_LIMIT,
    answers: { 200: followState, 201: followState },
    errors: ['not_found', 'limit_exceeded'],
    run: async (ctx, { body }) => {
      const state = { success: true, following: true };
      const path = `/me/follows/${body.targetType}/${encodeURIComponent(body.targetId)}`;
      return (await follow(ctx, body)) ? created(state, `/v1${path}`) : state;
    },
  }),
  route({
    method: 'DELETE',
    path: '/me/follows/{type}/{id}',
    summary: 'No longer follow an org, a product or a package',
    description: "Takes it out of the account's feed. A second call changes nothing.",
    tag,
    access: 'account:write',
    answers: { 200: followState },
    errors: ['bad_request'],
    run: async (ctx, { params }) => {
      const targetType = z.enum(TARGET_TYPES).safeParse(params.type);
      if (!targetType.success) throw badRequest('type', 'must be org, product or package');
      await unfollow(ctx, { targetType: targetType.data, targetId: params.id ?? '' });
      return { success: true, following: false };
    },
  }),
  route({
    method: 'GET',
    path: '/me/feed',
    summary: 'Releases of everything that the account follows, newest first',
    description:
      'The personal feed, page by page with a cursor. With `minBreaking`, `minImportance` or `security` a release is listed when it meets any of those that are given.',
    tag,
    access: 'account',
    query: {
      cursor: param.cursor,
      limit: limitLike({ default: 30, max: 100 }),
      include_prereleases: param.include_prereleases,
      ...meaningQuery,
      since: param.since,
      until: param.until,
      page: text({ max: 64 }).describe('Number of the page, from 1.'),
    },
    answers: { 200: personalFeedShape },
    errors: ['bad_request', 'invalid_cursor'],
    run: (ctx, { query }) => {
      if (query.page !== undefined) throw badRequest('page', 'this feed is read with cursor');
      const { cursor, limit, minBreaking, minImportance, security, ...rest } = query;
      const meaning = meaningFilter({ minBreaking, minImportance, security });
      return personalFeed(ctx, { filter: { ...feedFilter(ctx, rest), meaning }, page: { cursor, limit } });
    },
  }),
  route({
    method: 'GET',
    path: '/me/feed/token',
    summary: "The address of the account's private feed; whoever has it reads the feed, so an app needs `account`",
    description: 'The Atom address with its secret, or null where none was made. Treat it like a password.',
    tag,
    access: 'account:write',
    answers: { 200: feedTokenAnswer },
    errors: ['service_unavailable'],
    run: (ctx) => readFeedToken(ctx),
  }),
  route({
    method: 'POST',
    path: '/me/feed/token',
    summary: 'A new address for the private feed; the old one stops at once',
    description: 'Makes the private Atom feed or replaces its address. Readers that have the old address get 404.',
    tag,
    access: 'account:write',
    answers: { 201: newFeedToken },
    errors: ['service_unavailable'],
    run: async (ctx) => {
      const { feedUrl, ...token } = await createFeedToken(ctx);
      return new Reply(201, { feedUrl, ...token }, { Location: '/v1/me/feed/token' }).repeatedAs(token);
    },
  }),
  route({
    method: 'DELETE',
    path: '/me/feed/token',
    summary: 'Close the private feed',
    description: 'Its address stops working at once. A second call changes nothing.',
    tag,
    access: 'account:write',
    answers: { 200: success },
    run: async (ctx) => {
      await deleteFeedToken(ctx);
      return { success: true };
    },
  }),
];
