// A release list with --follow: prints the newest releases, then every new one from the live stream.
import type { FeedItem } from '../../contract/release.ts';
import { errorMessage } from '../../domain/records.ts';
import { EXIT, UsageError } from '../command.ts';
import type { Query } from './api.ts';
import { ApiFailure } from './api-failure.ts';
import type { Session } from './client-command.ts';
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

// Reads server-sent events and reconnects after a lost connection.

export interface Frame {
  event: string;
  data: string;
  id?: string;
  retryMs?: number;
}

// Takes chunks of text and returns the complete frames.
export function createFrameParser(): (text: string) => Frame[] {
  let rest = '';
  return (text) => {
    const blocks = `${rest}${text}`.replace(/\r\n/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(parseFrame).filter((frame) => frame !== null);
  };
}

function parseFrame(block: string): Frame | null {
  const frame: Frame = { event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'event') frame.event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id') frame.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) frame.retryMs = Number(value);
  }
  frame.data = data.join('\n');
  return data.length === 0 && frame.retryMs === undefined ? null : frame;
}

interface ResumePoint {
  lastEventId?: string;
  // The sequence number at the start of the stream, used until the first event has an id.
  since?: number;
}

interface FollowOptions {
  connect(from: ResumePoint): Promise<Response>;
  wait(ms: number): Promise<void>;
  // Called once for each lost connection.
  onLost(reason: string): void;
  signal: AbortSignal;
}

const RETRY_MS = 3000;
const MAX_RETRY_MS = 60_000;
// Longer than three keep-alive intervals.
const IDLE_TIMEOUT_MS = 50_000;

// Yields frames until the signal is aborted. An error at the first connection, or a later refusal, is thrown.
export async function* followStream(options: FollowOptions): AsyncGenerator<Frame> {
  const { connect, wait, onLost, signal } = options;
  const from: ResumePoint = {};
  let retryMs = RETRY_MS;
  let failures = 0;
  for (;;) {
    let lost = 'the connection was closed';
    try {
      const response = await connect({ ...from });
      for await (const frame of framesOf(response, signal)) {
        failures = 0;
        if (frame.retryMs !== undefined) retryMs = frame.retryMs;
        if (frame.id !== undefined) from.lastEventId = frame.id;
        if (frame.event === 'ready') from.since ??= seqIn(frame.data);
        if (frame.event === 'bye') lost = '';
        else if (frame.data !== '') yield frame;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (from.since === undefined || isRefusal(error)) throw error;
      lost = errorMessage(error);
    }
    if (signal.aborted) return;
    failures += 1;
    // A planned close by the server is not reported.
    if (lost !== '' && failures === 1) onLost(lost);
    await wait(Math.min(MAX_RETRY_MS, retryMs * 2 ** Math.min(failures - 1, 5)));
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiFailure && error.status < 500 && error.status !== 429;
}

async function* framesOf(response: Response, signal: AbortSignal): AsyncGenerator<Frame> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parse = createFrameParser();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      const { done, value } = await withIdleTimeout(reader.read());
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function withIdleTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('nothing arrived for too long')), IDLE_TIMEOUT_MS);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

// The position of the stream in its first event.
function seqIn(data: string): number {
  const { seq }: { seq: number } = JSON.parse(data);
  return seq;
}
