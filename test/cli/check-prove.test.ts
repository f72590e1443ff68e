// `registry check --prove`: what it says before it begins, and what is left when it is stopped.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { startRegistry } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';

const types = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});
const LAMP: Versions = {
  '1.0.0': types('export declare function on(level?: number): void;'),
  '2.0.0': types('export declare function on(level: number): void;'),
};
const of = (manifest: object, text: string) => ({ ...types(text), manifest: { ...types(text).manifest, ...manifest } });
// A change that no comparison can decide.
const SIGN: Versions = {
  '1.0.0': of({ engines: { node: '>=18' } }, 'export declare function read<T>(x: T): T extends string ? 1 : 2;'),
  '2.0.0': of({ engines: { node: '>=20' } }, 'export declare function read<T>(x: T): T extends string ? 3 : 4;'),
};

// The same, with notes of a security fix.
const NOTES =
  '# Changelog\n\n## 2.0.0\n\n### Security\n\n- Fixed CVE-2026-11111, a crash by long texts\n\n## 1.0.0\n\n- First\n';
const LOCK: Versions = {
  ...SIGN,
  '2.0.0': { ...SIGN['2.0.0'], files: { ...SIGN['2.0.0']?.files, 'CHANGELOG.md': NOTES } },
};

describe('registry check --prove', () => {
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let base: string;
  // Archives of wire that may still be had; what is asked for after that is never answered.
  let left = Number.POSITIVE_INFINITY;
  let onHeld = () => {};

  before(async () => {
    registry = await startNpmRegistry(
      { lamp: LAMP, wire: LAMP, sign: SIGN, lock: LOCK },
      {
        before: ({ url = '' }) => {
          if (!/wire-.*\.tgz$/.test(url) || left-- > 0) return false;
          onHeld();
          return true;
        },
      },
    );
    base = await scratchFolder('registry-prove-');
    const packages = {
      '': { dependencies: { lamp: '1', wire: '1' } },
      'node_modules/lamp': { version: '1.0.0' },
      'node_modules/wire': { version: '1.0.0' },
    };
    const files = {
      'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }),
      // Reading what the compiler declares of browsers would be most of its work.
      'tsconfig.json': '{"compilerOptions":{"strict":true,"lib":["es5"]}}',
      'src/a.ts': "import { on } from 'lamp';\non();\n",
      'src/b.ts': "import { on } from 'wire';\non();\n",
    };
    const shed = {
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: {
          '': { dependencies: { sign: '1', lock: '1' } },
          'node_modules/sign': { version: '1.0.0' },
          'node_modules/lock': { version: '1.0.0' },
        },
      }),
      'tsconfig.json': files['tsconfig.json'],
      'a.ts': "import { read } from 'sign';\nconst n: 2 = read(1);\n",
      'b.ts': "import { read } from 'lock';\nconst n: 2 = read(1);\n",
    };
    for (const [folder, all] of Object.entries({ house: files, shed })) {
      for (const [path, text] of Object.entries(all)) {
        await mkdir(dirname(join(base, folder, path)), { recursive: true });
        await writeFile(join(base, folder, path), text);
      }
    }
  });
  after(async () => {
    registry.close();
    await rm(base, { recursive: true, force: true });
  });

  const start = (...args: string[]) => startIn('house', ...args);
  const startIn = (folder: string, ...args: string[]) =>
    startRegistry(['check', '--prove', '--folder', join(base, folder), ...args], {
      HOME: base,
      XDG_CACHE_HOME: join(base, 'cache'),
      REGISTRY_NPM_URL: registry.url,
      REGISTRY_EGRESS_ALLOW: registry.host,
    });

  it('says that it may take minutes, and shows what fails to compile with the new version', async () => {
    const { code, stdout, stderr } = await start('--details').ended;
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Your code will be compiled with each new version, which may take minutes\. Ctrl-C /);
    // A slow machine shows dots while it compiles.
    assert.match(stderr, /Compiling your code with the new versions(?: \.+)? 2\n/);
    assert.match(
      stdout,
      /Fails to compile with the new version\n {2}src\/a\.ts:2 {2}Expected 1 arguments, but got 0\. \(TS2554\)/,
    );
    assert.match(stdout, /src\/b\.ts:2 {2}Expected 1 arguments/);
  });

  it('a row that only fails to compile says so, beside the line', async () => {
    const { code, stdout, stderr } = await startIn('shed', '--json').ended;
    assert.equal(code, 0, stderr);
    const { packages } = JSON.parse(stdout);
    const rowOf = (name: string) => packages.find((row: { package: string }) => row.package === name);
    const words = "does not compile: Type '4' is not assignable to type '2'.";
    assert.equal(rowOf('sign').reason, words);
    assert.deepEqual([rowOf('sign').use.use, rowOf('sign').use.places], ['used', [{ file: 'a.ts', line: 2 }]]);
    assert.match(rowOf('lock').reason, /^Fixes CVE-2026-11111; /);
    assert.ok(rowOf('lock').reason.endsWith(`; ${words}`), rowOf('lock').reason);
  });

  it('stopped by SIGINT it loses nothing but what was not compiled yet', async () => {
    // The comparison has been kept, so the archives of wire are asked for by the proof alone.
    left = 0;
    const run = start('--json');
    onHeld = () => run.child.kill('SIGINT');
    const { code, signal, stdout, stderr } = await run.ended;
    assert.deepEqual([code, signal], [130, null], stderr);
    const { packages } = JSON.parse(stdout);
    assert.deepEqual(
      packages.map((row: Record<string, unknown>) => [row.package, row.group, row.reason]),
      [
        ['lamp', 'may_break_used', '`on(level)` now needs `level`'],
        ['wire', 'may_break_used', '`on(level)` now needs `level`'],
      ],
    );
    const [lamp, wire] = packages;
    assert.deepEqual(
      [lamp.proof.status, lamp.proof.errors.length, lamp.proof.errors[0].file],
      ['compiled', 1, 'src/a.ts'],
    );
    assert.deepEqual(wire.proof, { status: 'not_done', reason: 'stopped before it was compiled', errors: [] });
    assert.ok(wire.findings.length > 0 && wire.use.use === 'used');
  });
});
