// The git tree of a repository, and the listing of its root that stands in for one.
import { z } from 'zod';
import type { TreeFile } from './choose.ts';

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
export function parseTree(json: unknown): GitTree | null {
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

export function parseRootListing(json: unknown): TreeFile[] | null {
  if (!Array.isArray(json)) return null;
  return json.flatMap((entry) => {
    const file = listed.safeParse(entry).data;
    return file ? { path: file.path, hash: file.sha, size: file.size ?? null } : [];
  });
}
