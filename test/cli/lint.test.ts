// `registry lint` over a folder whose package a registry on the loopback lists.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packed } from '../../src/domain/archive/archive.fixture.ts';
import { createCli } from '../support/cli.ts';
import { startNpmRegistry } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const TYPES = 'export declare function open(): void;\nexport declare function close(): void;\n';
const OLD = '# Changelog\n\n## 1.0.0\n\n- Opens and closes.\n';
const released = {
  '1.0.0': {
    manifest: { types: 'index.d.ts', main: 'index.js' },
    files: { 'index.js': '', 'index.d.ts': TYPES, 'CHANGELOG.md': OLD },
  },
};
const next = (entry: string) => `# Changelog\n\n## 1.1.0\n\n- ${entry}\n\n${OLD.slice(13)}`;

interface Told {
  rule: string;
  level: string;
  line: number;
  file: string;
}

describe('registry lint', () => {
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let cli: Awaited<ReturnType<typeof createCli>>;
  let env: Record<string, string>;
  let folder: string;

  const put = async (path: string, content: string | object | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    const isPlain = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(join(folder, path), isPlain ? content : JSON.stringify(content));
  };

  before(async () => {
    registry = await startNpmRegistry({ door: released });
    folder = await scratchFolder('registry-lint-');
    env = {
      REGISTRY_API_URL: '',
      REGISTRY_NPM_URL: registry.url,
      REGISTRY_EGRESS_ALLOW: registry.host,
      XDG_CACHE_HOME: join(folder, 'cache'),
    };
    cli = await createCli('');
    await put('door/package.json', {
      name: 'door',
      version: '1.1.0',
      types: 'index.d.ts',
      main: 'index.js',
      files: ['index.*'],
      scripts: { prepack: 'touch ran' },
    });
    await put('door/index.js', '');
    await put('door/index.d.ts', 'export declare function open(): void;\n');
  });
  after(async () => {
    registry.close();
    await rm(folder, { recursive: true, force: true });
  });

  const lint = async (...args: string[]) => cli.run(['lint', ...args], { env });
  const told = async (...args: string[]) => {
    const { stdout, stderr, code } = await lint(...args, '--json');
    assert.ok(stdout !== '', stderr);
    const report = JSON.parse(stdout);
    const findings = report.changelogs.flatMap((one: { findings: Told[] }) => one.findings) as Told[];
    return {
      code,
      report,
      faults: findings.filter(({ level }) => level !== 'info').map(({ rule, line }) => `${rule}:${line}`),
    };
  };

  it('names the break that the package proves and the notes do not', async () => {
    await put('door/CHANGELOG.md', next('Quicker.'));
    const { code, faults, report } = await told(join(folder, 'door'));
    assert.deepEqual(faults, ['break-unnamed:3', 'bump-too-small:3']);
    assert.equal(code, 1);
    const [linted] = report.changelogs;
    assert.deepEqual([linted.package, linted.next, linted.against, linted.compared], ['door', '1.1.0', '1.0.0', true]);
    const { stdout } = await lint(join(folder, 'door'));
    assert.match(
      stdout,
      /door\/CHANGELOG\.md:3 {2}break-unnamed {2}error\n {2}1\.1\.0 takes away something that no entry names: `close`/,
    );
  });

  it('compares sections that were published, and an archive that is named', async () => {
    await put(
      'door/CHANGELOG.md',
      next('Quicker.').replace('- Opens and closes.', '- Opens and closes.\n- Locks too.'),
    );
    await put(
      'next.tgz',
      packed({
        'package.json': JSON.stringify({ name: 'door', version: '1.1.0', types: 'index.d.ts' }),
        'index.d.ts': TYPES,
      }),
    );
    const { faults } = await told(join(folder, 'door'), '--pack', join(folder, 'next.tgz'));
    assert.deepEqual(faults, ['published-changed:10']);
    const sarif = JSON.parse((await lint(join(folder, 'door'), '--pack', join(folder, 'next.tgz'), '--sarif')).stdout);
    assert.ok(sarif.runs[0].results.some((one: { ruleId: string }) => one.ruleId === 'published-changed'));
  });

  it('asks nobody with --against none, and looks at the text', async () => {
    await put('door/CHANGELOG.md', '## 1.0.0\n\n- A.\n\n## 1.1.0\n\n- B.\n\n## 1.1.0\n\n- C.\n');
    const asked = registry.seen.length;
    const { code, faults } = await told(join(folder, 'door', 'CHANGELOG.md'), '--against', 'none');
    assert.deepEqual(faults, ['duplicate-version:9']);
    assert.equal(code, 1);
    assert.equal(registry.seen.length, asked);
  });

  it('leaves out rules that the project has switched off with a reason', async () => {
    await put('door/.registry-lint.json', { off: [{ rule: 'duplicate-version', reason: 'two builds' }] });
    const { code, faults, report } = await told(join(folder, 'door'), '--against', 'none');
    assert.deepEqual([code, faults], [0, []]);
    assert.deepEqual(report.changelogs[0].off, [{ reason: 'duplicate-version: two builds', count: 1 }]);
    await put('door/.registry-lint.json', { off: [{ rule: 'duplicat', reason: 'no' }] });
    assert.match((await lint(join(folder, 'door'), '--against', 'none')).stderr, /there is no rule duplicat/);
    await rm(join(folder, 'door/.registry-lint.json'));
  });

  it('says what it could not look at, and ends with 3', async () => {
    await put('far/package.json', { name: 'far-door', version: '1.0.0', main: 'index.js' });
    await put('far/CHANGELOG.md', OLD);
    const { code, report } = await told(join(folder, 'far'), '--offline');
    assert.equal(code, 3);
    assert.match(report.incomplete[0], /far-door: not asked: offline/);
    await put('door/CHANGELOG.md', next('`close` is gone: leave it out.'));
    await rm(join(folder, 'door/index.d.ts'));
    const unbuilt = await told(join(folder, 'door'));
    assert.match(unbuilt.report.changelogs[0].gaps[0], /index\.d\.ts is not there; build it first/);
    assert.deepEqual(unbuilt.faults, []);
  });

  it('asks nobody about a package that is published elsewhere', async () => {
    const config = { registry: 'https://npm.inside.example/' };
    await put('far/package.json', { name: 'far-door', version: '1.0.0', publishConfig: config });
    const { code, report } = await told(join(folder, 'far'));
    assert.equal(code, 0);
    assert.match(report.changelogs[0].gaps[0], /published to npm\.inside\.example/);
    assert.deepEqual(
      registry.seen.filter(({ path }) => path === 'far-door'),
      [],
    );
  });

  it('reads the changelogs of workspaces', async () => {
    await put('all/package.json', { name: 'all', private: true, workspaces: ['packages/*'] });
    await put('all/packages/door/package.json', { name: 'door', version: '1.0.0' });
    await put('all/packages/door/CHANGELOG.md', OLD);
    await put('all/packages/bare/package.json', { name: 'bare', version: '1.0.0' });
    const { code, report } = await told(join(folder, 'all'));
    assert.deepEqual([code, report.changelogs.map((one: { package: string }) => one.package)], [0, ['door']]);
    assert.match((await lint(join(folder, 'all', 'packages', 'bare'))).stderr, /has no changelog/);
  });
});
