// Writes the findings of a refresh: files, removals, the canonical flag, the validators of the tree.

import { now, type WriteContext } from '../../context.ts';
import type { OutsideText } from '../../domain/changelog/types.ts';
import { countOutsideText } from '../../entities/registry/count-outside-text.ts';
import { findSource } from '../../entities/resolve.ts';
import type { listFiles } from '../../releases/changelog-files/read-slice.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { packageOfPath } from '../adapters/changelog/packed.ts';
import type { OriginalFile } from '../adapters/contract.ts';
import { storeValidators } from '../state/validators.ts';
import type { ChosenFile } from './choose.ts';
import { fillStoredReleases } from './fill-stored.ts';
import { fillGuideNotes } from './guide-notes.ts';
import type { TreeAnswer } from './read-tree.ts';
import { flagCanonical, rememberMissing, removeFiles, storeOriginal, touchFiles } from './write-files.ts';

interface RefreshFindings {
  source: SourceRow;
  // What is stored.
  before: Awaited<ReturnType<typeof listFiles>>;
  // Stored files that complete trees lack, with the time of the first such tree.
  missing: ReadonlyMap<string, string>;
  tree: Exclude<TreeAnswer, { kind: 'failure' }>;
  // Null when the tree has not changed.
  chosen: readonly ChosenFile[] | null;
  fresh: readonly OriginalFile[];
  // Characters of the fresh files that stand in no entry.
  outside: OutsideText;
  // Files that were not downloaded, or whose text is older than the tree.
  behind: ReadonlySet<string>;
}

export interface SettledRefresh {
  canonicalChanged: boolean;
  stored: string[];
  removed: string[];
  filled: number;
}

export async function settleFindings(ctx: WriteContext, findings: RefreshFindings): Promise<SettledRefresh> {
  const { source, before, tree, fresh, behind } = findings;
  await ctx.store.dialect.lock(ctx.tx, `source:${source.id}`);
  const sourceInOrg = await findSource(ctx, { src: source.id });
  if (!sourceInOrg) return { canonicalChanged: false, stored: [], removed: [], filled: 0 };

  for (const file of fresh) await storeOriginal(ctx, source.id, file);
  const present = presentPaths(findings);
  const removed = await settleMissing(ctx, findings, present);
  const stored = fresh.map(({ path }) => path);
  const paths = new Set([...before.map(({ path }) => path), ...stored].filter((path) => !removed.includes(path)));
  await touchFiles(
    ctx,
    source.id,
    [...paths].filter((path) => present.has(path) && !behind.has(path)),
  );
  const canonicalChanged = await settleCanonical(ctx, findings, paths);
  // The validator is stored only when every file was, so that the tree is read again otherwise.
  if (tree.kind === 'read' && tree.validator && behind.size === 0) {
    await storeValidators(ctx, source.id, [tree.validator]);
  }
  await countOutsideText(ctx, findings.outside);
  const filled = stored.length > 0 ? await fillStoredReleases(ctx, sourceInOrg) : 0;
  // An unchanged guide is applied too, because a new release may match it.
  await fillGuideNotes(ctx, sourceInOrg);
  return { canonicalChanged, stored, removed, filled };
}

// An unchanged tree holds and lacks the same files as before.
function presentPaths({ before, missing, chosen }: RefreshFindings): Set<string> {
  if (chosen !== null) return new Set(chosen.map(({ path }) => path));
  return new Set(before.map(({ path }) => path).filter((path) => !missing.has(path)));
}

async function settleMissing(
  ctx: WriteContext,
  { source, before, tree, missing }: RefreshFindings,
  present: ReadonlySet<string>,
): Promise<string[]> {
  if (tree.kind === 'read' && !tree.complete) return [];
  // What a published package holds is in no tree.
  const stored = before.map(({ path }) => path).filter((path) => packageOfPath(path) === null);
  const { remove, mark, unmark } = planMissing({ stored, present, marks: missing, now: ctx.clock() });
  await removeFiles(ctx, source.id, remove);
  const since = new Map([...missing].filter(([path]) => !unmark.includes(path)));
  for (const path of mark) since.set(path, now(ctx));
  if (mark.length + unmark.length > 0) await rememberMissing(ctx, source.id, since);
  return remove;
}

async function settleCanonical(
  ctx: WriteContext,
  { source, before, chosen, fresh }: RefreshFindings,
  paths: ReadonlySet<string>,
): Promise<boolean> {
  const old = before.find(({ canonical }) => canonical === 1)?.path;
  const wanted = chosen?.find(({ canonical }) => canonical)?.path;
  const canonical = [wanted, old].find((path) => path !== undefined && paths.has(path));
  if (canonical === undefined) return old !== undefined;
  if (canonical === old && !fresh.some(({ path }) => path === canonical)) return false;
  await flagCanonical(ctx, source.id, canonical);
  return true;
}

interface MissingPlan {
  // Stored, and missing for long enough.
  remove: string[];
  // Missing for the first time.
  mark: string[];
  // There again.
  unmark: string[];
}

const DAY_MS = 86_400_000;

interface MissingInput {
  stored: readonly string[];
  present: ReadonlySet<string>;
  // The times at which a complete tree first lacked a file, by path.
  marks: ReadonlyMap<string, string>;
  now: Date;
}

// A file that a complete tree lacks is marked as missing; the second complete tree a day later removes it.
export function planMissing({ stored, present, marks, now }: MissingInput): MissingPlan {
  const missing = stored.filter((path) => !present.has(path));
  const isOld = (path: string) => {
    const since = marks.get(path);
    return since !== undefined && now.getTime() - Date.parse(since) >= DAY_MS;
  };
  return {
    remove: missing.filter(isOld),
    mark: missing.filter((path) => !marks.has(path)),
    unmark: [...marks.keys()].filter((path) => !missing.includes(path) || isOld(path)),
  };
}
