// `registry import advisories <path>`: OSV records of a folder, an archive or a file. What was imported before stays until all of it
// is read.

import type { Advisory } from '../domain/advisories/osv-record.ts';
import { readRecordText } from '../domain/advisories/record-text.ts';
import { ArchiveRefused } from '../domain/archive/refusal.ts';
import { ECOSYSTEM_WORDS, ECOSYSTEMS } from '../domain/ecosystems/index.ts';
import { ImportOvertaken, storeAdvisories } from '../packages/advisories/store-set.ts';
import { recordFiles, TooManyRecords } from '../runtime/record-files.ts';
import { FileRefused } from '../runtime/regular-file.ts';
import { CommandFailure, EXIT, type Invocation, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { openService } from './service.ts';

export async function importAdvisories({ env, flags, positionals, terminal }: Invocation): Promise<number> {
  const [, path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) throw new UsageError('give one folder, archive or file of OSV records');
  const app = await openService({ env, flags });
  const progress = createProgress({ label: 'records', total: 0 });
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const stored = await storeAdvisories(app.ctx, path, advisoriesAt(path, interrupt.signal, progress.update));
    progress.finish();
    const told = ECOSYSTEMS.filter((one) => stored.records[one] > 0);
    if (flags.json) terminal.out(JSON.stringify(stored));
    else {
      for (const one of told)
        terminal.out(`${ECOSYSTEM_WORDS[one]}\t${stored.records[one]} advisories, in place of those before`);
      if (stored.unreadable > 0)
        terminal.out(`skipped\t${stored.unreadable} files that are no records or cannot be read`);
    }
    if (told.length > 0) return EXIT.ok;
    throw new CommandFailure(
      `${path} has no advisory on a package of npm or PyPI in the OSV form; nothing was changed`,
    );
  } catch (error) {
    const isKnown = error instanceof FileRefused || error instanceof ArchiveRefused || error instanceof TooManyRecords;
    if (isKnown) throw new CommandFailure(`${path} cannot be read: ${error.message}; nothing was changed`);
    if (error instanceof ImportOvertaken) throw new CommandFailure(`${error.message}; nothing was changed`);
    if (interrupt.signal.aborted && error === interrupt.signal.reason) return EXIT.interrupted;
    throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await app.close();
  }
}

async function* advisoriesAt(
  path: string,
  signal: AbortSignal,
  onRead: (count: number) => void,
): AsyncGenerator<Advisory | null> {
  let count = 0;
  for await (const bytes of recordFiles(path, signal)) {
    count += 1;
    onRead(count);
    const advisory = bytes === null ? null : readRecordText(bytes);
    if (advisory !== 'elsewhere') yield advisory;
  }
}
