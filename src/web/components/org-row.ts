// An organization in a list: picture, name, description, products, and its recent activity.
import type { OrgListItem } from '../../contract/org.ts';
import { orgPath } from '../links.ts';
import { avatar } from './avatar.ts';
import { type Html, html } from './html.ts';
import { sparkline } from './sparkline.ts';
import { ago } from './time.ts';

export function orgRow(org: OrgListItem, now: number): Html {
  const products =
    org.topProducts.length > 0
      ? html`<p class="prods">${org.topProducts.map((name) => html`<span>${name}</span>`)}</p>`
      : '';
  return html`<article class="org">${avatar(org.name, org.avatarUrl, 'm')}<div><h3><a href="${orgPath(org.slug)}">${org.name}</a></h3>${org.description ? html`<p>${org.description}</p>` : ''}${products}</div><div class="right">${sparkline(org.sparkline)}${ago(org.lastActivity, now)}</div></article>`;
}
