// `registry compare` with two archives, and with a package registry beside it. No server is asked.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { packed } from '../../src/domain/archive/archive.fixture.ts';
import { createCli } from '../support/cli.ts';
import { scratchFolder } from '../support/scratch.ts';

const manifest = (version: string) => JSON.stringify({ name: 'lamp', version, types: 'index.d.ts', main: 'index.js' });
const OLD = packed({
  'package.json': manifest('1.0.0'),
  'index.js': '',
  'index.d.ts': 'export declare function on(level?: number): void; export declare function off(): void;',
});
const NEW = packed({
  'package.json': manifest('1.0.1'),
  'index.js': '',
  'index.d.ts': 'export declare function on(level: number): void;',
});

const EXPECTED = {
  status: 'compared',
  from: '1.0.0',
  to: '1.0.1',
  types: 'own',
  findings: [
    {
      kind: 'export_removed',
      name: 'off',
      subpath: '.',
      certainty: 'proven',
      was: 'function',
      is: null,
      text: '`off` is no longer exported',
      weight: 80,
      witness: {
        language: 'typescript',
        code: "import { off } from 'lamp';\n",
        error: `TS2305: Module '"lamp"' has no exported member 'off'.`,
      },
    },
    {
      kind: 'parameter_required',
      name: 'on',
      subpath: '.',
      certainty: 'likely',
      was: 'on(level?: number | undefined): void',
      is: 'on(level: number): void',
      text: '`on(level)` now needs `level`',
      weight: 80,
      witness: {
        language: 'typescript',
        code: "import { on } from 'lamp';\non();\n",
        error: 'TS2554: Expected 1 arguments, but got 0.',
      },
    },
  ],
  more: 0,
  counts: { proven: 1, likely: 1 },
};

test('two archives are compared without asking anybody', async (t) => {
  const folder = await scratchFolder('registry-compare-');
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [old, next] = [join(folder, 'old.tgz'), join(folder, 'new.tgz')];
  await writeFile(old, OLD);
  await writeFile(next, NEW);
  const cli = await createCli('http://127.0.0.1:9');
  const { comparedAt, ...answer } = JSON.parse((await cli.run(['compare', old, next, '--json'])).stdout);
  assert.deepEqual(answer, EXPECTED);
  assert.match(comparedAt, /^\d{4}-/);
  await writeFile(next, 'no archive');
  const failed = await cli.run(['compare', old, next]);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /new\.tgz cannot be read: the archive is not gzipped/);
});

test('published versions come from the package registry', async (t) => {
  const server = createServer(({ url = '' }, response) => {
    const archives: Record<string, Uint8Array> = { '/lamp-1.0.0.tgz': OLD, '/lamp-1.0.1.tgz': NEW };
    const archive = archives[url];
    if (archive) return void response.end(archive);
    if (url !== '/lamp') return void response.writeHead(404).end('{}');
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const version = (text: string, bytes: Uint8Array) => {
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      return { name: 'lamp', version: text, dist: { tarball: `${at}/lamp-${text}.tgz`, integrity } };
    };
    const versions = { '1.0.0': version('1.0.0', OLD), '1.0.1': version('1.0.1', NEW) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: 'lamp', 'dist-tags': { latest: '1.0.1', old: '1.0.0' }, versions, time: {} }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const env = { REGISTRY_NPM_URL: `http://127.0.0.1:${port}`, REGISTRY_EGRESS_ALLOW: `127.0.0.1:${port}` };
  const cli = await createCli('http://127.0.0.1:9');
  const { stdout } = await cli.run(['compare', 'lamp', 'old', 'latest', '--json'], { env });
  assert.deepEqual({ ...JSON.parse(stdout), comparedAt: undefined }, { ...EXPECTED, comparedAt: undefined });
  const unknown = await cli.run(['compare', 'lamp', '1.0.0', '9.9.9'], { env });
  assert.match(unknown.stderr, /lamp has no published version 9\.9\.9; its tags are latest, old/);
});
