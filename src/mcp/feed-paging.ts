// Release lists that go on by a cursor: cut to the budget so that the next call begins exactly where this result ends.
import type { z } from 'zod';
import type { ReleaseFeed } from '../contract/release.ts';
import { type Cut, excerptCut, type Fitted, listCut } from './budget.ts';
import { fitResult } from './result.ts';
import {
  COMPLETE,
  type cursorPaging,
  excerptItem,
  type ReleaseListItem,
  type Truncation,
  toListItem,
} from './shapes.ts';
import type { ToolCall } from './tool.ts';

export type FeedValue<H extends object> = H & { releases: ReleaseListItem[]; pagination: z.infer<typeof cursorPaging> };

interface FeedSpec<H extends object> {
  limit: number;
  read(limit: number): Promise<ReleaseFeed>;
  // The rest of the result, and how it may be cut.
  head: H;
  headCuts?: readonly Cut<FeedValue<H>>[];
  text(value: FeedValue<H>): string;
}

// A cursor points to the end of a page, so a page that is too large is read again with the number of releases that fit.
export async function fitFeed<H extends object>(call: ToolCall, spec: FeedSpec<H>): Promise<Fitted<FeedValue<H>>> {
  const first = await spec.read(spec.limit);
  // How many releases there are; null while the end is not known.
  const available = first.pagination.nextCursor === null ? first.releases.length : null;
  for (let feed = first; ; ) {
    const fitted = await fitResult(feedDraft(call, spec, { feed, available }), call.maxTokens);
    const fitting = fitted.value.releases.length;
    if (fitting === feed.releases.length) return fitted;
    feed = await spec.read(fitting);
  }
}

interface FeedPart {
  feed: ReleaseFeed;
  available: number | null;
}

function feedDraft<H extends object>({ given }: ToolCall, spec: FeedSpec<H>, { feed, available }: FeedPart) {
  const { nextCursor } = feed.pagination;
  const build = (releases: ReleaseListItem[]): FeedValue<H> => ({
    ...spec.head,
    releases,
    pagination: {
      kind: 'cursor',
      returned: releases.length,
      limit: spec.limit,
      hasMore: nextCursor !== null,
      ...(nextCursor === null ? {} : { nextCursor }),
    },
  });
  const items = feed.releases.map(toListItem);
  const cuts: Cut<FeedValue<H>>[] = [
    {
      ...listCut('releases', 1),
      apply: (value, steps) => withReleases(value, value.releases.slice(0, -steps || undefined)),
    },
    ...(spec.headCuts ?? []),
    excerptCut((value, length) =>
      withReleases(
        value,
        value.releases.map((item) => excerptItem(item, length)),
      ),
    ),
  ];
  const truncation = ({ releases }: FeedValue<H>, cut: boolean): Truncation => {
    const isShort = cut || releases.length < Math.min(spec.limit, available ?? spec.limit);
    if (!isShort && nextCursor === null) return COMPLETE;
    return {
      truncated: true,
      reason: isShort ? 'token_budget' : 'limit',
      omitted: available === null ? null : available - releases.length,
      next: nextCursor === null ? null : { ...given, cursor: nextCursor },
    };
  };
  return { value: build(items), cuts, text: spec.text, truncation };
}

function withReleases<T extends FeedValue<object>>(value: T, releases: ReleaseListItem[]): T {
  return { ...value, releases, pagination: { ...value.pagination, returned: releases.length } };
}
