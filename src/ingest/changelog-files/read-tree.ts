// Which files a repository has: its whole tree when the host tells it, else its root.

import { z } from 'zod';
import type { Validator } from '../adapters/contract.ts';
import type { GithubApi } from '../adapters/github/api.ts';
import type { Failure } from '../adapters/outcomes.ts';
import { plainPath, type TreeFile } from './choose.ts';

const TREE_ENDPOINT = 'tree';

export type TreeAnswer =
  | { kind: 'same' }
  | { kind: 'failure'; failure: Failure }
  | {
      kind: 'read';
      files: TreeFile[];
      // Only with a complete listing does a missing file count as gone.
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
  // Configured paths are tried even if they are not listed: the root listing of a large repository does not show them.
  const known = new Set(files.map(({ path }) => path));
  const named = overrides.map(plainPath).filter((path) => !known.has(path));
  const unlisted = named.map((path) => ({ path, hash: null, size: null }));
  return { kind: 'read', files: [...files, ...unlisted], complete: false, validator: null };
}

const SYMLINK = '120000';

const tree = z.object({ tree: z.array(z.unknown()), truncated: z.boolean().nullish() });
const blob = z.object({
  path: z.string().min(1),
  type: z.literal('blob'),
  mode: z.string().nullish(),
  sha: z.string().min(1),
  size: z.int().min(0).nullish(),
});

interface GitTree {
  files: TreeFile[];
  truncated: boolean;
}

// Null when the document is no tree. What a link points at has an entry of its own, so links are left out.
function parseTree(json: unknown): GitTree | null {
  const { data } = tree.safeParse(json);
  if (!data) return null;
  const files = data.tree.flatMap((entry) => {
    const file = blob.safeParse(entry).data;
    return file && file.mode !== SYMLINK ? { path: file.path, hash: file.sha, size: file.size ?? null } : [];
  });
  return { files, truncated: data.truncated ?? false };
}

const listed = z.object({
  path: z.string().min(1),
  type: z.literal('file'),
  sha: z.string().min(1),
  size: z.int().min(0).nullish(),
});

function parseRootListing(json: unknown): TreeFile[] | null {
  if (!Array.isArray(json)) return null;
  return json.flatMap((entry) => {
    const file = listed.safeParse(entry).data;
    return file ? { path: file.path, hash: file.sha, size: file.size ?? null } : [];
  });
}
