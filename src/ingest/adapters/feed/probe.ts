import { versionInProse } from '../../../domain/versions/index.ts';
import { readDocument } from '../../../threads/documents.ts';
import type { AdapterContext, Item } from '../contract.ts';
import { FEED_PARSING } from '../feed-document/parse-feed.ts';
import { fetchFailureOf } from '../outcomes.ts';
import { samples, unproven } from '../probing.ts';
import type { FeedInfo, Proof, SampleItem } from '../proofs.ts';

const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';
const TEASER = 600;
const TEASER_SHARE = 0.6;
const MIN_FOR_SHARE = 3;

export async function probeFeed(ctx: AdapterContext, url: string): Promise<Proof<FeedInfo>> {
  const answer = await ctx.fetch({ url, headers: { accept: ACCEPT } });
  const failure = fetchFailureOf(answer, ctx.now);
  if (failure !== null || !answer.ok) return failure ? unproven(failure) : { verdict: 'unreachable', reason: 'error' };
  const { body, finalUrl, headers } = answer;
  const options = { url: finalUrl, now: ctx.now, contentType: headers['content-type'] };
  const feed = await readDocument(FEED_PARSING, { body, options }, body.length);
  if (!feed.ok) return { verdict: 'refused', reason: 'not_a_feed', status: answer.status };
  if (feed.items.length === 0) return { verdict: 'refused', reason: 'empty_feed', status: answer.status };
  return { verdict: 'proven', feedUrl: url, ...feedFacts(feed) };
}

export function feedFacts(feed: {
  feedType: FeedInfo['feedType'];
  title: string | null;
  siteUrl: string | null;
  items: readonly Item[];
}): Omit<FeedInfo, 'feedUrl'> {
  const { feedType, title, siteUrl, items } = feed;
  return { feedType, title, homepage: siteUrl, items: samples(items).map(namedBy(title)), thin: isThin(items) };
}

// The source is named after the feed, so a title that repeats the name counts as none.
function namedBy(title: string | null): (item: SampleItem) => SampleItem {
  const names = title === null ? [] : [title];
  return (item) => ({ ...item, version: item.version ?? versionInProse(item.title, names) });
}

function isThin(items: readonly Item[]): boolean {
  const teasers = items.filter(({ content }) => content.length < TEASER).length;
  const undated = items.filter(({ publishedAt }) => publishedAt === null).length;
  const mostlyTeasers = items.length >= MIN_FOR_SHARE && teasers / items.length >= TEASER_SHARE;
  return mostlyTeasers || undated * 2 > items.length;
}
