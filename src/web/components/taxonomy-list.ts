// The organizations and products of a category or a tag.
import type { TaxonomyEntries } from '../../contract/taxonomy.ts';
import { orgPath, productPath } from '../links.ts';
import { type Html, html } from './html.ts';
import { avatar } from './icon.ts';

export function taxonomyList({ orgs, products }: TaxonomyEntries): Html {
  return html`${orgs.length > 0 ? html`<section><h2>Organizations</h2><ul class="linklist">${orgs.map((org) => html`<li><a href="${orgPath(org.slug)}">${avatar(org.name, org.avatarUrl)}${org.name}</a></li>`)}</ul></section>` : ''}${products.length > 0 ? html`<section><h2>Products</h2><ul class="linklist">${products.map((product) => html`<li><a href="${productPath(product.orgSlug, product.slug)}">${product.name}</a><span class="muted small">${product.orgName}</span></li>`)}</ul></section>` : ''}`;
}
