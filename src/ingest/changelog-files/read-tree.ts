// The files of a repository: its whole tree when the host lists it, otherwise its root.

import { z } from 'zod';
import { changelogKind, fileNameOf, folderOf, isIgnoredFolder } from '../../domain/changelog/files.ts';
import { ecosystemOfFile } from '../../domain/ecosystems/index.ts';
import { jsonReader } from '../../threads/json.ts';
import type { Validator } from '../adapters/contract.ts';
import type { GithubApi } from '../adapters/github/api.ts';
import type { Failure } from '../adapters/outcomes.ts';
import { byDepthAndPath, plainPath, type TreeFile } from './choose.ts';

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
  // Further files that are asked about, besides changelogs and manifests.
  paths: readonly string[];
  // The name under which the validator of the tree is stored: each job that reads trees has one of its own.
  endpoint?: string;
}

export async function readTree(api: GithubApi, question: TreeQuestion): Promise<TreeAnswer> {
  const { repositoryPath, overrides = [], endpoint = TREE_ENDPOINT } = question;
  const options = { paths: [...overrides.map(plainPath), ...question.paths] };
  const target = `${repositoryPath}/git/trees/HEAD?recursive=1`;
  const answer = await api.get({ target, read: TREE, options, endpoint });
  if (answer.kind === 'same') return answer;
  if (answer.kind === 'failure' && answer.failure.outcome === 'throttled') return answer;
  const tree = answer.kind === 'read' ? answer.value : null;
  if (tree && !tree.truncated && answer.kind === 'read') {
    return { kind: 'read', files: tree.files, complete: true, validator: answer.validator };
  }
  return readRoot(api, { ...question, overrides, ...options });
}

async function readRoot(
  api: GithubApi,
  { repositoryPath, overrides, paths }: Required<Omit<TreeQuestion, 'endpoint'>>,
): Promise<TreeAnswer> {
  const answer = await api.get({ target: `${repositoryPath}/contents/`, read: ROOT_LISTING, options: { paths } });
  if (answer.kind !== 'read') return answer;
  const files = answer.value;
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

// Of a repository with more of them, those that are nearest to its root.
const MAX_FILES = 2_000;

interface TreeOptions {
  // Files that are asked about by their path.
  paths: readonly string[];
}

interface GitTree {
  // Changelogs, manifests, and what was asked about.
  files: TreeFile[];
  truncated: boolean;
}

// Null when the document is no tree. What a link points at has an entry of its own, so links are left out.
export function parseTree(json: unknown, options: TreeOptions): GitTree | null {
  const { data } = tree.safeParse(json);
  if (!data) return null;
  const files = data.tree.flatMap((entry) => {
    const file = blob.safeParse(entry).data;
    return file && file.mode !== SYMLINK ? { path: file.path, hash: file.sha, size: file.size ?? null } : [];
  });
  return { files: ofInterest(files, options), truncated: data.truncated ?? false };
}

const TREE = jsonReader(import.meta.url, parseTree);

const listed = z.object({
  path: z.string().min(1),
  type: z.literal('file'),
  sha: z.string().min(1),
  size: z.int().min(0).nullish(),
});

export function parseRootListing(json: unknown, options: TreeOptions): TreeFile[] | null {
  if (!Array.isArray(json)) return null;
  const files = json.flatMap((entry) => {
    const file = listed.safeParse(entry).data;
    return file ? { path: file.path, hash: file.sha, size: file.size ?? null } : [];
  });
  return ofInterest(files, options);
}

const ROOT_LISTING = jsonReader(import.meta.url, parseRootListing);

function ofInterest(files: readonly TreeFile[], { paths }: TreeOptions): TreeFile[] {
  const named = new Set(paths);
  const known = files.filter(isKnownKind).sort(byDepthAndPath).slice(0, MAX_FILES);
  const chosen = new Set(known.map(({ path }) => path));
  return [...known, ...files.filter(({ path }) => named.has(path) && !chosen.has(path))];
}

function isKnownKind({ path }: TreeFile): boolean {
  const name = fileNameOf(path);
  if (changelogKind(name) === null && ecosystemOfFile('manifests', name) === null) return false;
  return !folderOf(path).split('/').some(isIgnoredFolder);
}
