// `registry import`: changelogs from disk. One line a package at the end; an interrupted import goes on where it was.
import type { Given } from '../ingest/local-import/describe.ts';
import { type Gathered, gatherChangelogs, gatherInstalled } from '../ingest/local-import/gather.ts';
import { type ImportLine, importPackages } from '../ingest/local-import/import-all.ts';
import { CommandFailure, EXIT, type FlagValues, type Invocation, textFlag, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { openService } from './service.ts';

export async function importLocal({ env, flags, positionals, terminal }: Invocation): Promise<number> {
  const given = givenIn(flags);
  const packages = packagesOf(await gather(positionals, given), positionals[1] ?? '');
  const app = await openService({ env, flags });
  const progress = createProgress({ label: 'packages', total: packages.length });
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  // Once: a second signal ends the process at once.
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const lines = await importPackages(app.ctx, packages, {
      given,
      signal: interrupt.signal,
      onProgress: progress.update,
    });
    progress.finish();
    for (const line of flags.json ? [JSON.stringify({ packages: lines })] : lines.map(lineOf)) terminal.out(line);
    if (lines.length < packages.length) return EXIT.interrupted;
    return lines.some(({ found }) => found > 0) ? EXIT.ok : EXIT.failure;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await app.close();
  }
}

async function gather([what, path, ...rest]: string[], given: Given): Promise<Gathered> {
  if (path === undefined || rest.length > 0) throw new UsageError(HOW);
  if (what === 'changelog') return gatherChangelogs(path, given);
  if (what === 'node_modules') return gatherInstalled(path);
  throw new UsageError(HOW);
}

const HOW = 'give `changelog <file-or-folder>` or `node_modules <folder>`; `registry help import` shows examples';

function packagesOf(gathered: Gathered, path: string) {
  if (gathered.kind === 'packages') return gathered.packages;
  if (gathered.problem === 'needs_names') {
    throw new UsageError(`${path} has no package metadata beside it; give --org and --name`);
  }
  const reason =
    gathered.problem === 'not_found' ? 'is not there or cannot be read' : 'holds no package and no changelog';
  throw new CommandFailure(`${path} ${reason}`);
}

function givenIn(flags: FlagValues): Given {
  return { org: textFlag(flags, 'org'), name: textFlag(flags, 'name'), url: textFlag(flags, 'url') };
}

function lineOf({ name, found, inserted, updated, skipped }: ImportLine): string {
  const facts =
    skipped === null ? [`found ${found}`, `inserted ${inserted}`, `updated ${updated}`] : ['skipped', skipped];
  return [name, ...facts].map((text) => text.replace(/[\p{Cc}]+/gu, ' ')).join('\t');
}
