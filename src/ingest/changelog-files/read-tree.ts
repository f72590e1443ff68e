// Which files a repository has: its whole tree when the host tells it, else its root.
import type { Validator } from '../adapters/contract.ts';
import type { GithubApi } from '../adapters/github/api.ts';
import type { Failure } from '../adapters/outcomes.ts';
import { plainPath, type TreeFile } from './choose.ts';
import { parseRootListing, parseTree } from './parse-tree.ts';

const TREE_ENDPOINT = 'tree';

export type TreeAnswer =
  | { kind: 'same' }
  | { kind: 'failure'; failure: Failure }
  | {
      kind: 'read';
      files: TreeFile[];
      // Only then is a file that is missing gone.
      complete: boolean;
      validator: Validator | null;
    };

interface TreeQuestion {
  repositoryPath: string;
  // Paths that a person has set.
  overrides?: readonly string[];
  // The name under which the validator of the tree is stored: each job that reads trees has one of its own.
  endpoint?: string;
}

export async function readTree(
  api: GithubApi,
  { repositoryPath, overrides = [], endpoint = TREE_ENDPOINT }: TreeQuestion,
): Promise<TreeAnswer> {
  const answer = await api.get(`${repositoryPath}/git/trees/HEAD?recursive=1`, endpoint);
  if (answer.kind === 'same') return answer;
  if (answer.kind === 'failure' && answer.failure.outcome === 'throttled') return answer;
  const tree = answer.kind === 'read' ? parseTree(answer.json) : null;
  if (tree && !tree.truncated && answer.kind === 'read') {
    return { kind: 'read', files: tree.files, complete: true, validator: answer.validator };
  }
  return readRoot(api, repositoryPath, overrides);
}

async function readRoot(api: GithubApi, repositoryPath: string, overrides: readonly string[]): Promise<TreeAnswer> {
  const answer = await api.get(`${repositoryPath}/contents/`);
  if (answer.kind !== 'read') return answer;
  const files = parseRootListing(answer.json);
  if (files === null) {
    const failure: Failure = { outcome: 'malformed', detail: 'not a file listing', httpStatus: 200, retryAt: null };
    return { kind: 'failure', failure };
  }
  // Paths that a person has set are tried, listed or not: large repositories are where they are set.
  const known = new Set(files.map(({ path }) => path));
  const named = overrides.map(plainPath).filter((path) => !known.has(path));
  const unlisted = named.map((path) => ({ path, hash: null, size: null }));
  return { kind: 'read', files: [...files, ...unlisted], complete: false, validator: null };
}
