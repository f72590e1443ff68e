// The head, tabs and side panel that the pages of a source share.
import type { SourceDetail } from '../../contract/source.ts';
import { isDigest } from '../../domain/summaries/is-digest.ts';
import type { Shell } from '../frame/shell.ts';
import { orgPath, outsideUrl, productPath, sourcePath } from '../links.ts';
import { OUTCOME_WORDS } from './empty-list.ts';
import { healthMark, healthOf, lastCheck } from './health.ts';
import { formatCount, type Html, html, plural, someOf } from './html.ts';
import { icon } from './icon.ts';
import { platformBadge, sourceTypeMark, splitPackage, versionMark } from './marks.ts';
import { crumbs, entityNotice, facts, noticeBox, tabs } from './parts.ts';
import { ago, exact, lasting, longDate, shortDate, timeMark, upcoming } from './time.ts';

type SourceTab = 'releases' | 'highlights' | 'changelog';

export function sourceTrail(source: SourceDetail): { name: string; path: string }[] {
  const trail = [{ name: 'Catalog', path: '/catalog' }];
  if (source.orgSlug && source.orgName) trail.push({ name: source.orgName, path: orgPath(source.orgSlug) });
  if (source.orgSlug && source.productSlug && source.productName && source.productSlug !== source.slug) {
    trail.push({ name: source.productName, path: productPath(source.orgSlug, source.productSlug) });
  }
  return trail;
}

interface SourceTabs {
  current: SourceTab;
  // The path of its releases page, where a product has the usual path.
  home?: string;
}

export function sourceHead(source: SourceDetail, shell: Shell, { current, home }: SourceTabs): Html {
  const path = sourcePath(source.orgSlug, source.slug);
  const address = outsideUrl(source.url);
  const list = [
    { name: 'Releases', path: home ?? path, count: source.releaseCount, current: current === 'releases' },
    ...(hasHighlights(source) || current === 'highlights'
      ? [{ name: 'Highlights', path: `${path}/highlights`, current: current === 'highlights' }]
      : []),
    ...(source.hasChangelogFile
      ? [{ name: 'Changelog', path: `${path}/changelog`, current: current === 'changelog' }]
      : []),
  ];
  return html`${crumbs(sourceTrail(source), source.name)}
<header class="entity"><div class="entity-text"><h1>${source.name}</h1><p class="cluster">${sourceTypeMark(source.type)}${platformBadge(source)}${address ? html`<a href="${address}" rel="nofollow noopener noreferrer">${address.replace(/^https?:\/\//, '')} ${icon('external')}</a>` : ''}${source.stars === null ? '' : html`<span class="stype">${icon('star')}${formatCount(source.stars)}</span>`}${healthMark(source, shell.now)}</p></div></header>
${entityNotice(source.notice)}${warning(source, shell.now)}${tabs(source.name, list)}`;
}

function hasHighlights({ summaries: { rolling, monthly } }: SourceDetail): boolean {
  return [...(rolling ? [rolling] : []), ...monthly].some(isDigest);
}

// The page warns when releases may be missing because the source cannot be read.
function warning(source: SourceDetail, now: number): Html {
  const { health } = healthOf(source, now);
  const checked = lastCheck(source);
  if (health === 'failing') {
    const { since, outcome, nextCheckAt } = source.fetchState;
    const why = OUTCOME_WORDS[outcome ?? ''] ?? 'it could not be read';
    const next = nextCheckAt ? ` The next try is at ${exact(nextCheckAt)} UTC.` : '';
    return noticeBox(
      'critical',
      `This source has not been readable${since ? ` since ${longDate(since)}` : ''}: ${why}. Releases may be missing.${next}`,
    );
  }
  if (health === 'stale' && checked)
    return noticeBox('warning', `No check for ${lasting(checked, now)}. Releases may be missing.`);
  return '';
}

export function sourceFacts(source: SourceDetail, shell: Shell): Html {
  return html`<section><h2>Facts</h2>${facts([
    [
      'Latest',
      source.latestVersion
        ? versionMark(splitPackage(source.latestVersion).version)
        : ago(source.latestDate, shell.now),
    ],
    ['Releases', someOf(source.releaseCount)],
    ['Last 30 days', someOf(source.releasesLast30Days)],
    ['Usual gap', source.medianGapDays === null ? '' : usualGap(source.medianGapDays)],
    ['Last checked', ago(lastCheck(source), shell.now)],
    ['Next check', source.fetchState.nextCheckAt ? upcoming(source.fetchState.nextCheckAt, shell.now) : ''],
    [source.latestDate ? 'Releases since' : 'Added', timeMark(source.trackingSince, shortDate(source.trackingSince))],
  ])}</section>`;
}

// As exact as a reader needs it.
export function usualGap(days: number): string {
  const hours = Math.round(days * 24);
  if (hours < 24) return hours < 1 ? 'under an hour' : plural(hours, 'hour');
  return plural(days < 10 ? Math.round(days * 10) / 10 : Math.round(days), 'day');
}
