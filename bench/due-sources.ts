// Ten thousand due sources on two hundred hosts, and two worker processes that fetch them: fair to hosts, nothing twice
// at once, in steady memory. The second part kills one of the workers in the middle and starts another.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Context, transact } from '../src/context.ts';
import { createSource } from '../src/entities/sources/create.ts';
import { scheduleFetchJobs } from '../src/ingest/schedule/fetch-jobs.ts';
import { insertMany } from '../src/store/insert-many.ts';
import { type FeedServerReport, ITEMS } from './feed-server.ts';
import type { Figure } from './figures.ts';

const SOURCES = 10_000;
const HOSTS = 200;
const LIMIT_MS = 300_000;
const LOOK_MS = 250;
const DAY_MS = 86_400_000;
const RATE_TARGET = 30;
const MEMORY_TARGET = 1.25;
// A host may have its two places filled before all others had one.
const SHARE_TARGET = 2;
// Ten minutes a minute: a lease of five ends after half a minute.
const SPEED = 10;

export async function benchDueSources(): Promise<Figure[]> {
  return withOutside(async (outside) => {
    const workers = [outside.startWorker(), outside.startWorker()];
    const memory: number[] = [];
    const { seconds, fetched } = await outside.untilFetched(async () => {
      const sizes = await Promise.all(workers.map((worker) => ask<number>(worker)));
      memory.push(Math.max(...sizes));
    });
    const report = await outside.report();
    const share = largestShare(report.hosts, 5 * HOSTS) * HOSTS;
    const quarter = Math.ceil(memory.length / 4);
    const early = Math.max(...memory.slice(quarter, 2 * quarter));
    const late = Math.max(...memory.slice(-quarter));
    return [
      {
        name: 'due sources: fetched',
        value: fetched / seconds,
        unit: 'sources/s',
        target: `≥ ${RATE_TARGET}, all within ${LIMIT_MS / 60_000} min`,
        holds: fetched === SOURCES && fetched / seconds >= RATE_TARGET,
        detail: `${fetched} of ${SOURCES} on ${HOSTS} hosts in ${seconds.toFixed(0)} s, two workers, ${ITEMS} releases each`,
      },
      {
        name: 'due sources: turns of hosts',
        value: share,
        unit: 'times the fair share, at most',
        target: `≤ ${SHARE_TARGET}`,
        holds: share <= SHARE_TARGET,
        detail: `in any ${5 * HOSTS} fetches in a row; all hosts had a turn within the first ${turnsUntilAll(report.hosts)}`,
      },
      none('due sources: twice at once', report.overlaps, `seen by the server in ${report.hosts.length} requests`),
      {
        name: 'due sources: requests to a host at once',
        value: report.mostAtOnce,
        unit: 'at most',
        target: '≤ 2',
        holds: report.mostAtOnce <= 2,
        detail: 'over both workers',
      },
      {
        name: 'memory during fetching',
        value: late / early,
        unit: 'last quarter against second',
        target: `≤ ${MEMORY_TARGET}`,
        holds: late / early <= MEMORY_TARGET,
        detail: `${Math.round(early / 1e6)} MB → ${Math.round(late / 1e6)} MB resident at most, the larger worker`,
      },
    ];
  });
}

export async function benchSourceFaults(): Promise<Figure[]> {
  return withOutside(async (outside) => {
    const survivor = outside.startWorker(SPEED);
    const doomed = outside.startWorker(SPEED);
    let killedAt: number | null = null;
    const { seconds, fetched } = await outside.untilFetched(async (done) => {
      if (killedAt !== null || done < SOURCES * 0.4) return;
      killedAt = done;
      doomed.kill('SIGKILL');
      outside.startWorker(SPEED);
    });
    await ask(survivor);
    const { requested, repeated } = {
      requested: (await outside.report()).hosts.length,
      repeated: await duplicates(outside.ctx),
    };
    const [releases, validators] = [
      await count(outside.ctx, 'releases'),
      await count(outside.ctx, 'source_validators'),
    ];
    const story = `one of two workers killed at ${killedAt} of ${SOURCES}, another started; ${seconds.toFixed(0)} s`;
    return [
      none('worker killed: sources not fetched', SOURCES - fetched, story),
      none('worker killed: releases lost', SOURCES * ITEMS - releases, `${releases} stored`),
      none('worker killed: releases stored twice', repeated, `${requested - SOURCES} fetches were repeated`),
      none('worker killed: validators lost', SOURCES - validators, `${validators} stored`),
    ];
  });
}

function none(name: string, value: number, detail: string): Figure {
  return { name, value, unit: '', target: '0', holds: value === 0, detail };
}

interface Outside {
  ctx: Context;
  startWorker(speed?: number): ChildProcess;
  report(): Promise<FeedServerReport>;
  // Looks again and again until every source was read, or the time is over.
  untilFetched(look: (done: number) => Promise<void>): Promise<{ seconds: number; fetched: number }>;
}

async function withOutside(work: (outside: Outside) => Promise<Figure[]>): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const env = {
    REGISTRY_DATA_DIR: folder,
    REGISTRY_LOG_LEVEL: 'warn',
    REGISTRY_EGRESS_ALLOW: '127.0.0.0/8',
    REGISTRY_HOST_DELAY_MS: '0',
    REGISTRY_EMBEDDER: 'off',
  };
  const { ctx, close } = await createApp(readConfig(env));
  const children: ChildProcess[] = [];
  const start = (file: string, ...args: string[]) => {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { env: { ...process.env, ...env } });
    children.push(child);
    return child;
  };
  try {
    await ctx.store.migrate();
    const server = start('./feed-server.ts', String(HOSTS));
    const [ports] = (await once(server, 'message')) as [number[]];
    await makeSources(ctx, ports);
    const begin = Date.now();
    const outside: Outside = {
      ctx,
      startWorker: (speed = 1) => start('./fetch-worker.ts', String(begin), String(speed)),
      report: () => ask(server),
      untilFetched: async (look) => {
        const started = performance.now();
        for (;;) {
          const fetched = await fetchedSources(ctx);
          await look(fetched);
          const spent = performance.now() - started;
          if (fetched === SOURCES || spent > LIMIT_MS) return { seconds: spent / 1000, fetched };
          await sleep(LOOK_MS);
        }
      },
    };
    return await work(outside);
  } finally {
    await Promise.all(children.map(stop));
    await close();
    rmSync(folder, { recursive: true });
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(late);
}

async function ask<T>(child: ChildProcess): Promise<T> {
  const answered = once(child, 'message') as Promise<[T]>;
  child.send('report');
  return (await answered)[0];
}

// Rows like those that the service makes, polled a day ago: all are due, and none is spread over time as an import is.
async function makeSources(ctx: Context, ports: readonly number[]): Promise<void> {
  const { id } = await createSource(ctx, { name: 'Model', url: 'https://feeds.example', type: 'feed' });
  const model = await ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const polled = new Date(Date.now() - DAY_MS).toISOString();
  const rows = Array.from({ length: SOURCES }, (_, index) => {
    const name = `feed-${index}`;
    const url = `http://127.0.0.1:${ports[index % ports.length]}/${name}`;
    return {
      ...model,
      id: `src_${name.replace('-', '')}`,
      slug: name,
      name,
      name_key: name,
      url,
      url_key: url,
      feed_url: url,
      last_polled_at: polled,
    };
  });
  await transact(ctx, async ({ tx }) => {
    await tx.deleteFrom('sources').where('id', '=', id).execute();
    for (let from = 0; from < rows.length; from += 500) await insertMany(tx, 'sources', rows.slice(from, from + 500));
  });
  await scheduleFetchJobs(ctx);
}

async function fetchedSources(ctx: Context): Promise<number> {
  const row = await ctx.store.read
    .selectFrom('sources')
    .select(({ fn }) => fn.count('last_fetched_at').as('fetched'))
    .executeTakeFirstOrThrow();
  return Number(row.fetched);
}

async function count(ctx: Context, table: 'releases' | 'source_validators'): Promise<number> {
  const row = await ctx.store.read
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(row.rows);
}

async function duplicates(ctx: Context): Promise<number> {
  const rows = await ctx.store.read
    .selectFrom('releases')
    .select('guid')
    .groupBy(['source_id', 'guid'])
    .having(({ fn }) => fn.countAll(), '>', 1)
    .execute();
  return rows.length;
}

// The most requests to one host in any window of consecutive requests.
function largestShare(hosts: readonly number[], window: number): number {
  const counts = new Map<number, number>();
  let most = 0;
  hosts.forEach((host, index) => {
    counts.set(host, (counts.get(host) ?? 0) + 1);
    const left = hosts[index - window];
    if (left !== undefined) counts.set(left, (counts.get(left) ?? 1) - 1);
    most = Math.max(most, counts.get(host) ?? 0);
  });
  return most / window;
}

function turnsUntilAll(hosts: readonly number[]): number {
  const seen = new Set<number>();
  for (const [index, host] of hosts.entries()) {
    seen.add(host);
    if (seen.size === HOSTS) return index + 1;
  }
  return hosts.length;
}
