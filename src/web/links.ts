// The addresses of pages, as paths on this site.
import type { FeedItem } from '../contract/release.ts';
import { deriveSlug } from '../domain/slugs.ts';

const segment = (text: string) => encodeURIComponent(text);

export const orgPath = (slug: string) => `/${segment(slug)}`;
export const productPath = (orgSlug: string, slug: string) => `/${segment(orgSlug)}/${segment(slug)}`;
export const collectionPath = (slug: string) => `/collections/${segment(slug)}`;
export const categoryPath = (slug: string) => `/categories/${segment(slug)}`;
export const tagPath = (slug: string) => `/tags/${segment(slug)}`;
// Entities carry the names of their tags.
export const tagPathOf = (name: string) => tagPath(deriveSlug(name) ?? name);

export function sourcePath(orgSlug: string | null, slug: string): string {
  return orgSlug ? `/${segment(orgSlug)}/${segment(slug)}` : `/source/${segment(slug)}`;
}

// A source whose slug is also that of a product of its org is reached by its id.
export const sourceIdPath = (id: string) => `/sources/${segment(id)}`;

export function sourcePathBeside(
  products: readonly { slug: string }[],
  orgSlug: string | null,
  source: { id: string; slug: string },
): string {
  return products.some(({ slug }) => slug === source.slug) ? sourceIdPath(source.id) : sourcePath(orgSlug, source.slug);
}

// The address that the API tells is absolute; links inside the site leave the host out.
export function releasePath({ webUrl }: Pick<FeedItem, 'webUrl'>): string {
  return webUrl.replace(/^https?:\/\/[^/]+/, '');
}

// The same address with some parameters changed; null takes one away.
export function withQuery(path: string, current: URLSearchParams, changes: Record<string, string | null>): string {
  const query = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

// Only http and https addresses of others become links: release text is written by strangers.
export function outsideUrl(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}
