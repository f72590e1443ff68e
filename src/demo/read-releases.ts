// Releases of one source from its text file, newest first there:
//
//   === 2.1.0 | 12d 09:40        the version, if there is one, and when it came out: days before today and time
//   title: A word on timeouts    fields, one a line; then an empty line and the notes
//
// `{date}`, `{day}`, `{month}`, `{year}`, `{yy}` and `{season}` in title and notes are of the day of the release.
import { DAY_MS, type DemoRelease, type DemoSource, iso } from './registry.ts';

const HEAD = /^=== (?:(.+) \| )?(-?\d+)d (\d\d):(\d\d)$/;
const SEEN_AFTER_MS = 2 * 3_600_000;

export function readReleases(
  text: string,
  source: Pick<DemoSource, 'type' | 'url' | 'addedAt'> & { today: number },
): DemoRelease[] {
  const entries = text.split(/^(?==== )/m).filter(Boolean);
  return entries.map((entry) => readRelease(entry, source)).reverse();
}

function readRelease(
  entry: string,
  { type, url, addedAt, today }: Pick<DemoSource, 'type' | 'url' | 'addedAt'> & { today: number },
): DemoRelease {
  const end = entry.indexOf('\n\n');
  const [first = '', ...lines] = entry.slice(0, end).split('\n');
  const [, version, days, hours, minutes] = HEAD.exec(first) ?? [];
  if (days === undefined) throw new Error(`no head of a release: ${first}`);
  const at = today - Number(days) * DAY_MS + (Number(hours) * 60 + Number(minutes)) * 60_000;
  const fields = lines.map((line) => line.split(/: (.*)/s) as [string, string]);
  const field = (name: string) => fields.find(([key]) => key === name)?.[1];
  const media = fields.filter(([key]) => key === 'media').map(([, value]) => readMedia(value));
  const page =
    field('url') ?? (type === 'github' && version ? `${url}/releases/tag/${encodeURIComponent(version)}` : undefined);
  return {
    title: onDay(field('title') ?? version ?? '', at),
    content: onDay(entry.slice(end + 2).trim(), at),
    ...(version && { version }),
    ...(page && { url: page }),
    ...(field('undated') ? {} : { publishedAt: iso(at) }),
    ...(field('type') === 'rollup' && { type: 'rollup' }),
    ...(type === 'github' && { prerelease: field('prerelease') === 'true' }),
    ...(media.length > 0 && { media: media.map((item) => (type === 'video' ? { ...item, linkUrl: page } : item)) }),
    ...(field('covers') && { covers: field('covers') }),
    // Nothing is seen before its source was added, and nothing after midnight.
    fetchedAt: iso(Math.min(Math.max(at + SEEN_AFTER_MS, Date.parse(addedAt)), today)),
  } as DemoRelease;
}

function readMedia(value: string): NonNullable<DemoRelease['media']>[number] {
  const [type, url = '', ...alt] = value.split(' ');
  return { type: type as 'image', url, ...(alt.length > 0 && { alt: alt.join(' ') }) };
}

function onDay(text: string, at: number): string {
  const date = new Date(at);
  const part = (options: Intl.DateTimeFormatOptions) => date.toLocaleString('en-US', { ...options, timeZone: 'UTC' });
  const words: Record<string, () => string> = {
    date: () => iso(at).slice(0, 10),
    day: () => String(date.getUTCDate()),
    month: () => part({ month: 'long' }),
    year: () => part({ year: 'numeric' }),
    yy: () => part({ year: '2-digit' }),
    season: () => ['Winter', 'Spring', 'Summer', 'Autumn'][Math.floor(date.getUTCMonth() / 3)] ?? '',
  };
  return text.replace(/\{(date|day|month|year|yy|season)\}/g, (_, word: string) => words[word]?.() ?? '');
}
