// Pages as markdown, where the API has no such form or the page contains more.

import { ANONYMOUS } from '../../contract/caller.ts';
import { notFound } from '../../contract/errors.ts';
import type { OrgDetail } from '../../contract/org.ts';
import { orgDetail } from '../../entities/orgs/detail.ts';
import { FORMAT_TYPES, Reply } from '../../http/kernel/reply.ts';
import { orgFeed } from '../../releases/feeds/org.ts';
import { overviewMarkdown } from '../../releases/markdown/overview.ts';
import { latestSections } from '../../releases/markdown/release-sections.ts';
import type { PageFormat } from '../page.ts';
import { segment } from './api.ts';

const LATEST = 10;

// The markdown of the API, followed by the latest releases.
export const orgDocument: PageFormat = async (ctx, { params: { org = '' }, request }) => {
  const { answer, reply } = await request.forward(`/v1/orgs/${segment(org)}`);
  const { releaseCount } = answer as OrgDetail;
  const feed = await orgFeed({ ...ctx, caller: ANONYMOUS }, { org, filter: {}, page: { limit: LATEST } });
  const next = feed.pagination.nextCursor;
  const sections = latestSections(feed.releases, {
    left: releaseCount - feed.releases.length,
    next: next && `${ctx.config.baseUrl}/v1/orgs/${segment(org)}/releases?cursor=${segment(next)}`,
  });
  return markdownReply([String(reply.body), sections].filter(Boolean).join('\n'));
};

export const overviewDocument: PageFormat = async (called, { params: { org: name = '' }, path }) => {
  const ctx = { ...called, caller: ANONYMOUS };
  const org = await orgDetail(ctx, { org: name });
  if (!org.overview) throw notFound('overview', org.slug);
  return markdownReply(overviewMarkdown(org.overview, { name: org.name, url: `${ctx.config.webUrl}${path}` }));
};

export function markdownReply(text: string): Reply {
  return new Reply(200, text, {
    'Content-Type': FORMAT_TYPES.markdown,
    'X-Markdown-Tokens': String(Math.ceil(text.length / 4)),
  });
}
