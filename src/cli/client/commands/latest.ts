import type { FeedItem, ReleaseFeed } from '../../../contract/release.ts';
import { filtersMeaning, PASSING_VERDICTS } from '../../../domain/meaning/passes-meaning.ts';
import { countFlag, EXIT, type FlagValues, textFlag, UsageError } from '../../command.ts';
import type { Api, Query } from '../api.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { FEED_FLAGS, feedQuery } from '../feed-filter.ts';
import { followReleases } from '../follow-releases.ts';
import { MEANING_FLAGS, meaningOf } from '../meaning-flags.ts';
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
      ...MEANING_FLAGS,
      security: {
        type: 'boolean',
        help: 'only what repairs a security problem; with -f, any of these three is enough',
      },
      count: { type: 'string', value: 'n', help: 'how many; 10 unless given' },
    },
    isPaged: true,
    hasMarkdown: true,
    examples: [
      'registry latest --org acme --count 5',
      'registry latest --breaking major,minor --since 30d',
      'registry latest -f --min-breaking major --security',
      'registry latest -f --json',
    ],
    async run(session) {
      const { flags, api, output } = session;
      const query = await latestQuery(api, flags);
      if (flags.follow) return follow(session, query);
      if (output.mode === 'markdown') {
        if (flags.all) throw new UsageError('--md and --all exclude each other');
        output.text(await api.markdown(LATEST, { ...listQuery(query), cursor: textFlag(flags, 'cursor') }));
        return EXIT.ok;
      }
      const { count, ...filters } = listQuery(query);
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
  if (flags['min-breaking'] !== undefined && flags.breaking !== undefined) {
    throw new UsageError('--breaking and --min-breaking exclude each other');
  }
  return {
    org: org === undefined ? undefined : orgName(org, api.server),
    product: product === undefined ? undefined : await productIdOf(api, product),
    source: source === undefined ? undefined : await sourceIdOf(api, source),
    ...feedQuery(flags),
    breaking: textFlag(flags, 'breaking'),
    ...meaningOf(flags),
    count: countFlag(flags, 'count', { most: 100 }),
  } satisfies Query;
}

type LatestRequest = Awaited<ReturnType<typeof latestQuery>>;

// A list takes all conditions together.
function listQuery({ minBreaking, ...query }: LatestRequest) {
  return minBreaking === undefined ? query : { ...query, breaking: PASSING_VERDICTS[minBreaking].join(',') };
}

// What is followed passes when it meets any of the conditions by meaning; verdicts named one by one have to fit besides.
function follow(session: Session, query: LatestRequest): Promise<number> {
  const { org, product, source, minBreaking, minImportance, security, ...list } = query;
  const scope = { org, product, source };
  const meanings: Partial<LatestRequest>[] = [{ minBreaking }, { minImportance }, { security }].filter((one) =>
    filtersMeaning(one),
  );
  const readOne = async (meaning: Partial<LatestRequest>) => {
    const asked = listQuery({
      ...list,
      ...scope,
      minBreaking: undefined,
      minImportance: undefined,
      security: undefined,
      ...meaning,
    });
    return (await session.api.get<ReleaseFeed>(LATEST, asked)).releases;
  };
  return followReleases(session, {
    query: { ...scope, minBreaking, minImportance, security },
    readNewest: async () => {
      if (meanings.length < 2) return readOne(meanings[0] ?? {});
      return newestOf((await Promise.all(meanings.map(readOne))).flat(), query.count ?? SHOWN);
    },
    isWanted: ({ prerelease = false, breaking = 'unknown' }) => {
      if (prerelease && !query.include_prereleases) return false;
      return query.breaking === undefined || query.breaking.split(',').includes(breaking);
    },
  });
}

const SHOWN = 10;

// Each once, newest first.
function newestOf(releases: readonly FeedItem[], count: number): FeedItem[] {
  const unique = [...new Map(releases.map((release) => [release.id, release])).values()];
  const time = ({ publishedAt, fetchedAt }: FeedItem) => publishedAt ?? fetchedAt;
  return unique.sort((a, b) => (time(a) < time(b) ? 1 : -1)).slice(0, count);
}
