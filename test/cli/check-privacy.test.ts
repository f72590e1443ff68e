// What leaves the machine while a project is checked: names and versions of packages, each to its own registry, and every
// credential to its own host.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { createCli } from '../support/cli.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const types = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});
const KIT: Versions = {
  '1.0.0': types('export declare const a: number; export declare const b: number;'),
  '2.0.0': types('export declare const a: number;'),
};
const UNTYPED: Versions = {
  '1.0.0': { files: { 'index.js': '' } },
  '2.0.0': { files: { 'index.js': 'exports.a = 1' } },
};

async function project(files: Record<string, string | object>): Promise<string> {
  const folder = await scratchFolder('registry-check-');
  after(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

function lockfile(installed: Record<string, { version: string; resolved?: string }>) {
  const dependencies = Object.fromEntries(Object.keys(installed).map((name) => [name, '*']));
  const entries = Object.entries(installed).map(([name, entry]) => [`node_modules/${name}`, entry]);
  return { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(entries) } };
}

test('a private package is named to its own registry alone, and its token goes nowhere else', async () => {
  const stranger = await startNpmRegistry({ '@acme/foreign': KIT });
  const open = await startNpmRegistry({ lamp: KIT });
  const secret = await startNpmRegistry(
    { '@acme/kit': KIT, '@acme/plain': UNTYPED },
    {
      before: ({ url = '' }, response) => {
        if (!url.includes('moved')) return false;
        response.writeHead(302, { location: `${stranger.url}/@acme%2fmoved` }).end();
        return true;
      },
    },
  );
  const foreign = await startNpmRegistry({ '@acme/foreign': KIT }, { archivesAt: stranger.url });
  const server = await startNpmRegistry({});
  for (const one of [stranger, open, secret, foreign, server]) after(one.close);
  const home = await project({
    '.npmrc': [
      `@acme:registry=${secret.url}`,
      `//${secret.host}/:_authToken=t0ken`,
      `@far:registry=${foreign.url}`,
      `//${foreign.host}/:_authToken=other`,
    ].join('\n'),
  });
  const folder = await project({
    'package.json': { name: 'house-of-secrets' },
    'src/secret-plan.ts': "import { b } from '@acme/kit'; export const plan = b;",
    'package-lock.json': lockfile({
      '@acme/kit': { version: '1.0.0' },
      '@acme/plain': { version: '1.0.0' },
      '@acme/moved': { version: '1.0.0' },
      'from-elsewhere': { version: '1.0.0', resolved: 'https://npm.inside.example/from-elsewhere/-/x-1.0.0.tgz' },
      lamp: { version: '1.0.0' },
    }),
  });
  const hosts = [stranger, open, secret, foreign, server].map(({ host }) => host).join(',');
  const env = { HOME: home, REGISTRY_NPM_URL: open.url, REGISTRY_EGRESS_ALLOW: hosts, REGISTRY_API_URL: server.url };
  const cli = await createCli(server.url);
  const { code, stdout } = await cli.run(['check', '--folder', folder, '--json'], { env });
  const { packages, incomplete } = JSON.parse(stdout);
  assert.equal(code, 3);
  const reasons = Object.fromEntries(
    packages.map((row: { package: string; reason: string }) => [row.package, row.reason]),
  );
  assert.match(reasons['from-elsewhere'], /the project has it from npm\.inside\.example, and no \.npmrc names it/);
  assert.match(reasons['@acme/moved'], /302/);
  assert.equal(reasons['@acme/kit'], '`b` is no longer exported');
  assert.equal(incomplete.length, 3);
  // Nobody but the registry of the scope hears of it, not even for declarations of others.
  const heard = [...open.seen, ...stranger.seen, ...server.seen].map(({ path }) => path).join(' ');
  assert.doesNotMatch(heard, /acme|elsewhere|secret|plan/);
  assert.ok(secret.seen.every(({ authorization }) => authorization === 'Bearer t0ken'));
  assert.ok([...open.seen, ...stranger.seen, ...server.seen].every(({ authorization }) => !authorization));
});

test('an archive at another host gets no token', async () => {
  const stranger = await startNpmRegistry({ '@far/kit': KIT });
  const home = await startNpmRegistry({ '@far/kit': KIT }, { archivesAt: stranger.url });
  after(stranger.close);
  after(home.close);
  // The stranger makes its archives when it is asked for the listing.
  await fetch(`${stranger.url}/@far%2fkit`);
  const user = await project({ '.npmrc': `@far:registry=${home.url}\n//${home.host}/:_authToken=t0ken` });
  const folder = await project({ 'package-lock.json': lockfile({ '@far/kit': { version: '1.0.0' } }) });
  const env = { HOME: user, REGISTRY_API_URL: '', REGISTRY_EGRESS_ALLOW: `${stranger.host},${home.host}` };
  const cli = await createCli('');
  const { stdout } = await cli.run(['check', '--folder', folder, '--json'], { env });
  assert.equal(JSON.parse(stdout).packages[0].judgement, 'breaks');
  assert.ok(stranger.seen.some(({ path }) => path.endsWith('.tgz')));
  assert.ok(stranger.seen.every(({ authorization }) => authorization === undefined));
});

test('only names and versions pass a proxy', async () => {
  const registry = await startNpmRegistry({ lamp: KIT });
  after(registry.close);
  const recorded: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    const [, port] = url.split(':');
    const target = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.on('data', (bytes: Buffer) => void recorded.push(bytes.toString('latin1')));
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  after(() => void proxy.close());
  const folder = await project({
    'package.json': { name: 'house-of-secrets', version: '7.7.7', description: 'hush' },
    'src/plan.ts': "import { b } from 'lamp'; export const confidential = b;",
    'package-lock.json': lockfile({ lamp: { version: '1.0.0' } }),
  });
  const { port } = proxy.address() as AddressInfo;
  const env = {
    REGISTRY_API_URL: '',
    REGISTRY_NPM_URL: registry.url.replace('127.0.0.1', 'npm.example'),
    REGISTRY_EGRESS_ALLOW: registry.host.replace('127.0.0.1', 'npm.example'),
    HTTP_PROXY: `http://127.0.0.1:${port}`,
  };
  const cli = await createCli('');
  const { code, stderr } = await cli.run(['check', '--folder', folder, '--json'], { env });
  assert.deepEqual([code, stderr], [0, '']);
  const sent = recorded.join('');
  const lines = sent.split('\r\n').filter((line) => /^GET /.test(line));
  assert.deepEqual([...new Set(lines)].sort(), [
    'GET /lamp HTTP/1.1',
    'GET /lamp/-/lamp-1.0.0.tgz HTTP/1.1',
    'GET /lamp/-/lamp-2.0.0.tgz HTTP/1.1',
  ]);
  const names = new Set(sent.split('\r\n').flatMap((line) => /^([\w-]+): /.exec(line)?.[1]?.toLowerCase() ?? []));
  assert.deepEqual([...names].sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  assert.doesNotMatch(sent, /house|hush|plan|confidential|7\.7\.7/);
});

test('a name of a commit is no option of git', async () => {
  const folder = await project({ 'package-lock.json': lockfile({}) });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
  const cli = await createCli('');
  const outside = join(folder, 'written');
  for (const ref of [`--output=${outside}`, '--help', '-p', 'nothing', 'HEAD:package-lock.json']) {
    const { code, stderr } = await cli.run(['check', '--folder', folder, `--base=${ref}`], {
      env: { REGISTRY_API_URL: '' },
    });
    assert.equal(code, 1);
    assert.ok(stderr.includes(`git knows no commit "${ref}"`), stderr);
  }
  const { code, stdout } = await cli.run(['check', '--folder', folder, '--base', 'HEAD'], {
    env: { REGISTRY_API_URL: '' },
  });
  assert.equal(code, 0);
  assert.match(stdout, /^The lockfile is the same as at HEAD \([0-9a-f]{7}\): no package changes\./);
});
