// `registry export <file>`: written beside its final name and moved there when it is whole.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { findOrg } from '../catalog/resolve.ts';
import { exportRecords } from '../catalog/transfer/export-records.ts';
import type { Context } from '../context.ts';
import { parseBodyTimestamp } from '../domain/timestamps.ts';
import { CommandFailure, EXIT, type Invocation, textFlag, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { openService } from './service.ts';

export async function exportData({ env, flags, positionals, terminal }: Invocation): Promise<number> {
  const [path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) throw new UsageError('give one file; a name that ends in .gz packs it');
  const since = sinceOf(textFlag(flags, 'since'));
  const app = await openService({ env, flags: { ...flags, 'no-migrate': true } });
  const progress = createProgress({ label: 'records', total: 0 });
  try {
    const org = await orgOf(app.ctx, textFlag(flags, 'org'));
    const manifest = await writeWhole(path, (write) =>
      exportRecords(app.ctx, { org, since, write, onProgress: progress.update }),
    );
    progress.finish();
    const counts = Object.entries(manifest.counts).filter(([, count]) => count > 0);
    if (flags.json) terminal.out(JSON.stringify({ file: path, ...manifest }));
    else for (const [type, count] of [...counts, ['sha256', manifest.sha256]]) terminal.out(`${type}\t${count}`);
    return EXIT.ok;
  } finally {
    await app.close();
  }
}

function sinceOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = parseBodyTimestamp(text);
  if (time === null)
    throw new UsageError(`--since must be a date or a time such as 2026-01-31T08:00:00Z, not "${text}"`);
  return time;
}

async function orgOf(ctx: Context, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const org = await findOrg(ctx, name);
  if (!org || org.is_hidden) throw new CommandFailure(`there is no public org "${name}"`);
  return org.id;
}

/** Whoever looks under the path finds the whole file or what was there before. */
async function writeWhole<T>(path: string, fill: (write: (text: string) => Promise<void>) => Promise<T>): Promise<T> {
  const part = `${path}.part`;
  const file = createWriteStream(part, { mode: 0o600 });
  const failed = new Promise<never>((_, reject) => file.on('error', reject));
  failed.catch(() => {});
  const packed = path.endsWith('.gz') ? createGzip() : null;
  const done = packed ? pipeline(packed, file) : finished(file);
  done.catch(() => {});
  const target: Writable = packed ?? file;
  try {
    const result = await fill(async (text) => {
      if (!target.write(text)) await Promise.race([once(target, 'drain'), failed]);
    });
    target.end();
    await done;
    await onDisk(part);
    await rename(part, path);
    return result;
  } catch (error) {
    target.destroy();
    await rm(part, { force: true });
    throw error;
  }
}

async function onDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}
