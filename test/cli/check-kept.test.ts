// What `registry check` includes when asked, how it shows details, and what it keeps of a project between runs.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkProject } from '../../src/check/check-project.ts';
import { runCommand } from '../../src/main.ts';
import { createCli } from '../support/cli.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const types = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});
const OLD =
  'export declare class Lamp { on(): void; dim(): Lamp; }\nexport declare function make(): Lamp; export declare function off(): void;';
const NEW = 'export declare class Lamp { on(): void; }\nexport declare function make(): Lamp;';
const LAMP: Versions = { '1.0.0': types(OLD), '2.0.0': types(NEW) };

const SOURCES = {
  'src/light.ts': `import { make } from 'lamp';\nexport const light = make();\n`,
  'src/evening.ts': `import { light } from './light.js';\nlight.dim();\n`,
  'src/other.ts': 'export const nothing = 1;\n',
};

describe('registry check, asked for more and asked again', () => {
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let cli: Awaited<ReturnType<typeof createCli>>;
  let env: Record<string, string>;
  let folder: string;
  let cache: string;

  const put = async (path: string, content: string | object) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  };

  before(async () => {
    registry = await startNpmRegistry({ lamp: LAMP, deep: LAMP, rare: LAMP, built: LAMP });
    folder = await scratchFolder('registry-check-kept-');
    cache = join(folder, 'cache');
    env = {
      REGISTRY_API_URL: '',
      REGISTRY_NPM_URL: registry.url,
      REGISTRY_EGRESS_ALLOW: registry.host,
      XDG_CACHE_HOME: cache,
    };
    cli = await createCli('');
    await put('.gitignore', 'cache\nnode_modules\n');
    await put('package.json', { name: 'house', type: 'module', dependencies: { lamp: '1' } });
    // Reading what the compiler declares of browsers would be most of its work.
    await put('tsconfig.json', { compilerOptions: { module: 'nodenext', strict: true, lib: ['es5'] } });
    await put('package-lock.json', {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { lamp: '1' }, devDependencies: { built: '1' }, optionalDependencies: { rare: '1' } },
        'node_modules/lamp': { version: '1.0.0' },
        'node_modules/deep': { version: '1.0.0' },
        'node_modules/built': { version: '1.0.0', dev: true },
        'node_modules/rare': { version: '1.0.0', optional: true },
      },
    });
    await put('node_modules/lamp/package.json', { name: 'lamp', version: '1.0.0', types: 'index.d.ts' });
    await put('node_modules/lamp/index.d.ts', OLD);
    for (const [path, text] of Object.entries(SOURCES)) await put(path, text);
  });
  after(async () => {
    registry.close();
    await rm(folder, { recursive: true, force: true });
  });

  const report = async (...args: string[]) => {
    const { stdout, stderr } = await cli.run(['check', '--folder', folder, '--json', ...args], { env });
    assert.ok(stdout !== '', stderr);
    return JSON.parse(stdout);
  };
  const names = async (...args: string[]) =>
    (await report(...args)).packages.map((row: { package: string }) => row.package).sort();
  const useOf = async (name: string) => {
    const [row] = (await report('lamp')).packages;
    return row.findings.find((one: { name: string }) => one.name === name)?.use;
  };

  it('indirect, development and optional packages are asked about on demand', async () => {
    assert.deepEqual(await names(), ['lamp']);
    assert.deepEqual(await names('--include', 'dev'), ['built', 'lamp']);
    assert.deepEqual(await names('--include', 'dev,optional'), ['built', 'lamp', 'rare']);
    assert.deepEqual(await names('--indirect'), ['deep', 'lamp']);
    const { packages, compared } = await report('--indirect', '--include', 'dev,optional');
    assert.deepEqual([packages.length, compared], [4, { done: 4, of: 4 }]);
    const { code, stderr } = await cli.run(['check', '--folder', folder, '--include', 'peer'], { env });
    assert.deepEqual([code, /--include takes dev and optional, not "peer"/.test(stderr)], [2, true]);
  });

  it('indirect packages are compared as far as the volume of downloads goes', async () => {
    const { rows, compared } = await checkProject(folder, {
      env: { ...env, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache/empty') },
      signal: new AbortController().signal,
      to: 'latest',
      base: null,
      ignore: '',
      isOffline: false,
      isIndirect: true,
      include: new Set(),
      only: null,
      notes: null,
      mostDownloaded: 1,
    });
    const deep = rows.find((row) => row.package === 'deep');
    assert.match(deep?.reason ?? '', /not compared \(0 MB were downloaded for others\)$/);
    assert.deepEqual(compared, { done: 1, of: 2 });
  });

  it('details have findings with file and line, in the pager where they are longer than the screen', async () => {
    const { stdout } = await cli.run(['check', '--folder', folder, '--details'], { env });
    assert.match(stdout, /◆ lamp {2}1\.0\.0 → 2\.0\.0/);
    assert.match(stdout, /Breaks your code\n {2}Lamp\.dim is gone · proven\n(?:.*\n)*? {4}src\/evening\.ts:2\n/);
    assert.match(stdout, /Breaks, but you do not use it\n {2}off is no longer exported · proven · not used\n/);
    const paged: string[] = [];
    const printed: string[] = [];
    const terminal = (rows: number) => ({
      out: (line: string) => void printed.push(line),
      err: () => {},
      isTTY: true,
      columns: 100,
      rows,
      page: async (text: string) => {
        paged.push(text);
        return true;
      },
    });
    const args = ['check', '--folder', folder, '--details', '--no-color'];
    await runCommand({ args, env: { HOME: folder, ...env } }, terminal(200));
    assert.deepEqual([paged.length, printed.join('\n').includes('Breaks your code')], [0, true]);
    await runCommand({ args, env: { HOME: folder, ...env } }, terminal(5));
    assert.match(paged.join(''), /Breaks your code/);
  });

  it('the same project gets the same report, and a change of one file another one', async () => {
    const first = await report();
    assert.deepEqual(await report(), first);
    assert.deepEqual((await useOf('Lamp.dim')).places, [{ file: 'src/evening.ts', line: 2 }]);
    await put('src/evening.ts', `import { light } from './light.js';\n\n\nlight.dim();\n`);
    assert.deepEqual((await useOf('Lamp.dim')).places, [{ file: 'src/evening.ts', line: 4 }]);
    await put('src/evening.ts', `import { light } from './light.js';\nlight.on();\n`);
    assert.equal((await useOf('Lamp.dim')).use, 'not_used');
    await put('src/evening.ts', SOURCES['src/evening.ts']);
    assert.deepEqual(await report(), first);
  });

  it('a package that is installed anew is looked at anew', async () => {
    assert.equal((await useOf('Lamp.dim')).use, 'used');
    await put(
      'node_modules/lamp/index.d.ts',
      `${OLD}\n// A patch of our own.\n`.replace('make(): Lamp', 'make(): any'),
    );
    assert.equal((await useOf('Lamp.dim')).use, 'unclear');
    await put('node_modules/lamp/index.d.ts', OLD);
    assert.equal((await useOf('Lamp.dim')).use, 'used');
  });

  it('what was kept and is damaged is made again', async () => {
    const first = await report();
    const kept = globSync('registry/check/{uses,checked}-*/**/*.json', { cwd: cache });
    assert.ok(kept.length >= 2);
    const damages: ((text: string) => string)[] = [
      (text) => text.slice(0, text.length / 2),
      () => '{}',
      () => 'null',
      (text) => text.replaceAll('lamp', 'limp'),
      (text) => text.replace(/"value":.*$/, '"value":{"a":[1],"b":"c","names":[[1]],"seen":7}}'),
    ];
    for (const damage of damages) {
      for (const path of kept) {
        const file = join(cache, path);
        if (existsSync(file)) writeFileSync(file, damage(readFileSync(file, 'utf8')));
      }
      assert.deepEqual(await report(), first);
    }
  });
});
