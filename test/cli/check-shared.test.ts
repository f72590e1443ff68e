// `registry check` with a server that keeps its report at an address, and with a bill of materials in place of a lockfile.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, it } from 'node:test';
import { type Cli, createCli } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';
import { type Service, startService } from '../support/service.ts';

const types = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});
const LAMP: Versions = {
  '1.0.0': types('export declare function on(): void; export declare function off(): void;'),
  '2.0.0': types('export declare function on(): void;'),
};
const LOCKFILE = {
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { lamp: '*', same: '*', ghost: '*', ours: '*', forked: '*' } },
    'node_modules/lamp': { version: '1.0.0' },
    'node_modules/same': { version: '1.0.0' },
    'node_modules/ghost': { version: '1.0.0' },
    'node_modules/ours': { version: '1.0.0', resolved: 'https://npm.acme.example/ours/-/ours-1.0.0.tgz' },
    'node_modules/forked': { version: '1.0.0', resolved: 'git+ssh://git@code.example/forked.git#0123456' },
  },
};
const BILL = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { component: { 'bom-ref': 'root', name: 'shop', version: '1.0.0', purl: 'pkg:npm/shop@1.0.0' } },
  components: [
    { 'bom-ref': 'a', purl: 'pkg:npm/lamp@1.0.0' },
    { 'bom-ref': 'b', purl: 'pkg:npm/ours@1.0.0?repository_url=https://npm.acme.example' },
    { 'bom-ref': 'c', purl: 'pkg:maven/org.acme/lib@1.0' },
  ],
};

forEachEngine('a check and its server', (engine) => {
  let service: Service;
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let cli: Cli;
  let folder: string;
  let env: Record<string, string>;

  before(async () => {
    service = await startService(await engine.openTestApp({ env: { REGISTRY_EVIDENCE: 'off', REGISTRY_ASK: 'off' } }));
    registry = await startNpmRegistry({ lamp: LAMP, same: { '1.0.0': types('') } });
    env = { REGISTRY_API_URL: '', REGISTRY_NPM_URL: registry.url, REGISTRY_EGRESS_ALLOW: registry.host };
    cli = await createCli('');
    folder = await scratchFolder('registry-share-');
    const files = {
      'package.json': JSON.stringify({ name: 'house', dependencies: LOCKFILE.packages[''].dependencies }),
      'package-lock.json': JSON.stringify(LOCKFILE),
      'src/light.ts': "import { off } from 'lamp';\n\noff();\n",
      'bills/shop.json': JSON.stringify(BILL),
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  });
  after(async () => {
    await registry.close();
    await rm(folder, { recursive: true, force: true });
  });
  const run = (...args: string[]) =>
    cli.run(['check', '--folder', folder, '--notes', 'none', '--allow-incomplete', ...args], { env });

  it('a report is shared by its address: what public registries have listed, the rest is counted', async () => {
    const { code, stderr } = await run('--share', '--server', service.url);
    assert.equal(code, 0, stderr);
    const id = /^Shared: \S+\/reports\/([\w-]{22})$/m.exec(stderr)?.[1] ?? '';
    const token = /X-Deletion-Token: (rdt_\w+)' (\S+)$/m.exec(stderr);
    assert.equal(token?.[2], `${service.url}/v1/reports/${id}`);
    const { body, text } = await service.anonymous.get(`/v1/reports/${id}`);
    const rows = body.rows.map((row: Record<string, unknown>) => [row.package, row.from]);
    assert.deepEqual(rows.sort(), [
      ['lamp', '1.0.0'],
      ['same', '1.0.0'],
    ]);
    assert.deepEqual([body.kind, body.leftOut.private, body.leftOut.elsewhere], ['lockfile', 2, 1]);
    assert.doesNotMatch(text, /ghost|ours|forked|house/);

    const removed = { 'X-Deletion-Token': token?.[1] ?? '' };
    assert.equal((await service.anonymous.delete(`/v1/reports/${id}`, removed)).status, 204);
    assert.equal((await service.anonymous.get(`/v1/reports/${id}`)).status, 404);
  });

  it('a comment has the address and not the token, data has both', async () => {
    const comment = await run('--share', '--server', service.url, '--md');
    const [address] = /The whole report: \S+\/reports\/[\w-]{22}/.exec(comment.stdout) ?? [];
    assert.ok(address, comment.stdout);
    assert.doesNotMatch(comment.stdout, /rdt_/);
    const data = JSON.parse((await run('--share', '--server', service.url, '--json')).stdout);
    assert.match(data.shared.webUrl, new RegExp(`/reports/${data.shared.id}$`));
    assert.match(data.shared.deletionToken, /^rdt_/);
    assert.equal(JSON.parse((await run('--json')).stdout).shared, undefined);
  });

  it('a server has to be named, and one that makes no report costs nothing but the address', async () => {
    const unnamed = await run('--share');
    assert.deepEqual([unnamed.code, unnamed.stdout], [2, '']);
    assert.match(unnamed.stderr, /--share makes a report on a server, and none is named/);
    assert.equal((await run('--share', '--server', service.url, '--offline')).code, 2);
    const failed = await run('--share', '--server', registry.url);
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /^breaks\tlamp\t1\.0\.0\t2\.0\.0/m);
  });

  it('a bill of materials is checked in place of a lockfile, with the code of the folder', async () => {
    registry.seen.length = 0;
    const { code, stdout, stderr } = await run('--sbom', join(folder, 'bills/shop.json'), '--json');
    assert.equal(code, 0, stderr);
    const report = JSON.parse(stdout);
    assert.deepEqual([report.project, report.lockfile], ['shop.json', 'shop.json']);
    const [lamp, ours] = report.packages;
    assert.deepEqual([lamp.package, lamp.group, lamp.use.places[0].file], ['lamp', 'breaks_used', 'src/light.ts']);
    assert.deepEqual([ours.package, ours.to], ['ours', '?']);
    assert.ok(
      report.leftOut.includes('1 component is of other ecosystems or without a version, which are not compared here'),
      JSON.stringify(report.leftOut),
    );
    // What was asked before is kept; the project itself and the package of another registry are never asked for here.
    const asked = registry.seen.map(({ path }) => path);
    assert.deepEqual(
      asked.filter((path) => !/^lamp(?:\/|$)/.test(path)),
      [],
    );
    const other = await run('--sbom', join(folder, 'package-lock.json'));
    assert.equal(other.code, 1);
    assert.match(other.stderr, /package-lock\.json is no bill of materials in JSON/);
    assert.match((await run('--sbom', join(folder, 'none.json'))).stderr, /there is no file .*none\.json/);
    assert.equal((await run('--sbom', 'x', '--base', 'HEAD')).code, 2);
  });
});
