// Which changelog files a repository has today. Nothing is stored.

import type { Context } from '../../context.ts';
import type { ChangelogProbe } from '../../contract/changelog-probe.ts';
import { ApiError } from '../../contract/errors.ts';
import { changelogKind, folderOf } from '../../domain/changelog/files.ts';
import { factsOf } from '../../domain/source-types.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import { resolveSource, type SourcePath } from '../../entities/resolve.ts';
import { parseJson } from '../../store/json-text.ts';
import { createAdapterContext } from '../adapters/adapter-context.ts';
import { createGithubApi } from '../adapters/github/api.ts';
import { repositoryPath } from '../adapters/github/run.ts';
import { chooseChangelogFiles, plainPath, type TreeFile } from '../changelog-files/choose.ts';
import { readTree } from '../changelog-files/read-tree.ts';
import { requireNoTransaction } from '../outside-transaction.ts';

type ProbedPath = ChangelogProbe['paths'][number];

// The path that is named when no file was found.
const USUAL = 'CHANGELOG.md';

export async function probeChangelog(ctx: Context, path: SourcePath): Promise<ChangelogProbe> {
  const { source } = await resolveSource(ctx, path);
  const coordinate =
    source.github_coordinate ?? (factsOf(source.type).isRepository ? githubCoordinate(source.url) : null);
  if (coordinate === null) {
    throw new ApiError('bad_request', 'the source is no GitHub repository', { field: 'source', reason: 'not github' });
  }
  const { changelogPaths = [] } = parseJson(source.settings);
  requireNoTransaction(ctx);
  const api = createGithubApi(createAdapterContext(ctx), []);
  const tree = await readTree(api, {
    repositoryPath: repositoryPath({ coordinate }),
    paths: changelogPaths.map(plainPath),
  });
  if (tree.kind !== 'read') throw upstream(ctx, tree.kind === 'failure' ? tree.failure.httpStatus : null);
  const paths = changelogPaths.length > 0 ? overridden(tree.files, changelogPaths) : found(tree.files);
  return { sourceId: source.id, sourceSlug: source.slug, url: source.url, paths };
}

function overridden(files: readonly TreeFile[], overrides: readonly string[]): ProbedPath[] {
  const existing = new Set(files.map((file) => file.path));
  const paths = [...new Set(overrides.map(plainPath))];
  return paths.map((path) => ({ path, origin: 'override', exists: existing.has(path) }));
}

function found(files: readonly TreeFile[]): ProbedPath[] {
  const chosen = chooseChangelogFiles(files).map(({ path }): ProbedPath => {
    return { path, origin: folderOf(path) === '' ? 'root' : 'workspace', exists: true };
  });
  const atRoot = chosen.some(({ path, origin }) => origin === 'root' && changelogKind(path) === 'canonical');
  return atRoot ? chosen : [...chosen, { path: USUAL, origin: 'root', exists: false }];
}

function upstream({ config }: Context, status: number | null): ApiError {
  const { host } = new URL(config.upstream.githubApiUrl);
  return new ApiError('upstream_error', 'the code host could not be read', { host, ...(status ? { status } : {}) });
}
