import type { FeedItem, ReleaseFeed } from '../../../contract/release.ts';
import { countFlag, EXIT, type FlagValues, textFlag, UsageError } from '../../command.ts';
import { type Api, path, type Query } from '../api.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { type Frame, followStream } from '../event-stream.ts';
import { cursorPages, printList } from '../paging.ts';
import { orgName, productIdOf, sourceIdOf } from '../references.ts';
import { FEED_COLUMNS, releaseColumns, scoped } from '../views.ts';

// The release of an event (`docs/webhooks.md`); followed lists are told in the same form.
interface EventRelease {
  id: string;
  version: string | null;
  title: string;
  titleGenerated: string | null;
  publishedAt: string | null;
  sourceSlug: string;
  sourceName: string;
  sourceType: string;
  org: { slug: string; name: string } | null;
  product: { slug: string; name: string } | null;
  webUrl: string;
  url?: string | null;
  summary: string | null;
  type?: string;
  breaking?: string;
  importance?: number | null;
  prerelease?: boolean;
}

const EVENT_COLUMNS = releaseColumns<EventRelease>(({ org, sourceSlug }) => scoped(org?.slug, sourceSlug));

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
      since: { type: 'string', value: 'date', help: 'published since then: 30d, 6m or 2026-01-31' },
      until: { type: 'string', value: 'date', help: 'published up to then' },
      prereleases: { type: 'boolean', help: 'also pre-releases' },
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
    since: textFlag(flags, 'since'),
    until: textFlag(flags, 'until'),
    include_prereleases: flags.prereleases === true ? true : undefined,
    breaking: textFlag(flags, 'breaking'),
    minImportance: countFlag(flags, 'min-importance', 5),
    count: countFlag(flags, 'count', 100),
  } satisfies Query;
}

type LatestQuery = Awaited<ReturnType<typeof latestQuery>>;

// The stream is open before the list is read, so that nothing is lost between the two.
async function follow(session: Session, query: LatestQuery): Promise<number> {
  const { api, flags, output, signal } = session;
  for (const name of ['until', 'all', 'cursor', 'md']) {
    if (flags[name] !== undefined) throw new UsageError(`--${name} and --follow exclude each other`);
  }
  const { org, product, source } = query;
  const frames = followStream({
    signal,
    wait: session.wait,
    onLost: (reason) => output.note(`registry: ${reason}; connecting again`),
    connect: ({ lastEventId, since }) =>
      api.open({
        path: path`/v1/releases/stream`,
        query: { org, product, source, ...(lastEventId === undefined ? { since } : {}) },
        headers: {
          Accept: 'text/event-stream',
          ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
        },
      }),
  });
  const shown = new Set<string>();
  let hasBegun = false;
  const print = (releases: readonly EventRelease[]) => {
    const unseen = releases.filter(({ id }) => !shown.has(id));
    for (const { id } of unseen) shown.add(id);
    if (output.mode === 'json') for (const release of unseen) output.json(release, 'stream');
    else output.rows(EVENT_COLUMNS, unseen);
  };
  const printNewest = async () => {
    const { releases } = await api.get<ReleaseFeed>(LATEST, query);
    print(releases.reverse().map(eventRelease));
  };
  for await (const frame of frames) {
    if (frame.event === 'ready') {
      // After a new connection the stream itself sends what was missed, and `snapshot_gap` says when it cannot.
      if (!hasBegun) await printNewest();
      hasBegun = true;
    } else if (frame.event === 'snapshot_gap') {
      output.note('registry: more was missed than the server keeps; going on with the newest');
      await printNewest();
    } else if (frame.event === 'release.created') {
      const release = releaseOf(frame);
      if (isWanted(release, query)) print([release]);
    }
  }
  return EXIT.interrupted;
}

function releaseOf({ data }: Frame): EventRelease {
  return (JSON.parse(data) as { release: EventRelease }).release;
}

// The filters of the list that the stream does not have.
function isWanted({ prerelease = false, breaking = 'unknown', importance }: EventRelease, query: LatestQuery): boolean {
  if (prerelease && !query.include_prereleases) return false;
  if (query.breaking !== undefined && !query.breaking.split(',').includes(breaking)) return false;
  return query.minImportance === undefined || (importance ?? 0) >= query.minImportance;
}

function eventRelease(item: FeedItem): EventRelease {
  const { source, org, product } = item;
  return {
    id: item.id,
    version: item.version,
    title: item.title,
    titleGenerated: item.titleGenerated,
    publishedAt: item.publishedAt,
    sourceSlug: source.slug,
    sourceName: source.name,
    sourceType: source.type,
    org: org && { slug: org.slug, name: org.name },
    product: product && { slug: product.slug, name: product.name },
    webUrl: item.webUrl,
    url: item.url,
    summary: item.summary || null,
    type: item.type,
    breaking: item.breaking,
    importance: item.importance,
    prerelease: item.prerelease,
  };
}
