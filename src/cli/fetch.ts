// `registry fetch`: fetches the named sources, or all that are due.

import type { Context } from '../context.ts';
import { errorMessage } from '../domain/records.ts';
import { factsOf } from '../domain/source-types.ts';
import { resolveSource, resolveSourceByName, type SourceInOrg } from '../entities/resolve.ts';
import { toolsOf } from '../ingest/adapters/adapter-context.ts';
import { enqueueFetch, flagSource, type RequestedOptions, runOrdered } from '../ingest/pipeline/fetch-now.ts';
import type { RunReport } from '../ingest/pipeline/report.ts';
import { dueSources, scheduleFetchJobs } from '../ingest/schedule/fetch-jobs.ts';
import { CommandFailure, countFlag, EXIT, type FlagValues, type Invocation, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { openService, openUnchanged } from './service.ts';
import { stopRequested } from './stop.ts';

const AT_ONCE = 8;
const MAX_RELEASES = 1000;

export async function fetchNow({ env, flags, positionals, terminal }: Invocation): Promise<number> {
  const requested = optionsOf(flags);
  const stop = new AbortController();
  void stopRequested().then(() => stop.abort());
  const app = flags['dry-run'] ? await openUnchanged({ env, flags }) : await openService({ env, flags });
  if (app === null)
    throw new CommandFailure('there is no registry yet, so there is nothing to fetch; `registry serve` makes one');
  try {
    const targets = positionals.length > 0 ? await named(app.ctx, positionals) : await due(app.ctx);
    const progress = createProgress({ label: 'sources', total: targets.length });
    const lines: FetchLine[] = [];
    await sideBySide(targets, async (target) => {
      if (stop.signal.aborted) return;
      lines.push(await fetchOne(app.ctx, { target, requested, stop: stop.signal }));
      progress.update(lines.length);
    });
    if (targets.length > 0) progress.finish();
    if (flags.json) terminal.out(JSON.stringify(lines));
    else for (const line of lines) terminal.out(textOf(line));
    if (stop.signal.aborted) return EXIT.interrupted;
    return lines.some((line) => line.error !== null) ? EXIT.failure : EXIT.ok;
  } finally {
    await app.close();
  }
}

function optionsOf(flags: FlagValues): RequestedOptions {
  if (flags.announce && flags.silent) throw new UsageError('--announce and --silent exclude each other');
  return {
    max: countFlag(flags, 'max', { most: MAX_RELEASES }),
    ...(flags['dry-run'] ? { dryRun: true } : {}),
    ...(flags.announce ? { announce: true } : {}),
    ...(flags.silent ? { silent: true } : {}),
  };
}

// Sources are named by id, by org and slug, or by a unique slug.
function named(ctx: Context, names: readonly string[]): Promise<SourceInOrg[]> {
  return Promise.all(
    names.map((name) => {
      const [org = '', source] = name.split('/');
      return source === undefined ? resolveSourceByName(ctx, name, 'source') : resolveSource(ctx, { org, source });
    }),
  );
}

async function due(ctx: Context): Promise<SourceInOrg[]> {
  await scheduleFetchJobs(ctx);
  return Promise.all((await dueSources(ctx)).map((src) => resolveSource(ctx, { src })));
}

interface FetchLine {
  id: string;
  source: string;
  status: string;
  inserted: number;
  updated: number;
  error: string | null;
  sample?: RunReport['sample'];
}

async function fetchOne(
  ctx: Context,
  { target, requested, stop }: { target: SourceInOrg; requested: RequestedOptions; stop: AbortSignal },
): Promise<FetchLine> {
  const { id, slug, type } = target.source;
  const line = { id, source: target.org ? `${target.org.slug}/${slug}` : slug, inserted: 0, updated: 0, error: null };
  try {
    if (factsOf(type).needsModel && toolsOf(ctx).model === null) {
      await flagSource(ctx, target);
      return { ...line, status: 'flagged' };
    }
    const report = await runOrdered(ctx, await enqueueFetch(ctx, target, requested), { signal: stop, stop });
    // A worker has claimed the source first.
    if (!report) return { ...line, status: 'queued' };
    const { status, releasesInserted: inserted, releasesUpdated: updated, error, sample } = report;
    return { ...line, status, inserted, updated, error, ...(sample && { sample }) };
  } catch (error) {
    return { ...line, status: 'error', error: errorMessage(error) };
  }
}

function textOf({ source, status, inserted, updated, error, sample = [] }: FetchLine): string {
  const head = [source, status, `${inserted} new`, `${updated} changed`, ...(error ? [error] : [])].join('\t');
  return [head, ...sample.map(({ title, publishedAt }) => `\t${publishedAt?.slice(0, 10) ?? ''}\t${title}`)].join('\n');
}

async function sideBySide<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...list];
  const lane = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
