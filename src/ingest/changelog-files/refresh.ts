// One refresh of the changelog files of a repository: everything is fetched first, then written in one transaction.

import { type Context, transact } from '../../context.ts';
import { changelogKind, fileNameOf, formatOf } from '../../domain/changelog/files.ts';
import { addOutside, NOTHING_OUTSIDE } from '../../domain/changelog/outside-text.ts';
import type { OutsideText } from '../../domain/changelog/types.ts';
import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import { factsOf } from '../../domain/source-types.ts';
import { findSource } from '../../entities/resolve.ts';
import { listFiles } from '../../releases/changelog-files/read-slice.ts';
import { parseJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { readDocument } from '../../threads/documents.ts';
import type { AdapterContext, Budget, OriginalFile } from '../adapters/contract.ts';
import { createGithubApi } from '../adapters/github/api.ts';
import { repositoryPath } from '../adapters/github/run.ts';
import type { Failure } from '../adapters/outcomes.ts';
import { readValidators } from '../state/validators.ts';
import { fileAddresses } from './addresses.ts';
import { type ChosenFile, chooseChangelogFiles } from './choose.ts';
import { type Download, downloadFile } from './download.ts';
import { sourceNames } from './fill-stored.ts';
import { prepareRefresh } from './prepare-files.ts';
import { readTree } from './read-tree.ts';
import { type SettledRefresh, settleFindings } from './settle.ts';
import { OUTSIDE_READING } from './text-tasks.ts';
import { recallMissing } from './write-files.ts';

export interface ChangelogRefresh {
  // `success` when a file was stored or removed.
  outcome: FetchOutcome;
  detail: string | null;
  httpStatus: number | null;
  retryAt: string | null;
  // The canonical file is another one now, or has another text.
  canonicalChanged: boolean;
  stored: string[];
  removed: string[];
  // Files that could not be downloaded; their stored texts stay.
  failed: string[];
  // The number of releases that only pointed at the changelog and now hold their entry.
  filled: number;
  // Characters of the stored files that stand in no entry.
  outside: OutsideText;
  budget: Budget | null;
}

export async function refreshChangelogFiles(
  ctx: Context,
  adapterCtx: AdapterContext,
  source: SourceRow,
): Promise<ChangelogRefresh> {
  const coordinate = source.github_coordinate;
  if (!factsOf(source.type).isRepository || coordinate === null) return ended(null, NOT_A_REPOSITORY);
  const { changelogPaths = [] } = parseJson(source.settings);
  const validators = await readValidators(ctx, source.id);
  const api = createGithubApi(adapterCtx, validators);
  const before = await listFiles(ctx, source.id);
  const tree = await readTree(api, {
    repositoryPath: repositoryPath({ coordinate }),
    overrides: changelogPaths,
    paths: before.map(({ path }) => path),
  });
  if (tree.kind === 'failure') return ended(api.budget, tree.failure);

  const hashes = new Map(before.map(({ path, blob_hash }) => [path, blob_hash]));
  const chosen = tree.kind === 'read' ? chooseChangelogFiles(tree.files, changelogPaths) : null;
  const wanted = (chosen ?? []).filter(({ path, hash }) => hash === null || hashes.get(path) !== hash);
  const { files, failed, behind, failure } = await downloadAll(adapterCtx, coordinate, wanted);
  const fresh = files.filter(({ path, hash }) => hashes.get(path) !== hash);
  const outside = await outsideOf(ctx, source.id, fresh);
  const findings = {
    source,
    before,
    missing: await recallMissing(ctx, source.id),
    tree,
    chosen,
    fresh,
    outside,
    behind: new Set([...failed, ...behind]),
  };
  const canonical = chosen?.find((file) => file.canonical)?.path ?? before.find((file) => file.canonical === 1)?.path;
  const sourceInOrg = await findSource(ctx, { src: source.id });
  const ahead = sourceInOrg ? await prepareRefresh(ctx, sourceInOrg, { files: fresh, canonical }) : ctx;
  const settled = await transact(ahead, (ctx) => settleFindings(ctx, findings), 'derived');
  return { ...ended(api.budget, failure ?? verdict(settled)), ...settled, failed, outside };
}

const NOT_A_REPOSITORY: Failure = {
  outcome: 'error',
  detail: 'the source names no GitHub repository',
  httpStatus: null,
  retryAt: null,
};

type RefreshOutcome = Pick<ChangelogRefresh, 'outcome' | 'detail' | 'httpStatus' | 'retryAt'>;

function ended(budget: Budget | null, outcome: RefreshOutcome): ChangelogRefresh {
  return {
    ...outcome,
    canonicalChanged: false,
    stored: [],
    removed: [],
    failed: [],
    filled: 0,
    outside: NOTHING_OUTSIDE,
    budget,
  };
}

// Computed before the transaction, because a long file takes time. Guides have no entries.
async function outsideOf(ctx: Context, sourceId: string, files: readonly OriginalFile[]): Promise<OutsideText> {
  const sourceInOrg = files.length === 0 ? null : await findSource(ctx, { src: sourceId });
  if (!sourceInOrg) return NOTHING_OUTSIDE;
  const options = { names: sourceNames(sourceInOrg), now: ctx.clock() };
  const texts = files.filter(({ path }) => changelogKind(fileNameOf(path)) !== 'guide');
  let outside = NOTHING_OUTSIDE;
  for (const { path, text } of texts) {
    const input = { text, options: { ...options, format: formatOf(path) } };
    outside = addOutside(outside, await readDocument(OUTSIDE_READING, input, text.length));
  }
  return outside;
}

function verdict({ stored, removed }: SettledRefresh): RefreshOutcome {
  const outcome = stored.length + removed.length > 0 ? 'success' : 'no_change';
  return { outcome, detail: null, httpStatus: 200, retryAt: null };
}

interface Downloads {
  files: OriginalFile[];
  failed: string[];
  // The raw host is a cache and can be some minutes older than the tree.
  behind: string[];
  failure: Failure | null;
}

async function downloadAll(ctx: AdapterContext, coordinate: string, wanted: readonly ChosenFile[]): Promise<Downloads> {
  const done: Downloads = { files: [], failed: [], behind: [], failure: null };
  for (const { path, hash, size } of wanted) {
    const addresses = fileAddresses(ctx.settings, coordinate, path);
    // After throttling the host is not asked for further files.
    const isOver = done.failure?.outcome === 'throttled';
    const got: Download | null = isOver ? null : await downloadFile(ctx, { ...addresses, hash, size });
    if (got?.kind !== 'text') {
      done.failed.push(path);
      done.failure ??= got?.failure ?? null;
      continue;
    }
    const { kind, ...file } = got;
    done.files.push({ path, ...addresses, ...file });
    if (hash !== null && got.hash !== hash) done.behind.push(path);
  }
  return done;
}
