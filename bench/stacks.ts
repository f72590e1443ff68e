// The report on a stack of 5,000 packages from stored answers, as a person or a build asks for it: on a small and a large
// registry, and on the second engine. Half of the packages have a source, so that what is stored are answers as they are.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintApiKey } from '../src/accounts/api-keys/manage.ts';
import { onBehalfOf } from '../src/accounts/on-behalf-of.ts';
import { putStack } from '../src/accounts/stacks/manage.ts';
import { readReport } from '../src/accounts/stacks/report.ts';
import { createApp } from '../src/app.ts';
import { generateRegistry } from '../src/cli/generate-registry.ts';
import { readConfig } from '../src/config.ts';
import { type Context, now, transact } from '../src/context.ts';
import { MAX_STACK_PACKAGES } from '../src/contract/stack.ts';
import { newId } from '../src/domain/ids.ts';
import type { StackedPackage } from '../src/domain/stacks/locked-list.ts';
import { insertMany } from '../src/store/insert-many.ts';
import type { PackageRow } from '../src/store/schema/repositories.ts';
import { createDatabase, startPostgres } from '../test/support/postgres.ts';
import { type Figure, median } from './figures.ts';
import { processorMsOf } from './processor-time.ts';
import { startService } from './service.ts';

const MAX_MS = 300;
const WARM_UP = 10;
const ROUNDS = 41;
const RELEASES_ON_POSTGRES = 2000;
const USER = 'user_bench_stacks';
const STACK = 'bench';
const PREFIX = 'bench-stacked-';

export async function benchStacks(small: string, large: string): Promise<Figure[]> {
  return [
    ...(await measured('small', { REGISTRY_DATA_DIR: small })),
    ...(await measured('large', { REGISTRY_DATA_DIR: large })),
    ...(await onPostgres()),
  ];
}

async function onPostgres(): Promise<Figure[]> {
  const server = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  try {
    const { url } = await createDatabase(server.url);
    const env = { REGISTRY_DATABASE_URL: url, REGISTRY_DATA_DIR: folder };
    await withContext(env, (ctx) => generateRegistry(ctx, { releases: RELEASES_ON_POSTGRES }));
    return await measured('PostgreSQL', env);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

type Env = Record<string, string> & { REGISTRY_DATA_DIR: string };

async function withContext<T>(env: Env, work: (ctx: Context) => Promise<T>): Promise<T> {
  const config = readConfig({ REGISTRY_LOG_LEVEL: 'warn', REGISTRY_EMBEDDER: 'off', ...env });
  const { ctx, close } = await createApp(config);
  try {
    await ctx.store.migrate();
    return await work(ctx);
  } finally {
    await close();
  }
}

async function measured(name: string, env: Env): Promise<Figure[]> {
  const key = await withContext(env, fillStack);
  const service = await startService(env.REGISTRY_DATA_DIR, env);
  try {
    const api = await rounds(service.pid, `${service.url}/v1/me/stacks/${STACK}/report`, key);
    const detail = `${MAX_STACK_PACKAGES} packages, ${(api.bytes / 1e6).toFixed(1)} MB, median of ${ROUNDS}`;
    const figure = (kind: string, value: number, unit: string): Figure => {
      const target = `≤ ${MAX_MS}`;
      return { name: `stack report, ${kind}, ${name}`, value, unit, target, holds: value <= MAX_MS, detail };
    };
    return [figure('work', api.processorMs, 'ms of processor time'), figure('time', api.ms, 'ms p50')];
  } finally {
    await service.stop();
    await withContext(env, removeStack);
  }
}

async function rounds(pid: number, url: string, key: string) {
  const ask = async () => {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'gzip' } });
    const { byteLength } = await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    return byteLength;
  };
  let bytes = 0;
  for (let round = 0; round < WARM_UP; round += 1) bytes = await ask();
  const [works, times]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [worked, started] = [processorMsOf(pid), performance.now()];
    await ask();
    times.push(performance.now() - started);
    works.push(processorMsOf(pid) - worked);
  }
  return { bytes, processorMs: median(works), ms: median(times) };
}

// Returns a key that opens the stack, whose packages are all judged.
async function fillStack(ctx: Context): Promise<string> {
  await removeStack(ctx);
  const at = now(ctx);
  const user = { id: USER, name: 'Bench', email: 'stacks@bench.example', created_at: at, updated_at: at };
  await transact(ctx, ({ tx }) =>
    tx
      .insertInto('users')
      .values({ ...user, email_verified: 1 })
      .execute(),
  );
  const owner = onBehalfOf(ctx, USER);
  await putStack(owner, { name: STACK, packages: [...(await trackedPackages(ctx)), ...untrackedPackages()] });
  while ((await readReport(owner, { name: STACK })).stack.counts.pending > 0);
  return (await mintApiKey(owner, { name: 'bench', scope: 'stacks' })).key;
}

const HALF = MAX_STACK_PACKAGES / 2;

// Names of the map, each installed somewhere between the first and the newest version of its source.
async function trackedPackages(ctx: Context): Promise<StackedPackage[]> {
  const sources = await ctx.store.read.selectFrom('sources').select('id').orderBy('id').limit(HALF).execute();
  const at = now(ctx);
  const packages: StackedPackage[] = [];
  const rows: PackageRow[] = [];
  for (let index = 0; index < HALF; index += 1) {
    const source = sources[index % sources.length];
    if (!source) throw new Error('the registry has no sources');
    const [installed] = await ctx.store.read
      .selectFrom('releases')
      .select('version')
      .where('source_id', '=', source.id)
      .where('version', 'is not', null)
      .orderBy('published_at', 'desc')
      .offset(index % 7)
      .limit(1)
      .execute();
    const name = `${PREFIX}${index}`;
    const entry = { id: newId('pkg', ctx.randomBytes), ecosystem: 'pypi' as const, name, source_id: source.id };
    rows.push({ ...entry, package_part: null, origin: 'operator' as const, created_at: at, updated_at: at });
    packages.push({
      ecosystem: 'pypi' as const,
      package: name,
      version: installed?.version?.replace(/^v/, '') ?? '1.0.0',
    });
  }
  await transact(ctx, ({ tx }) => insertMany(tx, 'packages', rows));
  return packages;
}

function untrackedPackages(): StackedPackage[] {
  return Array.from({ length: HALF }, (_, index) => ({
    ecosystem: 'npm' as const,
    package: `${PREFIX}unknown-${index}`,
    version: `${index % 5}.${index % 11}.0`,
  }));
}

// The registry is kept for other parts.
async function removeStack(ctx: Context): Promise<void> {
  await transact(ctx, async ({ tx }) => {
    await tx.deleteFrom('users').where('id', '=', USER).execute();
    await tx.deleteFrom('packages').where('name', 'like', `${PREFIX}%`).execute();
  });
}
