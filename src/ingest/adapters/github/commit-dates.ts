// Dates of tags that nothing else dates: those of their commits, a few a run, each asked for once.
import { versionSort } from '../../../domain/versions/index.ts';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import { TAG_SIZE } from '../changelog/pair-tags.ts';
import type { Failure } from '../outcomes.ts';
import { isBudgetLow } from './budget.ts';
import { recallCommitDates } from './memory.ts';
import { COMMIT_DATE, type GithubTag } from './parse-tags.ts';
import { type GithubRun, repositoryPath } from './run.ts';
import { tagFilter } from './tag-patterns.ts';

const DATES_A_RUN = 30;

// After these failures the other commits are not asked for in this run.
const PASSING = new Set(['timeout', 'unreachable']);

interface CommitDates {
  // Dates by commit hash, only of commits that a tag points at.
  known: Map<string, string>;
  failure: Failure | null;
}

// Tags for which `isDated` is true have a date elsewhere and are not asked for.
export async function dateTags(
  run: GithubRun,
  tags: readonly GithubTag[],
  isDated: (tag: GithubTag) => boolean,
): Promise<CommitDates> {
  const { input, api, ctx } = run;
  const remembered = recallCommitDates(input.memory);
  const known = new Map(tags.flatMap(({ commit }) => datePair(commit, remembered.get(commit))));
  const wanted = tagFilter(input.source.settings);
  const undated = tags.filter((tag) => wanted([tag.name]) && !known.has(tag.commit) && !isDated(tag));
  const commits = await readDocument(NEWEST, { tags: undated, most: DATES_A_RUN }, undated.length * TAG_SIZE);
  for (const commit of commits) {
    // Dates are optional: the rest of a low quota is left to the listings of other repositories.
    if (api.budget && isBudgetLow(api.budget, ctx.now)) break;
    const answer = await api.get({ target: repositoryPath(run, `/commits/${commit}`), read: COMMIT_DATE });
    if (answer.kind === 'failure' && answer.failure.outcome === 'throttled') return { known, failure: answer.failure };
    if (answer.kind === 'failure' && PASSING.has(answer.failure.outcome)) break;
    const at = answer.kind === 'read' ? answer.value : null;
    if (at !== null) known.set(commit, at);
  }
  return { known, failure: null };
}

function datePair(commit: string, at: string | undefined): [string, string][] {
  return at === undefined ? [] : [[commit, at]];
}

// Sorted by version and not by name, which would put `v1.10.0` before `v1.2.0`.
export function newestCommits({ tags, most }: { tags: readonly GithubTag[]; most: number }): string[] {
  const keyed = tags.map(({ name, commit }) => ({ commit, key: versionSort(name) ?? '' }));
  keyed.sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0));
  return [...new Set(keyed.map(({ commit }) => commit))].slice(0, most);
}

const NEWEST = threadTask(import.meta.url, newestCommits);
