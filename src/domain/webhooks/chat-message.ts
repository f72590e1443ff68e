// What a message says of a release, whichever service shows it.

export interface ChatRelease {
  title: string;
  version: string | null;
  publishedAt: string | null;
  sourceName: string;
  org: { name: string; avatarUrl: string | null; githubHandle: string | null } | null;
  product: { name: string } | null;
  webUrl: string;
  summary: string | null;
}

export interface ReleaseMessage {
  // The line that names the owner of the release.
  context: string;
  avatarUrl: string | null;
  title: string;
  link: string;
  summary: string | null;
  publishedAt: string | null;
}

const SUMMARY_MAX = 300;
const SUMMARY_LEAST = 180;

export function chatMessage(release: ChatRelease): ReleaseMessage {
  const { org, product, sourceName, webUrl, publishedAt } = release;
  return {
    context: oneLine(org?.name ?? product?.name ?? sourceName),
    avatarUrl: avatarOf(org),
    title: titleOf(release),
    link: webUrl,
    summary: summaryOf(release.summary),
    publishedAt,
  };
}

function avatarOf(org: ChatRelease['org']): string | null {
  if (org?.avatarUrl) return org.avatarUrl;
  return org?.githubHandle ? `https://github.com/${encodeURIComponent(org.githubHandle)}.png` : null;
}

function titleOf({ title, version }: ChatRelease): string {
  const shown = oneLine(title);
  return version === null || holdsVersion(shown, version) ? shown : `${shown} ${oneLine(version)}`.trim();
}

// Whether a title holds the whole version: `1.2` is neither in `11.2` nor in `1.2.1`.
function holdsVersion(title: string, version: string): boolean {
  const wanted = version.toLowerCase().replace(/^v(?=\d)/, '');
  const text = title.toLowerCase();
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + wanted.length)];
    if (!/[\d.]$/.test(before) && !/^(?:\d|[.+-][\da-z])/.test(after)) return true;
  }
  return false;
}

function summaryOf(summary: string | null): string | null {
  const text = oneLine(summary ?? '');
  if (text === '') return null;
  return cutWithMark(text, SUMMARY_MAX, SUMMARY_LEAST);
}

// Cuts a text to `max` characters with the mark of the cut: at the last blank behind `least`, else inside a word.
export function cutWithMark(text: string, max: number, least = max): string {
  if (text.length <= max) return text;
  const blank = text.lastIndexOf(' ', max - 1);
  const end = blank > least ? blank : max - 1;
  // A cut must not leave half of a surrogate pair.
  return `${text
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
