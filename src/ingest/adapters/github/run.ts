// One run of one repository: its input, what it has learned about the source, and its result.
import { githubCoordinate } from '../../../domain/urls.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import {
  type AdapterContext,
  type AdapterInput,
  type AdapterResult,
  adapterResult,
  type RepositoryInfo,
} from '../contract.ts';
import type { Failure } from '../outcomes.ts';
import { createGithubApi, type GithubApi } from './api.ts';

export interface GithubRun {
  ctx: AdapterContext;
  input: AdapterInput;
  api: GithubApi;
  // Changes when the repository turns out to be renamed.
  coordinate: string;
  repository: RepositoryInfo | null;
  changes: Partial<SourceRow>;
  notes: string[];
}

export function startRun(ctx: AdapterContext, input: AdapterInput): GithubRun | null {
  const { source, validators } = input;
  const coordinate = source.github_coordinate ?? githubCoordinate(source.url);
  if (coordinate === null) return null;
  return {
    ctx,
    input,
    api: createGithubApi(ctx, validators),
    coordinate,
    repository: null,
    changes: {},
    notes: [],
  };
}

export function repositoryPath({ coordinate }: Pick<GithubRun, 'coordinate'>, rest = ''): string {
  const [owner = '', name = ''] = coordinate.split('/');
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}${rest}`;
}

type RunResult = Partial<AdapterResult> & Pick<AdapterResult, 'outcome'>;

export function endRun(run: GithubRun, stated: RunResult): AdapterResult {
  return adapterResult(run.ctx, {
    sourceChanges: run.changes,
    notes: run.notes,
    budget: run.api.budget,
    ...(run.repository ? { repository: run.repository } : {}),
    ...stated,
  });
}

// Complete items are returned; the validators are left out, so that the next run reads the rest.
export function endInFailure(run: GithubRun, failure: Failure, partial: Partial<AdapterResult> = {}): AdapterResult {
  return endRun(run, { ...partial, ...failure, validators: [], complete: false });
}
