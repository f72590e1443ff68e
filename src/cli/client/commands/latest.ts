import type { FeedItem, ReleaseFeed } from '../../../contract/release.ts';
import { countFlag, EXIT, type FlagValues, textFlag, UsageError } from '../../command.ts';
import type { Api, Query } from '../api.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { FEED_FLAGS, feedQuery } from '../feed-filter.ts';
import { followReleases } from '../follow-releases.ts';
import { cursorPages, printList } from '../paging.ts';
import { orgName, productIdOf, sourceIdOf } from '../references.ts';
import { FEED_COLUMNS } from '../views.ts';

const LATEST = '/v1/releases/latest';

export const latestCommands = [
  clientCommand({
    name: 'latest',
    summary: 'The newest releases; with -f also those to come, as they are indexed',
    flags: {
      follow: { type: 'boolean', short: 'f', help: 'print the list, then every new release until interrupted' },
      org: { type: 'string', value: 'org', complete: 'org', help: 'only of this org' },
      product: { type: 'string', value: 'org/product', help: 'only of this product' },
      source: { type: 'string', value: 'org/source', complete: 'source', help: 'only of this source' },
      ...FEED_FLAGS,
      breaking: { type: 'string', value: 'verdicts', help: 'only with these verdicts: unknown, none, minor, major' },
      'min-importance': { type: 'string', value: '1-5', help: 'only of this importance and above' },
      count: { type: 'string', value: 'n', help: 'how many; 10 unless given' },
    },
    isPaged: true,
    hasMarkdown: true,
    examples: [
      'registry latest --org acme --count 5',
      'registry latest --breaking major,minor --since 30d',
      'registry latest -f --json',
    ],
    async run(session) {
      const { flags, api, output } = session;
      const query = await latestQuery(api, flags);
      if (flags.follow) return follow(session, query);
      if (output.mode === 'markdown') {
        if (flags.all) throw new UsageError('--md and --all exclude each other');
        output.text(await api.markdown(LATEST, { ...query, cursor: textFlag(flags, 'cursor') }));
        return EXIT.ok;
      }
      const { count, ...filters } = query;
      const read = cursorPages<FeedItem>(api, { path: LATEST, query: filters, key: 'releases' });
      return printList(session, {
        read: ({ cursor, limit }) => read({ cursor, limit: limit ?? count }),
        columns: FEED_COLUMNS,
        none: 'no release matches',
      });
    },
  }),
];

async function latestQuery(api: Api, flags: FlagValues) {
  const [org, product, source] = [textFlag(flags, 'org'), textFlag(flags, 'product'), textFlag(flags, 'source')];
  if (org !== undefined && source !== undefined) throw new UsageError('--org and --source exclude each other');
  return {
    org: org === undefined ? undefined : orgName(org, api.server),
    product: product === undefined ? undefined : await productIdOf(api, product),
    source: source === undefined ? undefined : await sourceIdOf(api, source),
    ...feedQuery(flags),
    breaking: textFlag(flags, 'breaking'),
    minImportance: countFlag(flags, 'min-importance', { most: 5 }),
    count: countFlag(flags, 'count', { most: 100 }),
  } satisfies Query;
}

type LatestRequest = Awaited<ReturnType<typeof latestQuery>>;

function follow(session: Session, query: LatestRequest): Promise<number> {
  const { org, product, source } = query;
  return followReleases(session, {
    query: { org, product, source },
    readNewest: async () => (await session.api.get<ReleaseFeed>(LATEST, query)).releases,
    isWanted: ({ prerelease = false, breaking = 'unknown', importance }) => {
      if (prerelease && !query.include_prereleases) return false;
      if (query.breaking !== undefined && !query.breaking.split(',').includes(breaking)) return false;
      return query.minImportance === undefined || (importance ?? 0) >= query.minImportance;
    },
  });
}
