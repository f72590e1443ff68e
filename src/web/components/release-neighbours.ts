// The other releases that a release page leads to.

import type { FeedItem, ReleaseDetail } from '../../contract/release.ts';
import type { NearRelease } from '../../releases/neighbours.ts';
import type { relatedTo } from '../../search/related/releases.ts';
import { outsideUrl, releasePath } from '../links.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { splitPackage, versionMark } from './marks.ts';
import { rowTitle } from './release-list.ts';
import { ago, shortDate } from './time.ts';

interface Neighbours {
  previous: NearRelease | null;
  next: NearRelease | null;
}

export function prevNext({ previous, next }: Neighbours, name: string): Html {
  if (!previous && !next) return '';
  const day = ({ publishedAt }: NearRelease) => (publishedAt ? `, ${shortDate(publishedAt)}` : '');
  const before = previous
    ? html`<a href="${releasePath(previous)}" rel="prev"><span>${icon('back')} Previous${day(previous)}</span>${versionMark(splitPackage(previous.version).version)}</a>`
    : html`<span></span>`;
  const after = next
    ? html`<a class="after" href="${releasePath(next)}" rel="next"><span>Next${day(next)} ${icon('chevron')}</span>${versionMark(splitPackage(next.version).version)}</a>`
    : '';
  return html`<nav class="prevnext" aria-label="Other releases of ${name}">${before}${after}</nav>`;
}

export function coveredBy(notes: readonly ReleaseDetail[], now: number): Html {
  if (notes.length === 0) return '';
  return html`<section class="block"><h2>Also covered by</h2><ul class="mini">${notes.map((item) => html`<li>${coveringNote(item)}<span class="muted small">${ago(item.publishedAt, now)}</span><span class="sub">${item.sourceName}</span></li>`)}</ul></section>`;
}

// The page of a covering note redirects to this release, so the link leads to the original note.
function coveringNote(note: ReleaseDetail): Html {
  const original = outsideUrl(note.url);
  const name = rowTitle(note);
  return original
    ? html`<a href="${original}" rel="nofollow noopener noreferrer">${name}</a>`
    : html`<span>${name}</span>`;
}

export function moreFrom(org: string, items: readonly FeedItem[], now: number): Html {
  if (items.length === 0) return '';
  return html`<section class="block"><h2>More from ${org}</h2><ul class="mini">${items.map((item) => mini(item, item.product?.name ?? item.source.name, now))}</ul></section>`;
}

export function relatedElsewhere(items: RelatedReleases, now: number): Html {
  if (items.length === 0) return '';
  return html`<section class="block"><h2>Related elsewhere</h2><ul class="mini">${items.map((item) => mini(item, item.source.productName ?? item.source.name, now))}</ul></section>`;
}

type RelatedReleases = Awaited<ReturnType<typeof relatedTo>>['items'];
type MiniItem = FeedItem | RelatedReleases[number];

// Of a source with several packages the package is named, not the source.
function mini(item: MiniItem, subject: string, now: number): Html {
  const { name, version } = splitPackage(item.version);
  return html`<li><a href="${releasePath(item)}">${rowTitle(item)}</a><span class="muted small">${ago(item.publishedAt, now)}</span><span class="sub">${name ?? subject} ${versionMark(version)}</span></li>`;
}
