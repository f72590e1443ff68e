// `registry export <file>`: writes to a temporary name and renames the file when it is complete.

import type { Context } from '../context.ts';
import { parseBodyTimestamp } from '../domain/timestamps.ts';
import { findOrg } from '../entities/resolve.ts';
import { exportRecords } from '../ingest/transfer/export-records.ts';
import { writeLineFile } from '../store/line-file.ts';
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
    const manifest = await writeLineFile(path, (write) =>
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
