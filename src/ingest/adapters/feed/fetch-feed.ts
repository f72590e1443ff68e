// The conditional request for a feed, up to the point where its text has been read.

import type { FetchSuccess } from '../../../net/result.ts';
import { readDocument } from '../../../threads/documents.ts';
import type { Task } from '../../../threads/task.ts';
import type { AdapterContext, AdapterInput, Validator } from '../contract.ts';
import { FEED_PARSING, type FeedBytes, type FeedReading } from '../feed-document/parse-feed.ts';
import { type Failure, readableAnswer } from '../outcomes.ts';
import { type Move, rememberRedirects } from '../redirect-memory.ts';

const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, ' +
  'text/xml;q=0.9, application/json;q=0.8, */*;q=0.1';

type FetchedFeed =
  | { kind: 'failure'; failure: Failure }
  // The server answered 304, or the items are the same as before.
  | { kind: 'unchanged'; status: number; move: Move; validators: Validator[]; notes: string[] }
  | {
      kind: 'read';
      status: number;
      move: Move;
      validators: Validator[];
      feed: FeedReading & { ok: true };
    };

interface FeedFetch {
  url: string;
  names: readonly string[];
  validators: AdapterInput['validators'];
  memory?: AdapterInput['memory'];
  // No release is stored, so the request is unconditional.
  fresh: boolean;
  // In place of the common rule.
  parsing?: Task<FeedBytes, FeedReading>;
}

export async function readFeed(ctx: AdapterContext, request: FeedFetch): Promise<FetchedFeed> {
  const { url, names, parsing = FEED_PARSING } = request;
  const stored = request.fresh ? undefined : request.validators.find(({ endpoint }) => endpoint === url);
  const conditions = conditionsOf(stored);
  const answer = readableAnswer(await getFeed(ctx, url, conditions), ctx.now);
  if ('outcome' in answer) return { kind: 'failure', failure: answer };

  const { status, headers, body, redirects, finalUrl } = answer;
  const move = rememberRedirects(redirects, request.memory);
  const endpoint = move.replacement ?? url;
  if (status === 304) {
    // A 304 without a condition is a fault: such a server would never send the feed.
    if (Object.keys(conditions).length === 0)
      return { kind: 'failure', failure: malformed('304 without a condition', 304) };
    const current = move.replacement && stored ? [{ ...stored, endpoint }] : [];
    return { kind: 'unchanged', status, move, validators: current, notes: [] };
  }
  const options = { url: finalUrl, now: ctx.now, names, contentType: headers['content-type'] };
  const feed = await readDocument(parsing, { body, options }, body.length);
  if (!feed.ok) return { kind: 'failure', failure: malformed(feed.detail, status) };
  const contentHash = feed.itemsHash;
  const validators = [validatorOf(endpoint, answer, contentHash)];
  const isSame = stored?.contentHash === contentHash && feed.items.length > 0;
  if (isSame) return { kind: 'unchanged', status, move, validators, notes: feed.notes };
  return { kind: 'read', status, move, validators, feed };
}

async function getFeed(ctx: AdapterContext, url: string, conditions: Record<string, string>) {
  const first = await ctx.fetch({ url, headers: { accept: ACCEPT, ...conditions } });
  if (!first.ok || first.status !== 406) return first;
  return ctx.fetch({ url, headers: { accept: '*/*', ...conditions } });
}

// Both validators are sent exactly as received, because servers compare them as text.
function conditionsOf(stored: Validator | undefined): Record<string, string> {
  return {
    ...(stored?.etag ? { 'if-none-match': stored.etag } : {}),
    ...(stored?.lastModified ? { 'if-modified-since': stored.lastModified } : {}),
  };
}

function validatorOf(endpoint: string, { headers }: FetchSuccess, contentHash: string): Validator {
  return {
    endpoint,
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
    contentHash,
    tokenFingerprint: null,
  };
}

function malformed(detail: string, httpStatus: number | null): Failure {
  return { outcome: 'malformed', detail, httpStatus, retryAt: null };
}
