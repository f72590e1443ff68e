// Shapes that several tools share: releases of a list, paging and truncation.
import { z } from 'zod';
import { breaking, releaseType } from '../contract/enums.ts';
import { count } from '../contract/pagination.ts';
import type { FeedItem } from '../contract/release.ts';
import { timestamp } from '../contract/scalars.ts';
import { DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS } from './budget.ts';
import { shortened } from './quoting.ts';

export const SUMMARY_CHARACTERS = 300;

export const maxTokens = z
  .int()
  .min(MIN_TOKENS)
  .max(MAX_TOKENS)
  .default(DEFAULT_TOKENS)
  .describe('Most tokens of the text, and of the structured part.');

export const releaseListItem = z.object({
  id: z.string().describe('Argument `release` of other tools.'),
  title: z.string(),
  version: z.string().nullable(),
  type: releaseType,
  org: z.string().nullable().describe('Argument `org` of other tools.'),
  product: z.string().nullable().describe('Argument `product` of other tools.'),
  source: z.string().describe('Argument `source` of other tools.'),
  publishedAt: timestamp.nullable(),
  summary: z.string().max(SUMMARY_CHARACTERS),
  breaking,
  importance: z.int().min(1).max(5).nullable(),
  security: z.boolean(),
  prerelease: z.boolean(),
  url: z.string().nullable().describe('The original note.'),
  webUrl: z.string().describe('The page of the release in the registry.'),
  contentTokens: count.nullable().describe('Length of the full text in tokens; null: get_release tells it.'),
});

export type ReleaseListItem = z.infer<typeof releaseListItem>;

// The name of a product or source that other tools accept as an argument.
export function scopedName(orgSlug: string | null | undefined, entity: { id: string; slug: string }): string {
  return orgSlug ? `${orgSlug}/${entity.slug}` : entity.id;
}

export function toListItem(item: FeedItem): ReleaseListItem {
  const org = item.org?.slug ?? item.source.orgSlug;
  return {
    id: item.id,
    title: item.title,
    version: item.version,
    type: item.type,
    org,
    product: item.product && scopedName(org, item.product),
    source: scopedName(org, item.source),
    publishedAt: item.publishedAt,
    summary: shortened(item.summary, SUMMARY_CHARACTERS),
    breaking: item.breaking,
    importance: item.importance,
    security: item.security,
    prerelease: item.prerelease,
    url: item.url,
    webUrl: item.webUrl,
    contentTokens: item.contentTokens,
  };
}

// Shortens the texts of an item, the summary before the title.
export function excerptItem<T extends { title: string; summary: string }>(item: T, length: number): T {
  return { ...item, title: shortened(item.title, Math.max(length, 40)), summary: shortened(item.summary, length) };
}

export const truncation = z
  .object({
    truncated: z.boolean(),
    reason: z.enum(['token_budget', 'limit']).nullable().describe('Why something is missing; null: nothing is.'),
    omitted: count.nullable().describe('How much was left out; null: not known.'),
    next: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Exact arguments of the call that continues; null: there is none.'),
  })
  .describe('What is missing from this result.');

export type Truncation = z.infer<typeof truncation>;

export const COMPLETE: Truncation = { truncated: false, reason: null, omitted: 0, next: null };

export const cursorPaging = z.object({
  kind: z.literal('cursor'),
  returned: count,
  limit: z.int().min(1),
  hasMore: z.boolean(),
  nextCursor: z.string().optional().describe('Argument `cursor` of the next call.'),
});

export const pagePaging = z.object({
  kind: z.literal('page'),
  page: z.int().min(1),
  pageSize: z.int().min(1),
  returned: count,
  totalItems: count,
  totalPages: z.int().min(1),
  hasMore: z.boolean(),
  nextPage: z.int().min(2).optional().describe('Argument `page` of the next call.'),
});
