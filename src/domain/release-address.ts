// The address of the page of a release.
import { deriveSlug } from './slugs.ts';

interface TitledRelease {
  id: string;
  title: string;
  title_short: string | null;
  title_generated: string | null;
  version: string | null;
}

// Concatenated in one step: a string of joined parts takes the whole response off the fast path of JSON.stringify.
export function releaseWebUrl(webUrl: string, row: TitledRelease): string {
  const slug = slugOf(row.title_short) ?? slugOf(row.title_generated) ?? slugOf(row.title) ?? slugOf(row.version);
  return slug ? [webUrl, '/release/', row.id, '-', slug].join('') : `${webUrl}/release/${row.id}`;
}

function slugOf(text: string | null): string | null {
  return text ? deriveSlug(text) : null;
}
