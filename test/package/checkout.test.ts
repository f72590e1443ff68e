// A checkout after `npm ci --omit=dev`, for who only wants to see it: the sources with the packages that they run with, on the
// Node of the machine.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';

const ROOT = join(import.meta.dirname, '../..');
const NO_SOURCE = /\.(?:test|fixture)\.ts$/;

function makeCheckout(folder: string): void {
  for (const path of ['package.json', 'bin', 'src'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: (one) => !NO_SOURCE.test(one) });
  const { packages }: { packages: Record<string, { dev?: boolean; devOptional?: boolean }> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  );
  for (const [path, { dev }] of Object.entries(packages)) {
    if (dev || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
}

describe('a checkout without its development packages', () => {
  let folder: string;
  let env: Record<string, string>;

  before(async () => {
    folder = await scratchFolder('registry-checkout-');
    makeCheckout(folder);
    const bin = join(folder, 'machine');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    env = {
      PATH: [bin, '/usr/bin', '/bin'].join(delimiter),
      HOME: folder,
      TMPDIR: folder,
      REGISTRY_EMBEDDER: 'off',
      REGISTRY_LOG_LEVEL: 'error',
      REGISTRY_DRAIN_MS: '0',
      REGISTRY_PORT: String(await freePort()),
    };
  });
  after(() => rm(folder, { recursive: true, force: true }));

  // What `npm start` runs.
  function start(extra: Record<string, string> = {}) {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const child = spawn('sh', ['-c', scripts.start], { cwd: folder, env: { ...env, ...extra } });
    const said = { out: '', err: '' };
    child.stdout.on('data', (text) => {
      said.out += text;
    });
    child.stderr.on('data', (text) => {
      said.err += text;
    });
    return { child, said, ended: once(child, 'close') };
  }

  it('starts the sample', async () => {
    const { child, said, ended } = start();
    const isFilled = () => said.err.includes('now holds the packages') || said.out.includes('now holds the packages');
    while (!isFilled() && child.exitCode === null)
      await Promise.race([ended, once(child.stdout, 'data'), once(child.stderr, 'data')]);
    child.kill('SIGTERM');
    assert.deepEqual([isFilled(), await ended], [true, [0, null]], said.err);
  });

  it('says where a newer Node comes from when the one of the machine is too old', async () => {
    const older = join(folder, 'older.cjs');
    const pretended = "{ ...process.versions, node: '20.20.4' }";
    writeFileSync(older, `Object.defineProperty(process, 'versions', { value: ${pretended} });`);
    const { said, ended } = start({ NODE_OPTIONS: `--require=${older}` });

    assert.deepEqual(await ended, [1, null]);
    assert.equal(said.out, '');
    assert.equal(
      said.err,
      'registry: Node 24 or newer is needed, this is 20.20.4.\n' +
        'Install it from https://nodejs.org, or run `npm ci` in this folder without `--omit=dev`, which brings one.\n',
    );
  });
});
