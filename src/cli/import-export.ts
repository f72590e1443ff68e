// `registry import <file>` of an export: counts the added, changed, unchanged and refused records of each type.
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../app.ts';
import { type ImportResult, InvalidRecords, importRecords } from '../ingest/transfer/import-records.ts';
import { LineFileError } from '../store/line-file.ts';
import { CommandFailure, EXIT, type Invocation } from './command.ts';
import { createProgress } from './progress.ts';
import { openService, openUnchanged } from './service.ts';

const INTERRUPTED = 'interrupted; the same command goes on from here';

export async function importExport({ env, flags, terminal }: Invocation, path: string): Promise<number> {
  await access(path, constants.R_OK).catch(() => {
    throw new CommandFailure(`${path} is not there or cannot be read; \`registry help import\` shows examples`);
  });
  const dryRun = flags['dry-run'] === true;
  const { app, end } = dryRun ? await openForDryRun({ env, flags }) : await openForImport({ env, flags });
  const progress = createProgress({ label: 'records', total: 0 });
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  // Only the first signal is handled here: a second one ends the process at once.
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const result = await importRecords(app.ctx, {
      path,
      dryRun,
      skipInvalid: flags['skip-invalid'] === true,
      signal: interrupt.signal,
      onProgress: progress.update,
    });
    progress.finish();
    for (const line of flags.json ? [JSON.stringify(result)] : report(result)) terminal.out(line);
    if (!result.isComplete) return EXIT.interrupted;
    return result.refused.length > 0 ? EXIT.failure : EXIT.ok;
  } catch (error) {
    if (interrupt.signal.aborted && error === interrupt.signal.reason) {
      terminal.out(flags.json ? JSON.stringify({ isComplete: false }) : INTERRUPTED);
      return EXIT.interrupted;
    }
    if (error instanceof InvalidRecords) throw invalidRecords(path, error);
    throw error instanceof LineFileError ? new CommandFailure(`${path}: ${error.message}`) : error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await end();
  }
}

interface OpenedApp {
  app: App;
  end(): Promise<void>;
}

async function openForImport(options: Pick<Invocation, 'env' | 'flags'>): Promise<OpenedApp> {
  const app = await openService(options);
  return { app, end: () => app.close() };
}

// Where there is no registry yet, the file is tried on an empty one that is gone afterwards.
async function openForDryRun({ env, flags }: Pick<Invocation, 'env' | 'flags'>): Promise<OpenedApp> {
  const existing = await openUnchanged({ env, flags });
  if (existing) return { app: existing, end: () => existing.close() };
  const folder = await mkdtemp(join(tmpdir(), 'registry-dry-run-'));
  const app = await openService({ env: { ...env, REGISTRY_DATA_DIR: folder }, flags });
  return {
    app,
    async end() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function report({ counts, refused, resumedAfter, isComplete }: ImportResult): string[] {
  const present = Object.entries(counts).filter(([, one]) => Object.values(one).some((count) => count > 0));
  return [
    ...(resumedAfter > 0 ? [`went on behind record ${resumedAfter} of an import that was interrupted`] : []),
    ...present.map(([type, { inserted, updated, unchanged, skipped }]) =>
      [type, `${inserted} added`, `${updated} changed`, `${unchanged} unchanged`, `${skipped} not taken`].join('\t'),
    ),
    ...refused.map(
      ({ line, type, id, reason }) => `not taken\tline ${line}\t${printable(`${type} ${id}`)}\t${printable(reason)}`,
    ),
    ...(isComplete ? [] : [INTERRUPTED]),
  ];
}

function invalidRecords(path: string, { message, refused }: InvalidRecords): CommandFailure {
  const advice = '--skip-invalid imports the rest';
  const more = refused.slice(1).map(({ line, type, reason }) => `line ${line}: ${type} ${reason}`);
  const lines = [`${path}: ${message}`, ...more, advice].map(printable);
  const body = { code: 'invalid_records', type: 'validation', message: `${message}; ${advice}`, details: refused };
  return new CommandFailure(lines.join('\n'), { body });
}

// Removes control characters of the file, so that it cannot control the terminal.
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
