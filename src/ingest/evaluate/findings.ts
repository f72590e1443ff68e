// What was found at an address, as ways to read it, the best first.
import type { Evaluation, Method } from '../../contract/evaluate.ts';
import {
  type AppFacts,
  type PageFacts,
  READABLE_SCORE,
  type RepositoryFacts,
  type SampleItem,
} from '../manifests/proofs.ts';

export interface Way {
  method: Method;
  // The address to create the source with.
  url: string;
  reason: string;
  confidence: Evaluation['confidence'];
  name: string | null;
  items: SampleItem[];
}

export type Findings = Pick<
  Evaluation,
  'finalUrl' | 'feedUrl' | 'feedType' | 'githubRepo' | 'appStore' | 'video' | 'pageStructure' | 'provider' | 'notes'
> & { ways: Way[] };

const NOTHING: Omit<Findings, 'finalUrl' | 'ways'> = {
  feedUrl: null,
  feedType: null,
  githubRepo: null,
  appStore: null,
  video: null,
  pageStructure: 'unknown',
  provider: null,
  notes: [],
};

export function repositoryFindings(facts: RepositoryFacts): Findings {
  const url = `https://github.com/${facts.fullName}`;
  const some = facts.items.length > 0;
  const way: Way = {
    method: 'github',
    url,
    reason: some ? 'repository with releases' : 'repository without releases so far',
    confidence: some ? 'high' : 'low',
    name: facts.fullName.split('/')[1] ?? facts.fullName,
    items: facts.items,
  };
  const notes = [
    ...(facts.archived ? ['the repository is archived'] : []),
    ...(some ? [] : ['nothing is released yet']),
  ];
  return { ...NOTHING, finalUrl: url, githubRepo: facts.fullName, provider: 'github', notes, ways: [way] };
}

export function appFindings(url: string, { appId, platform, storefront, iconUrl, name, items }: AppFacts): Findings {
  const way: Way = { method: 'appstore', url, reason: 'listing of the app store', confidence: 'high', name, items };
  return { ...NOTHING, finalUrl: url, appStore: { appId, platform, storefront, iconUrl }, ways: [way] };
}

/** Full feed, video listing, markdown or readable page, thin feed, agent: the order of preference. */
export function pageFindings(url: string, page: PageFacts): Findings {
  const { feed, video, finalUrl, provider, structure: pageStructure } = page;
  const ways = [
    ...(feed && !feed.thin ? [feedWay(page)] : []),
    ...videoWays(url, page),
    ...markdownWays(page),
    ...readableWays(page),
    ...(feed?.thin ? [feedWay(page)] : []),
    agentWay(page),
  ].filter((way) => way !== null);
  const notes = [...page.notes, ...(feed?.thin ? ['the feed holds teasers, or entries without a date'] : [])];
  return {
    ...NOTHING,
    finalUrl,
    feedUrl: feed?.feedUrl ?? null,
    feedType: feed?.feedType ?? null,
    video: video && { provider: video.provider, feedUrl: video.feedUrl },
    pageStructure,
    provider,
    notes: pageStructure === 'dynamic' ? [...notes, 'the page is written by a script'] : notes,
    ways,
  };
}

function feedWay({ feed, title }: PageFacts): Way | null {
  if (!feed) return null;
  const reason = feed.thin ? 'feed of teasers' : 'feed with full text and dates';
  const confidence = feed.thin ? 'medium' : 'high';
  return { method: 'feed', url: feed.feedUrl, reason, confidence, name: feed.title ?? title, items: feed.items };
}

function videoWays(url: string, { video, title }: PageFacts): Way[] {
  if (!video) return [];
  const name = video.title ?? title;
  return [{ method: 'video', url, reason: 'listing of videos', confidence: 'high', name, items: video.items }];
}

function markdownWays({ markdown, title }: PageFacts): Way[] {
  if (!markdown) return [];
  const { url, items } = markdown;
  return [{ method: 'markdown', url, reason: 'markdown with entries', confidence: 'high', name: title, items }];
}

function readableWays({ score, parser, finalUrl, title, items }: PageFacts): Way[] {
  if (score < READABLE_SCORE) return [];
  const confidence = score >= 0.8 ? 'high' : 'medium';
  const reason = `page with dated or versioned entries (${parser ?? 'page'} parser, score ${score})`;
  return [{ method: 'scrape', url: finalUrl, reason, confidence, name: title, items }];
}

function agentWay({ finalUrl, title }: PageFacts): Way {
  return { method: 'agent', url: finalUrl, reason: 'read by a model', confidence: 'low', name: title, items: [] };
}
