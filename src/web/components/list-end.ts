// The end of a release list: the way to older releases, or what the list leaves out, so that it adds up to the count
// above it.
import type { Shell } from '../frame/shell.ts';
import { withQuery } from '../links.ts';
import { activeFilters, type ListQuery } from './filter-row.ts';
import { formatCount, type Html, html } from './html.ts';
import { pager } from './parts.ts';

interface ListEnd {
  path: string;
  // The number of releases in the list, and of all that the entity has.
  shown: number;
  total: number;
  next: string | null;
  // Releases without a date are in the order of their versions.
  isDated?: boolean;
}

export function listEnd({ path, shown, total, next, isDated = true }: ListEnd, shell: Shell, query: ListQuery): Html {
  if (next)
    return pager(isDated ? 'Newest first' : 'Highest version first', {
      path: withQuery(path, shell.query, { cursor: next }),
      name: 'Older',
    });
  const leftOut = total - shown;
  const isWhole = !query.cursor && !query.include_prereleases && activeFilters(query).length === 0;
  if (shown === 0 || leftOut <= 0 || !isWhole) return '';
  const words = leftOut === 1 ? '1 pre-release is' : `${formatCount(leftOut)} pre-releases are`;
  return html`<p class="small muted">${words} left out. <a href="${withQuery(path, shell.query, { include_prereleases: 'true' })}">Show pre-releases</a></p>`;
}
