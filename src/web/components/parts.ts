// Small parts that many pages share: breadcrumb, tabs, pager, facts, copyable commands, notices.
import type { SiteNotice } from '../../contract/notice.ts';
import type { EntityNotice } from '../../contract/scalars.ts';
import { formatCount, type Html, html } from './html.ts';
import { icon } from './icon.ts';

export function crumbs(trail: readonly { name: string; path: string }[], here: string): Html {
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${trail.map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>`)}<li><span aria-current="page">${here}</span></li></ol></nav>`;
}

interface Tab {
  name: string;
  path: string;
  count?: number;
  current?: boolean;
}

export function tabs(label: string, list: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}">${list.map(
    ({ name, path, count, current }) =>
      html`<a href="${path}"${current ? html` aria-current="page"` : ''}>${name}${count ? html` <span class="n">${formatCount(count)}</span>` : ''}</a>`,
  )}</nav>`;
}

export function pager(words: string, next: { path: string; name: string } | null): Html {
  const link = next ? html`<a class="btn" href="${next.path}" rel="next">${next.name}${icon('chevron')}</a>` : '';
  return html`<nav class="pager" aria-label="Pages"><span>${words}</span>${link}</nav>`;
}

// How many of a list are shown; nothing for an empty list, which says so itself.
export function countPager(shown: number, total: number, next: Parameters<typeof pager>[1]): Html {
  return total > 0 ? pager(`${formatCount(shown)} of ${formatCount(total)}`, next) : '';
}

export function facts(rows: readonly (readonly [string, Html | string] | null)[]): Html {
  const present = rows.filter((row) => row !== null && row[1] !== '');
  return html`<dl class="facts">${present.map((row) => html`<dt>${row?.[0]}</dt><dd>${row?.[1]}</dd>`)}</dl>`;
}

export function command(text: string, label: string): Html {
  return html`<div class="code bare"><pre tabindex="0" role="region" aria-label="${label}"><code>${text.split(/(\s+)/).map((word) => (word.startsWith('--') ? html`<span class="nowrap">${word}</span>` : word))}</code></pre><button class="iconbtn" type="button" data-copy hidden aria-label="Copy: ${label}">${icon('copy')}</button></div>`;
}

interface Reason {
  title: string;
  text: string | Html;
  action?: { path: string; name: string } | undefined;
  // A form in place of the link.
  form?: Html;
}

// The message of an empty list: what is missing, why, and what to do next.
export function empty({ title, text, action, form = '' }: Reason): Html {
  const button = action ? html`<p class="cluster"><a class="btn" href="${action.path}">${action.name}</a></p>` : '';
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p>${button}${form}</div>`;
}

// Notices that the operator writes. The operator's colour is shown as a small swatch only, because its contrast with
// text is not known.

export function siteNotice(notice: SiteNotice, label = 'Site notice'): Html {
  const link = notice.href ? html` <a href="${notice.href}">${notice.linkText ?? 'Read more'}</a>` : '';
  const dismiss = notice.dismissible
    ? html`<button class="iconbtn" type="button" data-dismiss hidden aria-label="Dismiss the notice">${icon('close')}</button>`
    : '';
  return html`<aside class="notice" data-level="info" data-notice="${notice.updatedAt}" aria-label="${label}"><div class="wrap"><svg class="swatch" viewBox="0 0 12 12" aria-hidden="true"><rect width="12" height="12" fill="${notice.color}"/></svg><p>${notice.message}${link}</p>${dismiss}</div></aside>
`;
}

export function entityNotice(notice: EntityNotice | null): Html {
  if (!notice) return '';
  const link = notice.href
    ? html` <a href="${notice.href}" rel="nofollow noopener noreferrer">${notice.linkText ?? notice.coordinate ?? 'Read more'}</a>`
    : '';
  return noticeBox('info', html`${notice.message}${link}`);
}

export function noticeBox(level: 'info' | 'warning' | 'critical', message: Html | string): Html {
  return html`<div class="notice box" data-level="${level}" role="note">${icon(level === 'info' ? 'info' : 'warning')}<p>${message}</p></div>`;
}
