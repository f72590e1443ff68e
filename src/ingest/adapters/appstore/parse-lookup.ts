// The answer of the lookup service, and the version that it shows as an item.
import { z } from 'zod';
import type { AppPlatform } from '../../../contract/enums.ts';
import { selectMedia } from '../../../domain/html/media.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import { parseDateTime } from '../../../domain/timestamps.ts';
import { isHttpUrl } from '../../../domain/urls.ts';
import type { Item } from '../contract.ts';
import type { AppIdentity } from './identify.ts';

const MAX_SCREENSHOTS = 8;
const MAX_NAME = 200;

const urls = z.array(z.string()).nullish();
const app = z.object({
  kind: z.string().nullish(),
  trackName: z.string().min(1),
  version: z.string().min(1),
  trackViewUrl: z.string().nullish(),
  releaseNotes: z.string().nullish(),
  currentVersionReleaseDate: z.string().nullish(),
  artworkUrl512: z.string().nullish(),
  artworkUrl100: z.string().nullish(),
  artworkUrl60: z.string().nullish(),
  screenshotUrls: urls,
  ipadScreenshotUrls: urls,
});

export type StoreApp = z.infer<typeof app>;

const answer = z.object({ results: z.array(z.unknown()) });
const KINDS: Record<AppPlatform, string> = { ios: 'software', macos: 'mac-software' };

type LookupReading = { kind: 'app'; app: StoreApp } | { kind: 'none' } | { kind: 'malformed' };

// One id can be an app of both platforms; only the requested platform counts.
export function parseLookup(text: string, platform: AppPlatform): LookupReading {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'malformed' };
  }
  const { data } = answer.safeParse(json);
  if (!data) return { kind: 'malformed' };
  const fitting = data.results.filter((result) => {
    const { data: head } = z.object({ kind: z.string().nullish() }).safeParse(result);
    return head !== undefined && (head.kind ?? KINDS[platform]) === KINDS[platform];
  });
  if (fitting.length === 0) return { kind: 'none' };
  const found = app.safeParse(fitting[0]).data;
  return found ? { kind: 'app', app: found } : { kind: 'malformed' };
}

export function appName({ trackName }: StoreApp): string {
  return trackName
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
}

export function appIcon({ artworkUrl512, artworkUrl100, artworkUrl60 }: StoreApp): string | null {
  return [artworkUrl512, artworkUrl100, artworkUrl60].find((url) => url && isHttpUrl(url)) ?? null;
}

export function appItem(found: StoreApp, { id, platform }: AppIdentity): Item {
  const version = found.version.trim();
  const date = parseDateTime(found.currentVersionReleaseDate ?? '');
  const screenshots = [...(found.screenshotUrls ?? []), ...(found.ipadScreenshotUrls ?? [])];
  return {
    title: `${appName(found)} ${version}`,
    content: tidyMarkdown(found.releaseNotes ?? ''),
    version,
    url: versionAddress(found.trackViewUrl, version),
    // The guid does not use the address, which holds the name of the app and can change.
    guid: `${platform}:${id}:${version}`,
    publishedAt: date === null ? null : new Date(date.ms).toISOString(),
    datePrecision: date === null ? null : 'time',
    dateFromUpdated: false,
    media: selectMedia(screenshots.map((url) => ({ url }))).slice(0, MAX_SCREENSHOTS),
    categories: [],
    links: [],
    origin: 'store',
    confidence: 1,
  };
}

function versionAddress(listing: string | null | undefined, version: string): string | null {
  const url = URL.parse(listing ?? '');
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}?v=${encodeURIComponent(version)}`;
}
