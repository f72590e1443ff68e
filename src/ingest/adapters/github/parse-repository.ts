// What `/repos/{owner}/{repo}` says, and what follows from it for the source.
import { z } from 'zod';
import { githubCoordinate, normalizeUrl } from '../../../domain/urls.ts';
import { parseJson, toJson } from '../../../store/json-text.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import { jsonReader } from '../../../threads/json.ts';
import type { RepositoryInfo } from '../contract.ts';

const repository = z.object({
  id: z.int(),
  full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  description: z.string().nullish(),
  homepage: z.string().nullish(),
  archived: z.boolean().nullish(),
  fork: z.boolean().nullish(),
  stargazers_count: z.int().min(0).nullish(),
});

export function parseRepository(json: unknown): RepositoryInfo | null {
  const { data } = repository.safeParse(json);
  if (!data) return null;
  return {
    id: data.id,
    fullName: data.full_name,
    description: data.description || null,
    homepage: data.homepage || null,
    archived: data.archived ?? false,
    fork: data.fork ?? false,
    stars: data.stargazers_count ?? 0,
  };
}

export const REPOSITORY = jsonReader(import.meta.url, parseRepository);

type RepositorySource = Pick<
  SourceRow,
  'github_coordinate' | 'former_coordinates' | 'url' | 'fetch_priority' | 'stars'
>;

export function repositoryChanges(source: RepositorySource, facts: RepositoryInfo, now: Date): Partial<SourceRow> {
  return {
    stars: facts.stars,
    stars_fetched_at: now.toISOString(),
    github_id: facts.id,
    is_fork: facts.fork ? 1 : 0,
    archived: facts.archived ? 1 : 0,
    // The priority is only ever lowered: resuming a source is a person's decision.
    ...(facts.archived && source.fetch_priority === 'normal' ? { fetch_priority: 'low' } : {}),
    ...renameChanges(source, facts.fullName),
  };
}

function renameChanges(source: RepositorySource, fullName: string): Partial<SourceRow> {
  const old = source.github_coordinate ?? githubCoordinate(source.url);
  const current = githubCoordinate(fullName);
  if (old === null || current === null || old === current) return {};
  const former = parseJson(source.former_coordinates);
  const changes: Partial<SourceRow> = {
    github_coordinate: current,
    former_coordinates: toJson([...new Set([...former, old])].filter((name) => name !== current)),
  };
  // The address is updated only when it is the repository's own: another repository may take the old name, and a page that a
  // person has set stays.
  if (normalizeUrl(source.url) !== `github.com/${old}`) return changes;
  const url = `https://github.com/${fullName}`;
  return { ...changes, url, url_key: normalizeUrl(url) ?? url };
}
