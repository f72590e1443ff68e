// The ways to read a page, in the order of preference: full feed, video listing, markdown or readable page, thin feed, agent.
import { type Findings, nothingFound, type ReadingOption } from '../adapters/findings.ts';
import { type PageFacts, READABLE_SCORE } from '../adapters/proofs.ts';

export function pageFindings(url: string, page: PageFacts): Findings {
  const { feed, video, finalUrl, provider, structure: pageStructure } = page;
  const options = [
    ...(feed && !feed.thin ? [feedOption(page)] : []),
    ...videoOptions(url, page),
    ...markdownOptions(page),
    ...readableOptions(page),
    ...(feed?.thin ? [feedOption(page)] : []),
    agentOption(page),
  ].filter((option) => option !== null);
  const notes = [...page.notes, ...(feed?.thin ? ['the feed holds teasers, or entries without a date'] : [])];
  return {
    ...nothingFound(finalUrl),
    feedUrl: feed?.feedUrl ?? null,
    feedType: feed?.feedType ?? null,
    video: video && { provider: video.provider, feedUrl: video.feedUrl },
    pageStructure,
    provider,
    notes: pageStructure === 'dynamic' ? [...notes, 'the page is written by a script'] : notes,
    options,
  };
}

function feedOption({ feed, title }: PageFacts): ReadingOption | null {
  if (!feed) return null;
  const reason = feed.thin ? 'feed of teasers' : 'feed with full text and dates';
  const confidence = feed.thin ? 'medium' : 'high';
  return { method: 'feed', url: feed.feedUrl, reason, confidence, name: feed.title ?? title, items: feed.items };
}

function videoOptions(url: string, { video, title }: PageFacts): ReadingOption[] {
  if (!video) return [];
  const name = video.title ?? title;
  return [{ method: 'video', url, reason: 'listing of videos', confidence: 'high', name, items: video.items }];
}

function markdownOptions({ markdown, title }: PageFacts): ReadingOption[] {
  if (!markdown) return [];
  const { url, items } = markdown;
  return [{ method: 'markdown', url, reason: 'markdown with entries', confidence: 'high', name: title, items }];
}

function readableOptions({ score, parser, finalUrl, title, items }: PageFacts): ReadingOption[] {
  if (score < READABLE_SCORE) return [];
  const confidence = score >= 0.8 ? 'high' : 'medium';
  const reason = `page with dated or versioned entries (${parser ?? 'page'} parser, score ${score})`;
  return [{ method: 'scrape', url: finalUrl, reason, confidence, name: title, items }];
}

function agentOption({ finalUrl, title }: PageFacts): ReadingOption {
  return { method: 'agent', url: finalUrl, reason: 'read by a model', confidence: 'low', name: title, items: [] };
}
