// A release list with --follow: prints the newest releases, then every new one from the live stream.
import type { FeedItem } from '../../contract/release.ts';
import { EXIT, UsageError } from '../command.ts';
import type { Query } from './api.ts';
import type { Session } from './client-command.ts';
import { followStream } from './event-stream.ts';
import { releaseColumns, scoped } from './views.ts';

// The release of an event (`docs/webhooks.md`); the items of lists have the same fields.
export interface EventRelease {
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

interface FollowedList {
  // The filters that the stream applies.
  query: Query;
  // The newest releases of the list, newest first.
  readNewest(): Promise<FeedItem[]>;
  // Applies the filters that the stream does not have.
  isWanted(release: EventRelease): boolean | Promise<boolean>;
}

const EVENT_COLUMNS = releaseColumns<EventRelease>(({ org, sourceSlug }) => scoped(org?.slug, sourceSlug));
const NOT_FOLLOWED = ['until', 'all', 'cursor', 'md'];

// Ends with an interrupt. The stream is opened before the list is read, so that no release is lost in between.
export async function followReleases(session: Session, { query, readNewest, isWanted }: FollowedList): Promise<number> {
  const { api, flags, output, signal } = session;
  for (const name of NOT_FOLLOWED) {
    if (flags[name] !== undefined) throw new UsageError(`--${name} and --follow exclude each other`);
  }
  const frames = followStream({
    signal,
    wait: session.wait,
    onLost: (reason) => output.note(`registry: ${reason}; connecting again`),
    connect: ({ lastEventId, since }) =>
      api.open({
        path: '/v1/releases/stream',
        query: { ...query, ...(lastEventId === undefined ? { since } : {}) },
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
  const printNewest = async () => print((await readNewest()).toReversed().map(eventRelease));
  for await (const { event, data } of frames) {
    if (event === 'ready') {
      // After a reconnect the stream sends the missed events itself, or `snapshot_gap` when it cannot.
      if (!hasBegun) await printNewest();
      hasBegun = true;
    } else if (event === 'snapshot_gap') {
      output.note('registry: more was missed than the server keeps; going on with the newest');
      await printNewest();
    } else if (event === 'release.created') {
      const { release }: { release: EventRelease } = JSON.parse(data);
      if (await isWanted(release)) print([release]);
    }
  }
  return EXIT.interrupted;
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
