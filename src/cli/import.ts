// `registry import`: changelogs from disk, with one line per package and totals at the end; or an export of a registry.
// An interrupted import resumes where it stopped.

import {
  type CollectedPackages,
  type CollectProblem,
  collectChangelogs,
  collectInstalled,
  collectLockfile,
} from '../ingest/local-import/collect.ts';
import type { ImportHints } from '../ingest/local-import/describe.ts';
import { importPackages } from '../ingest/local-import/import-all.ts';
import { CommandFailure, EXIT, type FlagValues, type Invocation, textFlag, UsageError } from './command.ts';
import { importReport } from './import-report.ts';
import { createProgress } from './progress.ts';
import { openService } from './service.ts';

const LOCAL = ['changelog', 'node_modules', 'lockfile'];

export async function importData(invocation: Invocation): Promise<number> {
  const [kind = '', ...rest] = invocation.positionals;
  if (kind !== '' && rest.length === 0 && !LOCAL.includes(kind)) {
    return (await import('./import-export.ts')).importExport(invocation, kind);
  }
  for (const flag of ['dry-run', 'skip-invalid']) {
    if (invocation.flags[flag]) throw new UsageError(`--${flag} is for export files`);
  }
  return importLocal(invocation);
}

async function importLocal({ env, flags, positionals, terminal }: Invocation): Promise<number> {
  const given = givenIn(flags);
  const collected = packagesOf(await collectPackages(positionals, given), positionals[1] ?? '');
  const { packages, missing = [], outside = [] } = collected;
  const app = await openService({ env, flags });
  const progress = createProgress({ label: 'packages', total: packages.length });
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  // Only the first signal is handled here: a second one ends the process at once.
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const track = flags.track === true;
    const lines = await importPackages(app.ctx, packages, {
      given,
      track,
      intoFetched: flags['into-fetched'] === true,
      onlyFiles: flags['only-files'] === true,
      signal: interrupt.signal,
      onProgress: progress.update,
    });
    progress.finish();
    const installed = new Map(packages.map(({ label, metadata }) => [label, metadata]));
    const report = importReport({ lines, missing, outside, installed, track });
    for (const line of flags.json ? [JSON.stringify(report.json)] : report.lines) terminal.out(line);
    if (lines.length < packages.length) return EXIT.interrupted;
    return lines.some(({ found, source }) => found > 0 || source !== null) ? EXIT.ok : EXIT.failure;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await app.close();
  }
}

async function collectPackages([kind, path, ...rest]: string[], given: ImportHints): Promise<CollectedPackages> {
  if (path === undefined || rest.length > 0) throw new UsageError(HOW);
  if (kind === 'changelog') return collectChangelogs(path, given);
  if (kind === 'node_modules') return collectInstalled(path);
  if (kind === 'lockfile') return collectLockfile(path);
  throw new UsageError(HOW);
}

const HOW =
  'give an export file, `changelog <file-or-folder>`, `node_modules <folder>` or `lockfile <file>`; `registry help import` shows examples';

const PROBLEMS: Record<Exclude<CollectProblem, 'needs_names'>, string> = {
  not_found: 'is not there or cannot be read',
  not_regular: 'is neither a folder nor a regular file',
  too_large: 'is larger than any lockfile',
  too_hard: 'takes too long to read',
  no_packages: 'holds no package and no changelog',
  no_lockfile: 'names no npm package; give a package-lock.json, pnpm-lock.yaml, yarn.lock or bun.lock',
};

function packagesOf(collected: CollectedPackages, path: string) {
  if (collected.kind === 'packages') return collected;
  if (collected.problem === 'needs_names') {
    throw new UsageError(`${path} has no package metadata beside it; give --org and --name`);
  }
  throw new CommandFailure(`${path} ${PROBLEMS[collected.problem]}`);
}

function givenIn(flags: FlagValues): ImportHints {
  return { org: textFlag(flags, 'org'), name: textFlag(flags, 'name'), url: textFlag(flags, 'url') };
}
