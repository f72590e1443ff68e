// `registry backup` and `registry restore`.
import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { backupEnding, filledTable, restoreBackup, verifyBackup, writeBackup } from '../store/backup.ts';
import { CHECKSUM_ENDING } from '../store/checksum-file.ts';
import { LineFileError } from '../store/line-file.ts';
import { migrationState } from '../store/migrate.ts';
import { CommandFailure, countFlag, EXIT, type Invocation, UsageError } from './command.ts';
import { databaseName } from './database-name.ts';
import { openExisting, openUnmigrated } from './service.ts';

const MAX_KEPT = 100_000;
const NAME = /^registry-\d{8}T\d{6}(?:\d{3})?Z\.(?:db|pg\.ndjson\.gz)$/;

export async function backup({ env, flags, positionals, terminal }: Invocation): Promise<number> {
  const folder = onlyOne(positionals, 'the folder that backups go into');
  const keep = countFlag(flags, 'keep', { most: MAX_KEPT });
  const app = await openExisting({ env, flags });
  const { config, store, clock } = app.ctx;
  try {
    if ((await migrationState(store.read)).applied.length === 0) {
      throw new CommandFailure(`there is no registry in ${databaseName(config)}`);
    }
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const time = clock().toISOString().replace(/[-:.]/g, '');
    const file = join(folder, `registry-${time}${backupEnding(config)}`);
    await writeBackup({ ...config, now: clock }, file);
    const contents = flags.verify ? await verified(file) : null;
    const removed = keep === undefined ? [] : await removeOld(folder, keep);
    const { size } = await stat(file);
    if (flags.json) terminal.out(JSON.stringify({ file, bytes: size, verified: contents, removed }));
    else {
      terminal.out(`backup\t${file}\t${size} bytes`);
      if (contents) terminal.out(contentsLine('verified', contents.counts));
      for (const name of removed) terminal.out(`removed\t${name}`);
      terminal.out(`not in it\t${secretAdvice(config)}`);
    }
    return EXIT.ok;
  } finally {
    await app.close();
  }
}

export async function restore({ env, flags, positionals, terminal }: Invocation): Promise<number> {
  const file = onlyOne(positionals, 'the backup to read');
  await access(file, constants.R_OK).catch(() => {
    throw new CommandFailure(`${file} is not there or cannot be read`);
  });
  const { engine, counts } = await verified(file, { withoutChecksum: flags['without-checksum'] === true });
  const printResult = (outcome: string, line: string) =>
    terminal.out(flags.json ? JSON.stringify({ file, engine, counts, [outcome]: true }) : line);
  if (flags.verify) {
    printResult('verified', contentsLine('verified', counts));
    return EXIT.ok;
  }
  const app = await openUnmigrated({ env, flags });
  const { config, store, clock } = app.ctx;
  let filled: string | null = null;
  try {
    filled = await filledTable(store.read);
  } finally {
    await app.close();
  }
  if (filled !== null) {
    throw new CommandFailure(`${databaseName(config)} is not empty (${filled} has rows); restore into a new database`);
  }
  await withFileName(file, () => restoreBackup({ ...config, now: clock }, { file, engine }));
  printResult('restored', contentsLine('restored', counts));
  return EXIT.ok;
}

function onlyOne([path, ...rest]: string[], description: string): string {
  if (path === undefined || rest.length > 0) throw new UsageError(`give one path: ${description}`);
  return path;
}

const verified = (file: string, options = {}) => withFileName(file, () => verifyBackup(file, options));

async function withFileName<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LineFileError ? new CommandFailure(`${file}: ${error.message}`) : error;
  }
}

function contentsLine(outcome: string, counts: Record<string, number>): string {
  return [outcome, ...Object.entries(counts).map(([table, rows]) => `${rows} ${table}`)].join('\t');
}

// File names contain the time, so their order is that of the backups.
async function removeOld(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) {
    await rm(join(folder, name));
    await rm(join(folder, `${name}${CHECKSUM_ENDING}`), { force: true });
  }
  return old;
}

// Without the secret the encrypted values of the backup cannot be read.
function secretAdvice({ databaseUrl, dataDir, secrets }: Config): string {
  if (secrets.current || databaseUrl) return 'REGISTRY_SECRET, without which webhook keys in it cannot be read';
  return `${resolve(dataDir, 'service.secret')}, without which webhook keys in it cannot be read`;
}
