// Commands for what an account follows, and its feed.

import type { FeedTokenAnswer, Follow, PersonalFeed, TargetType } from '../../../contract/account.ts';
import type { FeedItem } from '../../../contract/release.ts';
import { ECOSYSTEMS } from '../../../domain/ecosystems/index.ts';
import { type Argument, EXIT } from '../../command.ts';
import { type Api, path } from '../api.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { FEED_FLAGS, type FeedFlagQuery, feedQuery } from '../feed-filter.ts';
import { type EventRelease, followReleases } from '../follow-releases.ts';
import { cursorPages, printList, wholeList } from '../paging.ts';
import { orgName, parseReference, productIdOf } from '../references.ts';
import type { Column } from '../table.ts';
import { day, FEED_COLUMNS, scoped } from '../views.ts';

const TARGETS: Argument = {
  name: 'org or org/product',
  help: 'what to follow; packages as npm:name',
  many: true,
  complete: 'entity',
};
const FOLLOWS = '/v1/me/follows';
const FEED = '/v1/me/feed';

const FOLLOW_COLUMNS: readonly Column<Follow>[] = [
  {
    title: 'FOLLOWED',
    value: ({ orgSlug, slug, targetType }) => scoped(targetType === 'product' ? orgSlug : null, slug),
  },
  { title: 'TYPE', value: ({ targetType }) => targetType },
  { title: 'NAME', value: ({ name }) => name, flexible: true },
  { title: 'SINCE', value: ({ createdAt }) => createdAt, short: ({ createdAt }) => day(createdAt) },
  { title: 'ID', value: ({ targetId }) => targetId, plainOnly: true },
];

interface FollowTarget {
  name: string;
  targetType: TargetType;
  targetId: string;
}

export const followingCommands = [
  clientCommand({
    name: 'follow',
    summary: 'Follow orgs or products: their releases appear in your feed',
    arguments: [TARGETS],
    examples: ['registry follow acme', 'registry follow acme/cli other/engine', 'registry follow npm:left-pad'],
    run: (session) =>
      forEachTarget(session, async (api, { name, ...body }) => {
        await api.send({ method: 'POST', path: FOLLOWS, body });
        return `following ${name}`;
      }),
  }),
  clientCommand({
    name: 'unfollow',
    summary: 'No longer follow orgs or products',
    arguments: [TARGETS],
    examples: ['registry unfollow acme'],
    run: (session) =>
      forEachTarget(session, async (api, { name, targetType, targetId }) => {
        await api.send({ method: 'DELETE', path: path`/v1/me/follows/${targetType}/${targetId}` });
        return `no longer following ${name}`;
      }),
  }),
  clientCommand({
    name: 'following',
    summary: 'What your account follows',
    examples: ['registry following'],
    run: (session) =>
      printList(session, {
        read: wholeList<Follow>(session.api, { path: FOLLOWS, key: 'follows' }),
        columns: FOLLOW_COLUMNS,
        none: 'nothing is followed; `registry follow <org>` begins',
      }),
  }),
  clientCommand({
    name: 'feed',
    summary: 'Releases of everything that you follow; with -f also those to come',
    flags: {
      follow: { type: 'boolean', short: 'f', help: 'print the list, then every new release until interrupted' },
      ...FEED_FLAGS,
    },
    isPaged: true,
    examples: ['registry feed', 'registry feed -f', 'registry feed --since 7d --all --json'],
    run(session) {
      const { api, flags } = session;
      const query = feedQuery(flags);
      if (flags.follow) return followFeed(session, query);
      const read = cursorPages<FeedItem>(api, { path: FEED, query, key: 'items' });
      return printList(session, { read, columns: FEED_COLUMNS, none: 'nothing was released by what you follow' });
    },
  }),
  clientCommand({
    name: 'feed url',
    summary: 'The address of your private feed, for a feed reader. Whoever has it can read the feed',
    flags: { rotate: { type: 'boolean', help: 'make a new address; the old one ends at once' } },
    examples: ['registry feed url', 'registry feed url --rotate'],
    async run({ api, flags, output }) {
      const where = `${FEED}/token`;
      const { token } = await api.get<FeedTokenAnswer>(where);
      const current =
        token === null || flags.rotate
          ? await api.send<NonNullable<typeof token>>({ method: 'POST', path: where, body: {} })
          : token;
      if (output.mode === 'json') output.json(current);
      else output.line(current.feedUrl);
      return EXIT.ok;
    },
  }),
];

async function forEachTarget(
  { api, list, output }: Session,
  change: (api: Api, target: FollowTarget) => Promise<string>,
): Promise<number> {
  // All targets are resolved before the first one is changed.
  const targets: FollowTarget[] = [];
  for (const name of list) targets.push({ name, ...(await targetOf(api, name)) });
  for (const target of targets) {
    const message = await change(api, target);
    if (output.mode !== 'json') output.line(message);
  }
  if (output.mode === 'json') output.json({ targets });
  return EXIT.ok;
}

async function targetOf(api: Api, text: string): Promise<Omit<FollowTarget, 'name'>> {
  if (ECOSYSTEMS.some((one) => text.startsWith(`${one}:`))) return { targetType: 'package', targetId: text };
  const reference = parseReference(text, api.server);
  if (reference.by === 'path' || (reference.by === 'id' && reference.entity === 'product')) {
    return { targetType: 'product', targetId: await productIdOf(api, text) };
  }
  const { id } = await api.get<{ id: string }>(path`/v1/orgs/${orgName(text, api.server)}`);
  return { targetType: 'org', targetId: id };
}

const FOLLOWS_FRESH_MS = 30_000;

// The stream carries the releases of the whole registry, and the followed targets may change meanwhile, so they are
// read again.
function followFeed(session: Session, query: FeedFlagQuery): Promise<number> {
  const { api } = session;
  let known: { follows: Follow[]; at: number } | null = null;
  const follows = async () => {
    if (known === null || performance.now() - known.at > FOLLOWS_FRESH_MS) {
      known = { ...(await api.get<{ follows: Follow[] }>(FOLLOWS)), at: performance.now() };
    }
    return known.follows;
  };
  return followReleases(session, {
    query: {},
    readNewest: async () => (await api.get<PersonalFeed>(FEED, query)).items,
    isWanted: async (release) => {
      if (release.prerelease && !query.include_prereleases) return false;
      return (await follows()).some((follow) => isOf(release, follow));
    },
  });
}

function isOf({ org, product }: EventRelease, { targetType, slug, orgSlug }: Follow): boolean {
  if (targetType === 'org') return org?.slug === slug;
  return targetType === 'product' && org?.slug === orgSlug && product?.slug === slug;
}
