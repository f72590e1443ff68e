// The answer to how a page could be read as a source.
import { z } from 'zod';
import { APP_PLATFORMS, SOURCE_TYPES, type SourceType, sourceType, VIDEO_PROVIDERS } from './enums.ts';
import { field } from './fields.ts';

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
    url: field.url,
    finalUrl: z.string().meta({ description: 'Address after redirects.', example: 'https://acme.example/changelog' }),
    recommendedMethod: method.describe('Best way of reading the address.'),
    recommendedUrl: z
      .string()
      .meta({ description: 'Address that is best read.', example: 'https://acme.example/changelog.xml' }),
    feedUrl: field.feedUrl.nullable(),
    feedType: z.enum(['rss', 'atom', 'jsonfeed']).nullable().describe('Format of the feed; null where there is none.'),
    githubRepo: z
      .string()
      .nullable()
      .meta({ description: 'owner/name of the repository that was found; null where none was.', example: 'acme/cli' }),
    appStore: z
      .object({
        appId: z.string().describe('Id of the app in the store.'),
        platform: z.enum(APP_PLATFORMS).describe('Name of the platform.'),
        storefront: z.string().describe('Country of the store.'),
        iconUrl: field.iconUrl.nullable(),
      })
      .nullable()
      .describe('The app behind a source that is read from an app store.'),
    video: z
      .object({
        provider: z.enum(VIDEO_PROVIDERS).describe('Service that hosts it; null where none was recognized.'),
        feedUrl: field.feedUrl,
      })
      .nullable()
      .describe('The service behind a source of videos.'),
    pageStructure: z
      .enum(['single_page', 'index_with_pages', 'feed_only', 'dynamic', 'unknown'])
      .describe('How the page presents its releases.'),
    provider: z.string().nullable().describe('Service that hosts it; null where none was recognized.'),
    alternatives: z
      .array(z.object({ method: method.describe('Way of reading the address.'), url: field.url, reason: field.reason }))
      .describe('Other ways to read the address, best first.'),
    confidence: z.enum(['high', 'medium', 'low']).describe('How sure the recommendation is.'),
    sample: z
      .array(
        z.object({
          title: field.title,
          version: field.version.nullable(),
          url: field.url.nullable(),
          publishedAt: field.publishedAt.nullable(),
        }),
      )
      .max(5)
      .describe('The first releases that were read.'),
    proposed: z
      .object({
        type: sourceType,
        name: field.name,
        slug: field.slug,
        orgSlug: field.orgSlug.nullable(),
        orgName: field.orgName.nullable(),
      })
      .describe('A proposal for the new source.'),
    notes: z.array(z.string()).meta({
      description: 'Remarks on how the recommendation came about.',
      example: ['Read the GitHub releases; the blog repeats them.'],
    }),
    existingSourceIds: z.array(z.string()).describe('Sources of the registry that read this address already.'),
  })
  .meta({ id: 'Evaluation' });

export type Evaluation = z.infer<typeof evaluation>;
