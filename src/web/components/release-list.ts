// Lists of releases by day, of which more than five of one product are collapsed, and the row of one release.
import type { FeedItem } from '../../contract/release.ts';
import { outsideUrl, productPath, releasePath, sourcePath } from '../links.ts';
import { type Html, html, join, raw } from './html.ts';
import { avatar, icon } from './icon.ts';
import { rowBadges, sourceIcon, splitPackage, versionMark } from './marks.ts';
import { ago, dayHeading } from './time.ts';

const SHOWN_OF_RUN = 5;

interface Day {
  // Null when the day is not known.
  day: string | null;
  runs: ReleaseRun[];
}

interface ReleaseRun {
  name: string;
  items: FeedItem[];
}

export function byDay(releases: readonly FeedItem[]): Day[] {
  const days: Day[] = [];
  for (const item of releases) {
    const day = item.publishedAt?.slice(0, 10) ?? null;
    let last = days.at(-1);
    if (!last || last.day !== day) {
      last = { day, runs: [] };
      days.push(last);
    }
    const name = item.product?.name ?? item.source.name;
    const run = last.runs.at(-1);
    if (run && run.name === name) run.items.push(item);
    else last.runs.push({ name, items: [item] });
  }
  return days;
}

export function releaseList(releases: readonly FeedItem[], options: RowOptions): Html {
  const solo = options.solo ? ` solo${options.solo === 'versions' ? ' versions' : ''}` : '';
  const isOnePackage = new Set(releases.map(({ version }) => splitPackage(version).name)).size === 1;
  const rows = { ...options, isOnePackage };
  const avatars = options.lead === 'source' ? ' no-avatars' : '';
  return html`<div class="days${solo}${avatars}">${byDay(releases).map((day) => daySection(day, rows))}</div>`;
}

function daySection({ day, runs }: Day, options: RowOptions): Html {
  const heading = day ? dayHeading(day, options.now) : { date: 'Undated', name: '' };
  const name = heading.name ? html` <span>${heading.name}</span>` : '';
  return html`<section class="day"><h2 class="day-head">${heading.date}${name}</h2><div>${runs.map((run) => runRows(run, options))}</div></section>
`;
}

function runRows({ name, items }: ReleaseRun, options: RowOptions): Html {
  // Where all rows are of one source, the fold would hide what the page is about.
  const open = options.solo && !items[0]?.publishedAt ? items.length : SHOWN_OF_RUN;
  const shown = items.slice(0, open).map((item) => releaseRow(item, options));
  const folded = items.slice(open);
  if (folded.length === 0) return html`${shown}`;
  return html`${shown}<details class="fold"><summary>${icon('chevron')}${folded.length} more of ${name}${items[0]?.publishedAt ? ' that day' : ', without a date'}</summary>${folded.map((item) => releaseRow(item, options))}</details>`;
}

// One release in a list: the subject above the version, the title above the summary, and the time. The title links to
// the release page, the arrow to the original note.

interface RowOptions {
  now: number;
  // The picture at the start of a row: the avatar of the organization, or the source type where all rows are of one
  // organization.
  lead: 'avatar' | 'source';
  // All rows are of one source, so its name is left out.
  solo?: 'versions' | 'plain';
  // All rows are of one package, too.
  isOnePackage?: boolean;
}

type TitleFields = Pick<FeedItem, 'titleShort' | 'titleGenerated' | 'title' | 'version' | 'summary'> &
  Partial<Pick<FeedItem, 'contentChars'>>;

const MAX_TITLE_LENGTH = 140;
const DEPENDENCIES = 'Dependencies: ';

// The letters of all scripts are looked up in tables; most texts do not need them.
const words = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\0-\x7f]/.test(text) ? /[^\p{L}\p{N}]+/gu : /[^a-z0-9]+/g, ' ')
    .trim();

// The summary's statements: clauses of an extracted one, sentences of a written one.
export function clauses(summary: string): string[] {
  return summary
    .split(/;\s+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map((clause) => clause.trim())
    .filter(Boolean);
}

// `[New] parse: add an option` without its label.
const withoutLabels = (clause: string) => clause.replace(/^(?:\[[^\]]{1,20}\]\s*)+/, '');

// Three words or more, and no label in front: `mime-db@1.3.0` would be an odd title.
function isSentence(clause: string): boolean {
  return !clause.startsWith('[') && (clause.match(/(?<!\S)\p{L}{2,}/gu)?.length ?? 0) >= 3;
}

// A title that is only the version says nothing beside it.
function ownTitle({ title, version, summary, contentChars }: TitleFields): string {
  const own = splitPackage(version).version;
  const isVersion = title === '' || title === own || title === `v${own}`;
  if (isVersion && contentChars === 0) return 'No notes';
  if (isVersion && isDependencies(summary)) return `${DEPENDENCIES}${summary.replaceAll('; ', ', ')}`;
  const [first] = isVersion ? clauses(summary) : [];
  return (first && withoutLabels(first)) || title || version || 'Untitled release';
}

// `mime-db@1.52.0; negotiator@~0.6.3`
function isDependencies(summary: string): boolean {
  return summary !== '' && clauses(summary).every((clause) => splitPackage(clause).name !== null);
}

// A short title that was cut in mid-sentence is completed from the first clause of the summary.
export function rowTitle(item: TitleFields): string {
  // Without a short title the publisher's one only repeats the version, which the row shows anyway.
  const title = item.titleShort ?? clauses(item.summary).find(isSentence) ?? item.titleGenerated ?? ownTitle(item);
  if (!title.endsWith('…')) return title;
  const first = withoutLabels(clauses(item.summary)[0] ?? '');
  return words(first).startsWith(words(title)) && first.length <= MAX_TITLE_LENGTH ? first.replace(/[.;]$/, '') : title;
}

// Clauses that the title already contains are left out, so that the summary continues the title.
export function rowSummary(item: TitleFields, shownTitle = rowTitle(item)): string {
  if (shownTitle.startsWith(DEPENDENCIES)) return '';
  const rest = clauses(item.summary).flatMap((clause) => continued(clause, shownTitle));
  const separator = item.summary.includes('; ') ? '; ' : ' ';
  return rest.join(separator);
}

// `[New] parse: add an option` after the title "parse: add an option" says nothing more, and of "parse: add an option, off by
// default" only the end does.
function continued(clause: string, title: string): string[] {
  const said = words(title);
  const plain = withoutLabels(clause);
  if (said.startsWith(words(plain))) return [];
  if (!plain.toLowerCase().startsWith(title.toLowerCase())) return [clause];
  const more = plain.slice(title.length).match(/^[\s,;:–—-]+(?<more>.*)$/s)?.groups?.more;
  return more === undefined ? [clause] : more === '' ? [] : [more];
}

export function releaseRow(item: FeedItem, { now, lead, solo, isOnePackage }: RowOptions): Html {
  const title = rowTitle(item);
  const summary = rowSummary(item, title);
  const { name, version } = solo && !isOnePackage ? { name: null, version: item.version } : splitPackage(item.version);
  const original = outsideUrl(item.url);
  const breaks = item.breaking === 'major' || item.breaking === 'minor';
  const covering = item.coverageCount > 0 ? html` <span class="badge line">+${item.coverageCount} covering</span>` : '';
  const badges = rowBadges(item);
  return html`<article class="row" data-release-id="${item.id}"${breaks ? html` data-breaking="${item.breaking}"` : ''}>
<div class="row-subject">${subject(item, lead, name)}${versionMark(version)}</div>
<div class="row-main"><h3 class="row-title">${join(badges, raw(' '))}${badges.length > 0 ? ' ' : ''}<a href="${releasePath(item)}" dir="auto">${title}</a>${covering}</h3>${summary ? html`<p class="row-sum" dir="auto">${summary}</p>` : ''}</div>
<div class="row-side">${ago(item.publishedAt, now)}${original ? html`<a class="go" href="${original}" rel="nofollow noopener noreferrer" aria-label="Original note: ${title}">${icon('external')}</a>` : ''}</div>
</article>`;
}

// `part` is the package that the release is of, where its source has several.
function subject(item: FeedItem, lead: RowOptions['lead'], part: string | null): Html {
  const { product, source, org } = item;
  const path = product && org ? productPath(org.slug, product.slug) : sourcePath(source.orgSlug, source.slug);
  const name = part ?? (lead === 'avatar' ? (product?.name ?? source.name) : source.name);
  const to = lead === 'avatar' ? path : sourcePath(source.orgSlug, source.slug);
  const mark = lead === 'avatar' ? avatar(org?.name ?? source.name, source.orgAvatarUrl) : sourceIcon(source.type);
  return html`<a class="row-name" href="${to}">${mark}<span>${name}</span></a>`;
}
