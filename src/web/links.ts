// The paths of all pages.
import type { FeedItem } from '../contract/release.ts';
import { isEcosystem } from '../domain/ecosystems/index.ts';
import { packageAddress } from '../domain/published-package.ts';
import { deriveSlug } from '../domain/slugs.ts';
import { stepAddressOf } from '../domain/upgrade/step-address.ts';

const segment = (text: string) => encodeURIComponent(text);

export const ASK_PATH = '/ask';
// Where the files of a project are sent.
export const FILES_PATH = '/whats-changed';
export const PROJECT_FILES_PATH = '/whats-changed?input=files';
export const packagePath = packageAddress;

// The way between two versions or major lines, `9-to-10`.
export function upgradePath({ ecosystem, name }: { ecosystem: string; name: string }, step: string): string {
  return `${packagePath(ecosystem, name)}/${encodeURIComponent(step)}`;
}

export const orgPath = (slug: string) => `/${segment(slug)}`;
export const productPath = (orgSlug: string, slug: string) => `/${segment(orgSlug)}/${segment(slug)}`;
export const collectionPath = (slug: string) => `/collections/${segment(slug)}`;
export const categoryPath = (slug: string) => `/categories/${segment(slug)}`;
export const tagPath = (slug: string) => `/tags/${segment(slug)}`;
// Entities carry the names of their tags, not the slugs.
export const tagPathOf = (name: string) => tagPath(deriveSlug(name) ?? name);

// Of a known package the question has a page of its own, where both sides are versions.
export function whatsChangedPath(asked: { ecosystem: string; package: string; from: string; to: string }): string {
  const step = isEcosystem(asked.ecosystem) ? stepAddressOf(asked.from, asked.to) : null;
  if (step !== null) return upgradePath({ ecosystem: asked.ecosystem, name: asked.package }, step);
  return `/whats-changed?${new URLSearchParams(asked)}`;
}

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

// The API returns absolute URLs; links inside the site leave out the host.
export function releasePath({ webUrl }: Pick<FeedItem, 'webUrl'>): string {
  return webUrl.replace(/^https?:\/\/[^/]+/, '');
}

// The same path with some query parameters changed; null removes one.
export function withQuery(path: string, current: URLSearchParams, changes: Record<string, string | null>): string {
  const query = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

// Only http and https URLs become links, because release text is untrusted.
export function outsideUrl(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}
