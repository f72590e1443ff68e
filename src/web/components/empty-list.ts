// The message of an empty release list, with the reason as far as the registry knows it.
import type { SourceItem } from '../../contract/source.ts';
import { activeFilters, type ListQuery } from './filter-row.ts';
import { type Html, plural } from './html.ts';
import { empty } from './parts.ts';
import { exact, longDate } from './time.ts';

export const OUTCOME_WORDS: Record<string, string> = {
  blocked: 'it refuses the registry’s reader',
  rate_limited: 'it asks the registry to slow down',
  timeout: 'it does not answer in time',
  unreachable: 'it cannot be reached',
  not_found: 'the address answers “not found”',
  gone: 'the address is gone for good',
  parse_error: 'what it answers could not be read',
  upstream_error: 'it answers with an error',
};

export type EmptySources = readonly Pick<SourceItem, 'fetchState' | 'name' | 'url'>[];

interface EmptyInput {
  name: string;
  path: string;
  query: ListQuery;
  // The number of releases without the filters.
  total: number;
  sources: EmptySources;
  sourcesPath?: string;
  // What a reader can do about a source that is not read.
  form?: Html;
}

const PAUSED = 'This source is paused: the registry knows it, but does not read it on its own.';

// Without a filter a list leaves out pre-releases alone.
function onlyPrereleases({ name, path, query, total }: Pick<EmptyInput, 'name' | 'path' | 'query' | 'total'>): Html {
  const known = `${plural(total, 'release')} of ${name} ${total === 1 ? 'is' : 'are'} known`;
  return query.include_prereleases
    ? empty({ title: 'Nothing to list', text: `${known}, but listed with another one of the same launch.` })
    : empty({
        title: 'No final release yet',
        text: `${known}, none of them final.`,
        action: { path: `${path}?include_prereleases=true`, name: 'Show pre-releases' },
      });
}

export function emptyReleases({
  name,
  path,
  query,
  total,
  sources,
  sourcesPath,
  form: ownForm = '',
}: EmptyInput): Html {
  const filters = activeFilters(query);
  if (filters.length === 0 && total > 0) return onlyPrereleases({ name, path, query, total });
  if (filters.length > 0) {
    const by = filters.join(', ');
    return empty({
      title: 'Nothing matches these filters',
      text:
        total > 0
          ? `${plural(total, 'release')} of ${name} are not shown because of ${by}.`
          : `Nothing is known of ${name}, with or without ${by}.`,
      action: { path, name: 'Clear the filters' },
    });
  }
  if (sources.length === 0) {
    return empty({ title: `The registry does not follow ${name} yet`, text: 'No source of it is known here.' });
  }
  if (sources.length === 1 && sources[0]?.name === name && sources[0].fetchState.state === 'paused') {
    return empty({ title: 'No release is known', text: PAUSED, form: ownForm });
  }
  const failing = sources.find(({ fetchState }) => fetchState.state === 'failing');
  if (failing && sources.every(({ fetchState }) => fetchState.state !== 'ok')) {
    const { since, outcome, nextCheckAt } = failing.fetchState;
    const why = OUTCOME_WORDS[outcome ?? ''] ?? 'it could not be read';
    const next = nextCheckAt ? ` The next try is at ${exact(nextCheckAt)} UTC.` : '';
    return empty({
      title: since ? `No answer since ${longDate(since)}` : 'The source cannot be read',
      text: `${failing.name}: ${why}.${next}`,
      action: sourcesPath ? { path: sourcesPath, name: 'See the sources' } : undefined,
    });
  }
  if (sources.every(({ fetchState }) => fetchState.state === 'never_fetched')) {
    return empty({ title: 'Not read yet', text: `The registry has found ${name} and will read it soon.` });
  }
  const [is, them] = sources.length === 1 ? ['is', 'it'] : ['are', 'them'];
  if (sources.every(({ fetchState }) => fetchState.state === 'paused')) {
    return empty({
      title: 'No release is known',
      text: `${plural(sources.length, 'source')} of ${name} ${is} paused: the registry knows ${them} and does not read ${them}.`,
      action: sourcesPath ? { path: sourcesPath, name: 'See the sources' } : undefined,
    });
  }
  return empty({
    title: 'Nothing published so far',
    text: `${plural(sources.length, 'source')} of ${name} ${sources.length === 1 ? 'was' : 'were'} read and ${sources.length === 1 ? 'holds' : 'hold'} no release.`,
    action: sourcesPath ? { path: sourcesPath, name: 'See the sources' } : undefined,
  });
}
