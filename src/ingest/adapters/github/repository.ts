// The repository itself: stars, archived, numeric id, and its name of today.
import { githubCoordinate } from '../../../domain/urls.ts';
import type { RepositoryInfo, Validator } from '../contract.ts';
import type { Failure } from '../outcomes.ts';
import { ENDPOINTS } from './memory.ts';
import { REPOSITORY, repositoryChanges } from './parse-repository.ts';
import { type GithubRun, repositoryPath } from './run.ts';

const DAY_MS = 86_400_000;

export function repositoryIsDue({ input, ctx }: Pick<GithubRun, 'input' | 'ctx'>): boolean {
  const { stars_fetched_at: at } = input.source;
  return at === null || ctx.now.getTime() - Date.parse(at) >= DAY_MS;
}

interface RepositoryRead {
  // Set only when the repository cannot be read at all; temporary failures are left to the next run.
  failure: Failure | null;
  validator: Validator | null;
}

const FINAL = new Set(['gone', 'blocked', 'throttled']);

// Reads the repository and records on the run what follows from it. A renamed repository is read under its new name.
export async function readRepository(run: GithubRun): Promise<RepositoryRead> {
  const answer = await run.api.get({
    target: repositoryPath(run),
    read: REPOSITORY,
    endpoint: ENDPOINTS.repository,
  });
  if (answer.kind === 'failure') {
    const final = FINAL.has(answer.failure.outcome);
    if (!final) run.notes.push(`repository not read: ${answer.failure.outcome}`);
    return { failure: final ? answer.failure : null, validator: null };
  }
  if (answer.kind === 'same') {
    run.changes.stars_fetched_at = run.ctx.now.toISOString();
    return { failure: null, validator: null };
  }
  const facts = await ownRepository(run, answer.value);
  if (facts) adopt(run, facts);
  else run.notes.push('repository not read: malformed');
  return { failure: null, validator: facts ? answer.validator : null };
}

// Another repository can take a released name, so the followed one is identified by its numeric id.
async function ownRepository(run: GithubRun, facts: RepositoryInfo | null): Promise<RepositoryInfo | null> {
  const { github_id: known } = run.input.source;
  if (!facts || known === null || facts.id === known) return facts;
  const byId = await run.api.get({ target: `/repositories/${known}`, read: REPOSITORY });
  const own = byId.kind === 'read' ? byId.value : null;
  if (own) return own;
  run.notes.push('the name belongs to another repository now');
  return facts;
}

function adopt(run: GithubRun, facts: RepositoryInfo): void {
  const { source } = run.input;
  run.repository = facts;
  Object.assign(run.changes, repositoryChanges(source, facts, run.ctx.now));
  const current = githubCoordinate(facts.fullName);
  if (current === null || current === run.coordinate) return;
  run.notes.push(`renamed from ${run.coordinate} to ${current}`);
  run.coordinate = current;
}
