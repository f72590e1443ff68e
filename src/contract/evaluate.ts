// The answer to how a page could be read as a source.
import { z } from 'zod';
import { APP_PLATFORMS, SOURCE_TYPES, type SourceType, sourceType, VIDEO_PROVIDERS } from './enums.ts';
import { timestamp } from './scalars.ts';

// Every source type is a method; a markdown page is read like an HTML page but reported as a method of its own.
export type Method = SourceType | 'markdown';

const FIRST: readonly Method[] = ['github', 'feed', 'markdown', 'scrape'];
const LAST: readonly Method[] = ['agent'];
const OTHERS = SOURCE_TYPES.filter((type) => !FIRST.includes(type) && !LAST.includes(type));
const METHODS: readonly Method[] = [...FIRST, ...OTHERS, ...LAST];

export function typeOfMethod(method: Method): SourceType {
  return method === 'markdown' ? 'scrape' : method;
}

const method = z.enum(METHODS);

export const evaluation = z
  .object({
    url: z.string(),
    finalUrl: z.string(),
    recommendedMethod: method,
    recommendedUrl: z.string(),
    feedUrl: z.string().nullable(),
    feedType: z.enum(['rss', 'atom', 'jsonfeed']).nullable(),
    githubRepo: z.string().nullable(),
    appStore: z
      .object({
        appId: z.string(),
        platform: z.enum(APP_PLATFORMS),
        storefront: z.string(),
        iconUrl: z.string().nullable(),
      })
      .nullable(),
    video: z.object({ provider: z.enum(VIDEO_PROVIDERS), feedUrl: z.string() }).nullable(),
    pageStructure: z.enum(['single_page', 'index_with_pages', 'feed_only', 'dynamic', 'unknown']),
    provider: z.string().nullable(),
    alternatives: z.array(z.object({ method, url: z.string(), reason: z.string() })),
    confidence: z.enum(['high', 'medium', 'low']),
    sample: z
      .array(
        z.object({
          title: z.string(),
          version: z.string().nullable(),
          url: z.string().nullable(),
          publishedAt: timestamp.nullable(),
        }),
      )
      .max(5),
    proposed: z.object({
      type: sourceType,
      name: z.string(),
      slug: z.string(),
      orgSlug: z.string().nullable(),
      orgName: z.string().nullable(),
    }),
    notes: z.array(z.string()),
    existingSourceIds: z.array(z.string()),
  })
  .meta({ id: 'Evaluation' });

export type Evaluation = z.infer<typeof evaluation>;
