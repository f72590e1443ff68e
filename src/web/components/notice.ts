// Notices that the operator writes. The operator's colour is shown as a small swatch only, because its contrast with
// text is not known.
import type { SiteNotice } from '../../contract/notice.ts';
import type { EntityNotice } from '../../contract/scalars.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';

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
