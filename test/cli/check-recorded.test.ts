// Everything that a check sends, byte by byte: names and versions of public packages to the public registry and to the server,
// those of a private registry to it alone, and each credential to its own host.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, it } from 'node:test';
import { createCli } from '../support/cli.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { type RecordedRequest, startRecorder } from '../support/recorder.ts';
import { scratchFolder } from '../support/scratch.ts';
import { startService } from '../support/service.ts';

const types = (text: string, manifest: object = {}) => ({
  manifest: { types: 'index.d.ts', main: 'index.js', ...manifest },
  files: { 'index.js': '', 'index.d.ts': text },
});
const twice = (text: string, manifest: object = {}): Versions => ({
  '1.0.0': types(`${text} export declare const b: number;`, manifest),
  '2.0.0': types(text, manifest),
});
const A = 'export declare const a: number;';

// What the project is, in names that stand nowhere else.
const SECRETS =
  /house-of-secrets|hush|plan-b|confidential|7\.7\.7|kitchen|larder|acme|own-core|linked-thing|gitgiver|elsewhere|nota-bene|x\.example|registry-recorded|\.ts\b|\.json\b(?! )|lockfile|master-branch|b0ss|\/tmp|homes?\//;

forEachEngine('what a check sends', (engine) => {
  it('names and versions, and nothing else of the project', async () => {
    const app = await engine.openTestApp({ env: { REGISTRY_EVIDENCE: 'off' } });
    const service = await startService(app);
    const open = await startNpmRegistry({
      lamp: twice(`${A} export { c } from 'bulb';`, { dependencies: { bulb: '^1.0.0' } }),
      bulb: twice(A),
      wire: twice(A),
    });
    const inside = await startNpmRegistry({
      '@acme/kit': twice(`${A} export { c } from 'own-core'; export { d } from 'wire';`, {
        dependencies: { 'own-core': '1', wire: '1' },
      }),
    });
    const [toOpen, toInside, toServer] = [
      await startRecorder(open.url),
      await startRecorder(inside.url),
      await startRecorder(service.url),
    ];
    const base = await scratchFolder('registry-recorded-');
    after(async () => {
      for (const one of [open, inside, toOpen, toInside, toServer]) one.close();
      await rm(base, { recursive: true, force: true });
    });
    const folder = join(base, 'house');
    const files: Record<string, string | object> = {
      'home/.npmrc': `@acme:registry=${toInside.url}\n//${toInside.host}/:_authToken=t0ken\n`,
      'house/package.json': {
        name: 'house-of-secrets',
        version: '7.7.7',
        description: 'hush',
        workspaces: ['rooms/*'],
      },
      'house/rooms/kitchen/package.json': { name: '@b0ss/kitchen', version: '7.7.7', dependencies: { lamp: '1' } },
      'house/src/plan-b.ts':
        "import { b } from 'lamp'; import { b as c } from '@acme/kit'; export const confidential = b + c;",
      'house/tsconfig.json': { compilerOptions: { strict: true, lib: ['es5'] } },
      'house/.registry-check.json': { ignore: [{ package: 'wire', reason: 'nota-bene' }] },
      'house/package-lock.json': lock('1.0.0', 'a'),
    };
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(base, path)), { recursive: true });
      await writeFile(join(base, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
    await mkdir(join(folder, 'node_modules/@b0ss'), { recursive: true });
    await symlink('../../rooms/kitchen', join(folder, 'node_modules/@b0ss/kitchen'));
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=b0ss', '-c', 'user.email=b0ss@x.example', ...args]);
    git('init', '-q', '-b', 'master-branch');
    git('add', '-A');
    git('commit', '-qm', 'nota-bene');
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock('2.0.0', 'b')));
    const env = {
      HOME: join(base, 'home'),
      REGISTRY_NPM_URL: toOpen.url,
      REGISTRY_API_URL: toServer.url,
      REGISTRY_API_KEY: ROOT_KEY,
      REGISTRY_EGRESS_ALLOW: [open, inside, toOpen, toInside].map(({ host }) => host).join(','),
    };
    const cli = await createCli(toServer.url);
    const run = (...args: string[]) => cli.run(['check', '--folder', folder, '--json', ...args], { env });

    const brought = JSON.parse((await run('--base', 'HEAD', '--indirect')).stdout);
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock('1.0.0', 'a')));
    const newer = JSON.parse((await run('--indirect', '--prove')).stdout);
    for (const { packages } of [brought, newer]) {
      const reasons = new Map(packages.map((row: { package: string; reason: string }) => [row.package, row.reason]));
      assert.match(String(reasons.get('lamp')), /`b` is no longer exported/);
      assert.match(String(reasons.get('@acme/kit')), /`b` is no longer exported/);
      assert.match(String(reasons.get('from-elsewhere')), /the project has it from npm\.x\.example/);
    }

    // The public registry hears the names of public packages, without any credential.
    assert.deepEqual([...new Set(toOpen.requests().map(({ line }) => line))].sort(), [
      'GET /bulb',
      'GET /bulb/-/bulb-1.0.0.tgz',
      'GET /lamp',
      'GET /lamp/-/lamp-1.0.0.tgz',
      'GET /lamp/-/lamp-2.0.0.tgz',
      'GET /wire',
      'GET /wire/-/wire-1.0.0.tgz',
      'GET /wire/-/wire-2.0.0.tgz',
    ]);
    assert.deepEqual(headerNames(toOpen.requests()), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    assert.doesNotMatch(toOpen.sent(), SECRETS);
    assert.doesNotMatch(toOpen.sent(), new RegExp(`t0ken|${ROOT_KEY}`));

    // The server hears questions of names, versions and ecosystem.
    const asked = toServer.requests();
    assert.deepEqual([...new Set(asked.map(({ line }) => line))], ['POST /v1/whats-changed/batch']);
    assert.ok(asked.every(({ headers }) => headers.authorization === `Bearer ${ROOT_KEY}`));
    for (const { body } of asked) {
      const { items, ...more } = JSON.parse(body);
      assert.deepEqual(more, {});
      assert.ok(items.length > 0);
      for (const item of items) {
        assert.deepEqual(Object.keys(item).sort(), ['ecosystem', 'from', 'package', 'to']);
        assert.match(item.package, /^(?:lamp|wire)$/);
        assert.deepEqual([item.ecosystem, item.from, item.to], ['npm', '1.0.0', '2.0.0']);
      }
    }
    assert.doesNotMatch(toServer.sent(), SECRETS);
    assert.doesNotMatch(toServer.sent(), /t0ken/);

    // The private registry hears of its own package, with its own token; what that needs is asked for nowhere.
    assert.deepEqual(
      [...new Set(toInside.requests().map(({ line }) => line))],
      ['GET /@acme%2Fkit', 'GET /@acme/kit/-/kit-1.0.0.tgz', 'GET /@acme/kit/-/kit-2.0.0.tgz'],
    );
    assert.ok(toInside.requests().every(({ headers }) => headers.authorization === 'Bearer t0ken'));
    assert.doesNotMatch(toInside.sent().replaceAll('acme', ''), SECRETS);
    assert.doesNotMatch(toInside.sent(), new RegExp(ROOT_KEY));
  });
});

function headerNames(requests: readonly RecordedRequest[]): string[] {
  return [...new Set(requests.flatMap(({ headers }) => Object.keys(headers)))].sort();
}

// The packages of the project at one of two times: public and private ones, a workspace, a link, a repository, an alias.
function lock(version: string, commit: string) {
  const root = {
    name: 'house-of-secrets',
    version: '7.7.7',
    dependencies: {
      lamp: '*',
      '@acme/kit': '*',
      'from-elsewhere': '*',
      gitgiver: 'git+https://x.example/gitgiver',
      'linked-thing': 'file:../linked-thing',
      'nota-bene': 'npm:wire@*',
    },
    workspaces: ['rooms/*'],
  };
  return {
    name: 'house-of-secrets',
    lockfileVersion: 3,
    packages: {
      '': root,
      'rooms/kitchen': { name: '@b0ss/kitchen', version: '7.7.7', dependencies: { lamp: '1' } },
      'node_modules/@b0ss/kitchen': { resolved: 'rooms/kitchen', link: true },
      'node_modules/lamp': { version },
      'node_modules/nota-bene': { name: 'wire', version },
      'node_modules/@acme/kit': { version },
      'node_modules/from-elsewhere': {
        version,
        resolved: `https://npm.x.example/from-elsewhere/-/from-elsewhere-${version}.tgz`,
      },
      'node_modules/gitgiver': { version: '1.0.0', resolved: `git+https://x.example/gitgiver#${commit.repeat(40)}` },
      'node_modules/linked-thing': { resolved: '../linked-thing', link: true },
      'node_modules/larder': { version, resolved: `https://npm.x.example/larder/-/larder-${version}.tgz` },
    },
  };
}
