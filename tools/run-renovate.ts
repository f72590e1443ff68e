// Runs the real Renovate against a registry of its own on this machine, with the settings of docs/renovate.md, and checks what
// it asks and what it makes of the answers: levels of confidence, and versions by the custom datasource. It is no part of `npm test`, because Renovate is large:
//   npm install --prefix /tmp/renovate --ignore-scripts renovate@44.121.2
//   npm run renovate -- /tmp/renovate
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT_KEY = 'root-key-of-this-run-alone-32-chars-long';
const DAY_MS = 86_400_000;

interface Package {
  name: string;
  // Notes by version; every version before the last is a month old.
  notes: Record<string, string>;
  ageDays?: number;
}

const FIXED = '### Fixed\n- A crash on start of the second window';
const PACKAGES: readonly Package[] = [
  { name: 'quiet-lib', notes: { '1.0.0': FIXED, '1.0.1': FIXED, '1.0.2': FIXED } },
  { name: '@demo/broken', notes: { '1.0.0': FIXED, '1.0.1': FIXED, '1.1.0': '### Breaking\n- `open()` was removed' } },
  { name: 'fresh-lib', notes: { '1.0.0': FIXED, '1.0.1': FIXED }, ageDays: 1 },
  { name: 'unknown-lib', notes: {} },
];
const VERSIONS = ['1.0.0', '1.0.1'];

interface Asked {
  path: string;
  status: number;
  ms: number;
}

const closing: (() => unknown)[] = [];

async function main([folder]: readonly string[]): Promise<void> {
  if (!folder) throw new Error('usage: node tools/run-renovate.ts <folder with renovate installed>');
  const renovate = resolve(folder, 'node_modules/renovate/dist/renovate.js');
  const temp = await mkdtemp(join(tmpdir(), 'renovate-'));
  closing.push(() => rm(temp, { recursive: true, force: true }));
  const npm = await listen(npmRegistry());
  const registry = await startRegistry(temp, npm);
  await fill(registry);
  const asked: Asked[] = [];
  const proxy = await listen(recorder(registry, asked));
  const updates = await runRenovate(renovate, { temp, npm, endpoint: `${proxy}/bots/renovate` });
  report(asked, updates);
}

// npm documents of the packages above.
function npmRegistry(): RequestListener {
  return (request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    const found = PACKAGES.find((one) => one.name === name);
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(found ? npmDocument(found) : {}));
  };
}

function npmDocument({ name, notes, ageDays = 30 }: Package) {
  const versions = Object.keys(notes).length > 0 ? Object.keys(notes) : VERSIONS;
  const latest = versions.at(-1) ?? '';
  const age = (version: string) => (version === latest ? ageDays : 60) * DAY_MS;
  return {
    name,
    'dist-tags': { latest },
    versions: Object.fromEntries(versions.map((version) => [version, { name, version, dist: {} }])),
    time: Object.fromEntries(versions.map((version) => [version, new Date(Date.now() - age(version)).toISOString()])),
  };
}

async function startRegistry(temp: string, npm: string): Promise<string> {
  const port = new URL(await listen(() => {}, true)).port;
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [resolve('bin/registry.mjs'), 'serve', '--port', port], {
    env: {
      ...process.env,
      REGISTRY_DATA_DIR: join(temp, 'data'),
      REGISTRY_BASE_URL: url,
      REGISTRY_ROOT_KEY: ROOT_KEY,
      REGISTRY_NPM_URL: npm,
      REGISTRY_EGRESS_ALLOW: '127.0.0.1',
      // Notes alone decide, so that nothing has to be downloaded.
      REGISTRY_EVIDENCE: 'off',
      REGISTRY_SAMPLE: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  closing.push(async () => {
    child.kill();
    await once(child, 'close');
  });
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${url}/ready`).catch(() => null);
    if (answer?.ok) return url;
    await sleep(100);
  }
  throw new Error('the registry did not start');
}

async function fill(registry: string): Promise<void> {
  const call = async (method: string, path: string, body: unknown) => {
    const headers = { Authorization: `Bearer ${ROOT_KEY}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${registry}/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const told = (await answer.json()) as { id: string };
    assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(told)}`);
    return told;
  };
  const org = await call('POST', '/orgs', { name: 'Demo' });
  for (const [index, one] of PACKAGES.entries()) {
    if (Object.keys(one.notes).length === 0) continue;
    const url = `https://notes.example/${index}.xml`;
    const source = await call('POST', '/sources', { orgId: org.id, name: one.name, type: 'feed', url });
    const releases = Object.entries(one.notes).map(([version, content], day) => {
      const publishedAt = new Date(Date.now() - (60 - day) * DAY_MS).toISOString();
      return { version, content, publishedAt, url: `https://notes.example/${index}/${version}` };
    });
    await call('POST', `/sources/${source.id}/releases/batch`, { releases, silent: true });
    await call('PUT', '/packages', { ecosystem: 'npm', name: one.name, sourceId: source.id });
    await call('POST', '/admin/packages/read', { ecosystem: 'npm', name: one.name });
  }
}

// Passes questions on and notes what was asked and how long the answer took.
function recorder(target: string, asked: Asked[]): RequestListener {
  return (request: IncomingMessage, response) => {
    const started = performance.now();
    const { authorization = '' } = request.headers;
    fetch(`${target}${request.url}`, { headers: { authorization } })
      .then(async (answer) => {
        asked.push({ path: request.url ?? '', status: answer.status, ms: performance.now() - started });
        response.writeHead(answer.status, { 'Content-Type': 'application/json' });
        response.end(await answer.text());
      })
      .catch((error) => response.destroy(error));
  };
}

interface Update {
  // `npm` by package.json, `regex` by the custom datasource.
  manager: string;
  changelogUrl: string | null;
  package: string;
  newVersion: string;
  mergeConfidenceLevel?: string;
  pendingChecks?: boolean;
}

async function runRenovate(
  renovate: string,
  { temp, npm, endpoint }: { temp: string; npm: string; endpoint: string },
): Promise<Update[]> {
  const project = join(temp, 'project');
  await mkdir(project, { recursive: true });
  const dependencies = Object.fromEntries(PACKAGES.map(({ name }) => [name, '1.0.0']));
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', version: '1.0.0', dependencies }));
  const pins = PACKAGES.map(({ name }) => `${name} 1.0.0\n`);
  await writeFile(join(project, 'versions.txt'), pins.join(''));
  const config = {
    ...(await settingsOfGuide(new URL(endpoint).origin)),
    npmrc: `registry=${npm}/\n`,
    enabledManagers: ['npm', 'custom.regex'],
    onboarding: false,
    requireConfig: 'ignored',
  };
  const file = join(temp, 'renovate.json');
  await writeFile(file, JSON.stringify(config));
  const child = spawn(process.execPath, [renovate, '--platform=local'], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: temp,
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'json',
      RENOVATE_CONFIG_FILE: file,
      RENOVATE_BASE_DIR: join(temp, 'base'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [told, errors] = [text(child.stdout), text(child.stderr)];
  await once(child, 'close');
  const lines = (await told).split('\n').filter((line) => line.startsWith('{'));
  const entries = lines.map((line) => JSON.parse(line) as LogEntry);
  // It ends with a fault on a newer Node than it names, after all its work.
  const faults = entries.filter(({ level, msg }) => level >= 50 && !msg.startsWith('Unsupported node environment'));
  assert.deepEqual(faults, [], (await errors).slice(-2000));
  return updatesIn(entries);
}

// The settings that the guide gives, for this registry instead of its example.
async function settingsOfGuide(origin: string): Promise<Record<string, unknown>> {
  const guide = await readFile(resolve('docs/renovate.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = '']) => {
    return JSON.parse(block.replaceAll('https://registry.example.com', origin)) as Record<string, unknown>;
  });
  const wanted = ['mergeConfidenceEndpoint', 'internalChecksFilter', 'customDatasources'];
  const chosen = wanted.map((key) => blocks.find((block) => key in block));
  assert.ok(
    chosen.every((block) => block !== undefined),
    'docs/renovate.md lacks a block of settings',
  );
  // A level is asked for only where a rule names one.
  const packageRules = [
    ...chosen.flatMap((block) => block?.packageRules ?? []),
    { matchConfidence: ['high'], addLabels: ['sure'] },
  ];
  return Object.assign({}, ...chosen, { packageRules });
}

interface FoundDependency {
  depName: string;
  updates?: Omit<Update, 'package' | 'manager'>[];
  changelogUrl?: string;
  warnings?: unknown[];
}

interface LogEntry {
  level: number;
  msg: string;
  config?: Record<string, { deps: FoundDependency[] }[]>;
}

// What Renovate logs of the updates that it found.
function updatesIn(entries: readonly LogEntry[]): Update[] {
  return entries
    .filter(({ msg }) => msg === 'packageFiles with updates')
    .flatMap(({ config }) => Object.entries(config ?? {}))
    .flatMap(([manager, files]) => files.flatMap(({ deps }) => deps.map((dep) => ({ manager, ...dep }))))
    .flatMap(({ manager, depName, updates = [], changelogUrl = null }) =>
      updates.map((update) => ({ ...update, manager, changelogUrl, package: depName })),
    );
}

function report(asked: readonly Asked[], updates: readonly Update[]): void {
  const slowest = Math.max(...asked.map(({ ms }) => ms));
  const found = updates.map(
    ({ manager, package: name, newVersion, mergeConfidenceLevel, pendingChecks, changelogUrl }) => {
      const level = { mergeConfidenceLevel, pendingChecks: pendingChecks ?? false };
      return { manager, package: name, newVersion, ...level, changelogUrl };
    },
  );
  console.log(`${asked.length} questions, the slowest ${Math.round(slowest)} ms`);
  for (const { path, status } of asked) console.log(`  ${status} ${path}`);
  console.table(found);
  const unknown = '/bots/renovate/npm/unknown-lib';
  assert.ok(asked.every(({ path, status, ms }) => status === (path === unknown ? 404 : 200) && ms < 2000));
  assert.ok(asked.some(({ path }) => path === '/bots/renovate/api/mc/availability'));
  assert.ok(asked.some(({ path }) => path.includes('/api/mc/json/npm/@demo%2fbroken/1.0.0/1.1.0')));
  const of = (name: string, manager = 'npm') => found.filter((one) => one.package === name && one.manager === manager);
  assert.deepEqual(
    of('quiet-lib').map((one) => [one.mergeConfidenceLevel, one.pendingChecks]),
    [['high', false]],
  );
  // The newest version that is sure enough is offered instead of the one that breaks.
  assert.ok(of('@demo/broken').every((one) => one.newVersion !== '1.1.0' || one.pendingChecks));
  assert.ok(of('fresh-lib').every((one) => one.pendingChecks));
  assert.ok(of('unknown-lib').every((one) => one.pendingChecks));
  // Versions from here: the newest one of each known package, with its page as the changelog.
  for (const name of ['quiet-lib', '@demo/broken']) {
    assert.ok(
      asked.some(({ path }) => path === `/bots/renovate/npm/${name}`),
      name,
    );
    const [newest, ...more] = of(name, 'regex');
    assert.deepEqual(
      [newest?.newVersion, newest?.pendingChecks, more],
      [name === 'quiet-lib' ? '1.0.2' : '1.1.0', false, []],
    );
    assert.ok(newest?.changelogUrl?.endsWith(`/packages/npm/${name}`), name);
  }
  assert.deepEqual(of('unknown-lib', 'regex'), []);
  console.log('as expected');
}

async function listen(handler: RequestListener, isFreed = false): Promise<string> {
  const server: Server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (isFreed) server.close();
  else closing.push(() => server.close());
  return url;
}

try {
  await main(process.argv.slice(2));
} finally {
  for (const close of closing.toReversed()) await close();
}
