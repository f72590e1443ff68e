// `registry check` in a project folder, with a package registry on the loopback. No server is asked.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { DEEP_DECLARATIONS } from '../../src/domain/evidence/deep.fixture.ts';
import { createCli } from '../support/cli.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const types = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});

const LAMP: Versions = {
  '1.0.0': types('export declare function on(level?: number): void; export declare function off(): void;'),
  '1.1.0': types('export declare function on(level?: number): void; export declare function off(): void;'),
  '2.0.0': types('export declare function on(level?: number): void;'),
};
const OVEN: Versions = {
  '1.0.0': types('export declare function bake(): void; export declare function roast(): void;'),
  '2.0.0': types('export declare const heat: number;'),
};
const QUIET: Versions = {
  '1.0.0': types('export declare const a: number;'),
  '1.0.1': {
    ...types('export declare const a: number;'),
    files: {
      'index.js': '',
      'index.d.ts': 'export declare const a: number;',
      'CHANGELOG.md':
        '# Changelog\n\n## 1.0.1\n\n- Fixed a crash when the list is empty\n\n## 1.0.0\n\n- First release\n',
    },
  },
};

const DEEP: Versions = {
  '1.0.0': types(`${DEEP_DECLARATIONS.brackets?.['index.d.ts']}`),
  '2.0.0': types(`${DEEP_DECLARATIONS.brackets?.['index.d.ts']} export declare const b: 1;`),
};

const engine = (node: string) => ({ ...types('export {};'), manifest: { ...types('').manifest, engines: { node } } });
const MOTOR: Versions = { '1.0.0': engine('>=18'), '2.0.0': engine('>=20') };
const ROCKET: Versions = { '1.0.0': engine('>=18'), '2.0.0': engine('>=900') };

interface SarifPlace {
  physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } };
}
interface SarifResult {
  ruleId: string;
  level: string;
  locations: SarifPlace[];
  relatedLocations?: SarifPlace[];
}
const lineOf = ({ physicalLocation: { artifactLocation, region } }: SarifPlace) =>
  `${artifactLocation.uri}:${region.startLine}`;

describe('registry check', () => {
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let env: Record<string, string>;
  let cli: Awaited<ReturnType<typeof createCli>>;
  let folder: string;
  const folders: string[] = [];

  async function project(files: Record<string, string | object>): Promise<string> {
    const folder = await scratchFolder('registry-check-');
    folders.push(folder);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
    return folder;
  }

  function lockfile(dependencies: Record<string, string>, installed: Record<string, string>, dev: string[] = []) {
    const entries = Object.entries(installed).map(([name, version]) => [
      `node_modules/${name}`,
      { version, ...(dev.includes(name) ? { dev: true } : {}) },
    ]);
    return { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(entries) } };
  }

  before(async () => {
    registry = await startNpmRegistry({
      lamp: LAMP,
      oven: OVEN,
      motor: MOTOR,
      deep: DEEP,
      rocket: ROCKET,
      quiet: QUIET,
      same: { '1.0.0': types('') },
    });
    env = { REGISTRY_API_URL: '', REGISTRY_NPM_URL: registry.url, REGISTRY_EGRESS_ALLOW: registry.host };
    cli = await createCli('');
    folder = await project({
      'package.json': { name: 'house', dependencies: { lamp: '^1.0.0', quiet: '^1.0.0', same: '1.0.0' } },
      'package-lock.json': lockfile(
        { lamp: '^1.0.0', quiet: '^1.0.0', same: '1.0.0' },
        { lamp: '1.0.0', quiet: '1.0.0', same: '1.0.0' },
      ),
    });
  });
  after(async () => {
    await registry.close();
    for (const made of folders) await rm(made, { recursive: true, force: true });
  });
  const run = (...args: string[]) => cli.run(['check', '--folder', folder, ...args], { env });

  it('installed versions are compared with the latest ones', async () => {
    const { code, stdout } = await run('--json');
    const report = JSON.parse(stdout);
    assert.equal(code, 0);
    assert.deepEqual(
      report.packages.map((row: Record<string, unknown>) => [row.package, row.from, row.to, row.group, row.reason]),
      [
        ['lamp', '1.0.0', '2.0.0', 'breaks', '`off` is no longer exported'],
        ['quiet', '1.0.0', '1.0.1', 'no_sign', 'No sign of a break in 1 version'],
      ],
    );
    assert.deepEqual([report.project, report.checked, report.current], ['house', 3, 1]);
    assert.match(report.summary, /^1 update breaks/);
  });

  it('the reason names what the project uses of what is gone', async () => {
    const kitchen = await project({
      'package.json': { name: 'kitchen', dependencies: { oven: '^1.0.0' } },
      'package-lock.json': lockfile({ oven: '^1.0.0' }, { oven: '1.0.0' }),
      'src/meal.ts': "import { roast } from 'oven';\n\nroast();\n",
    });
    const { stdout } = await cli.run(['check', '--folder', kitchen, '--json'], { env });
    const [row] = JSON.parse(stdout).packages;
    assert.deepEqual(
      row.findings.map((finding: { text: string }) => finding.text),
      ['`bake` is no longer exported', '`roast` is no longer exported'],
    );
    assert.deepEqual([row.reason, row.use.use], ['`roast` is no longer exported', 'used']);
    assert.deepEqual(row.use.places[0], { file: 'src/meal.ts', line: 3 });
  });

  it('a package that overflows the compiler is too large, and the others are told', async () => {
    const cellar = await project({
      'package.json': { name: 'cellar', dependencies: { deep: '^1.0.0', oven: '^1.0.0' } },
      'package-lock.json': lockfile({ deep: '^1.0.0', oven: '^1.0.0' }, { deep: '1.0.0', oven: '1.0.0' }),
      'node_modules/deep/package.json': { name: 'deep', version: '1.0.0', types: 'index.d.ts' },
      'node_modules/deep/index.d.ts': DEEP_DECLARATIONS.brackets?.['index.d.ts'] ?? '',
      'src/meal.ts': "import { roast } from 'oven';\nimport { a } from 'deep';\n\nroast(a);\n",
    });
    const { code, stdout, stderr } = await cli.run(['check', '--folder', cellar, '--json', '--prove'], { env });
    const rows: { package: string; judgement: string; reason: string; proof: { status: string; reason: string } }[] =
      JSON.parse(stdout).packages;
    assert.equal(code, 0, stderr);
    const unread = 'the types of deep, nested too deeply for the compiler';
    assert.deepEqual(
      rows.map(({ package: name, judgement, proof }) => [name, judgement, proof.status, proof.reason]),
      [
        ['oven', 'breaks', 'compiled', `without ${unread}`],
        ['deep', 'not_known', 'not_done', 'too large to compare'],
      ],
    );
    assert.match(rows[1]?.reason ?? '', /too large to compare/);
    const told = await cli.run(['check', '--folder', cellar, '--prove'], { env });
    for (const sentence of [
      `Compiled in part with the new version: 1 package, without ${unread}.`,
      'Not compiled with the new version: 1 package, too large to compare.',
    ]) {
      assert.ok(told.stderr.includes(sentence), told.stderr);
    }
  });

  it('the data is as the documentation says', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/check.md'), 'utf8');
    const schema = JSON.parse([...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].at(-1)?.[1] ?? '');
    const validate = new Ajv2020({ strict: false }).compile(schema);
    const report: Record<string, unknown> & { packages: object[] } = JSON.parse(
      (await run('--json', '--ignore', 'quiet', '--fail-on', 'not_known')).stdout,
    );
    const isValid: boolean = validate(report);
    assert.ok(isValid, JSON.stringify(validate.errors));
    const told = Object.keys(schema.properties.packages.items.properties);
    for (const row of report.packages)
      assert.deepEqual(
        Object.keys(row).filter((key) => !told.includes(key)),
        [],
      );
    assert.deepEqual(
      Object.keys(report).filter((key) => !(key in schema.properties)),
      [],
    );
  });

  it('the manifest says what is wanted', async () => {
    const { stdout } = await run('--json', '--to', 'wanted');
    const [lamp] = JSON.parse(stdout).packages.filter((row: { package: string }) => row.package === 'lamp');
    assert.equal(lamp.to, '1.1.0');
    // Without notes the package alone is no reason to say that there is no sign of a break.
    assert.deepEqual(
      [lamp.judgement, lamp.reason],
      ['not_known', 'This version has no notes; types and package.json show no break'],
    );
  });

  it('a check fails from the level that was asked for', async () => {
    assert.equal((await run('--fail-on', 'breaks')).code, 1);
    assert.equal((await run('--fail-on', 'breaks', '--ignore', 'lamp')).code, 0);
    assert.equal((await run('quiet', '--fail-on', 'not_known')).code, 0);
  });

  it('the Node that runs the check is the witness where the project names none', async () => {
    const files = (dependencies: Record<string, string>, more: object = {}) => ({
      'package.json': { name: 'shed', dependencies, ...more },
      'package-lock.json': lockfile(
        dependencies,
        Object.fromEntries(Object.keys(dependencies).map((one) => [one, '1.0.0'])),
      ),
    });
    const [own] = process.versions.node.split('.');
    const rowsOf = async (folder: string, vars: Record<string, string> = {}) => {
      const { stdout } = await cli.run(['check', '--folder', folder, '--json'], { env: { ...env, ...vars } });
      const { packages, summary } = JSON.parse(stdout);
      return {
        summary,
        has: packages.map((row: { findings: { use: { use: string; has?: string } }[] }) => row.findings[0]?.use),
      };
    };
    const shed = await project(files({ motor: '^1.0.0', rocket: '^1.0.0' }));
    const silent = await rowsOf(shed, { CI: '' });
    assert.equal(silent.summary, '1 update needs a newer Node; whether 1 other breaks code here cannot be told');
    assert.deepEqual(
      silent.has.map(({ use, has }: { use: string; has: string }) => [use, has.replace(/\.\d+/, '')]),
      [
        ['not_met', `Node ${own} here`],
        ['met', `Node ${own} here`],
      ],
    );
    const job = await rowsOf(shed, { CI: 'true' });
    assert.match(job.has[0].has, /^Node \d+\.\d+ in this job$/);
    const told = await project({ ...files({ motor: '^1.0.0' }), '.nvmrc': '20\n' });
    assert.deepEqual((await rowsOf(told)).has, [
      { use: 'met', places: [{ file: '.nvmrc', line: 1 }], count: 1, has: 'Node 20 in .nvmrc' },
    ]);
    const { stderr } = await cli.run(['check', '--folder', shed], { env });
    assert.match(stderr, /names no Node version, so the one of this run was taken: add engines\.node to package\.json/);
  });

  it('a registry that cannot be asked makes the report incomplete', async () => {
    const gone = await project({
      'package-lock.json': lockfile({ '@acme/kit': '1' }, { '@acme/kit': '1.0.0' }),
    });
    const { code, stderr } = await cli.run(['check', '--folder', gone], { env });
    assert.equal(code, 3);
    assert.match(stderr, /1 package could not be asked, so this report is not complete: 127\.0\.0\.1:\d+: 404/);
    assert.equal((await cli.run(['check', '--folder', gone, '--allow-incomplete'], { env })).code, 0);
    const offline = await cli.run(['check', '--folder', gone, '--offline'], { env });
    assert.equal(offline.code, 0);
    assert.match(offline.stdout, /: it is not known whether 1 dependency has newer versions\.\n/);
  });

  it('on a terminal there is one table by risk', async () => {
    const { stdout } = await cli.run(['check', '--folder', folder, '--no-color'], { env, columns: 100 });
    assert.match(stdout, /^house: 2 of 3 dependencies have newer versions\.\n\n/);
    assert.match(stdout, /◆ {2}lamp {5}1\.0\.0 → 2\.0\.0 {2}off is no longer exported/);
    assert.match(stdout, /✓ 1 shows no sign of a break/);
  });

  it('what a pull request brings is compared with the lockfile before it', async () => {
    const manifest = (lamp: string) => ({ name: 'house', workspaces: ['rooms/*'], dependencies: { lamp } });
    const packages = (lamp: string, quiet: string, commit: string) => ({
      lockfileVersion: 3,
      packages: {
        '': manifest(lamp),
        'rooms/bath': { dependencies: { quiet: '1', bulb: 'npm:lamp@1' } },
        'node_modules/lamp': { version: lamp },
        'node_modules/bulb': { name: 'lamp', version: '1.0.0' },
        'node_modules/quiet': { version: quiet },
        'node_modules/own': { version: '1.0.0', resolved: `git+https://git.example/own.git#${commit}` },
      },
    });
    const place = await project({
      'package.json': manifest('1.0.0'),
      'package-lock.json': packages('1.0.0', '1.0.0', 'a'.repeat(40)),
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', place, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args]);
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'one');
    await writeFile(join(place, 'package-lock.json'), JSON.stringify(packages('2.0.0', '1.0.1', 'b'.repeat(40))));
    const { code, stdout } = await cli.run(['check', '--folder', place, '--base', 'HEAD', '--json'], { env });
    assert.equal(code, 0);
    const { packages: rows, base, summary } = JSON.parse(stdout);
    assert.match(summary, /^1 of \d changed packages breaks/);
    assert.match(base.commit, /^[0-9a-f]{40}$/);
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [row.package, row.from, row.to, row.group, row.workspaces]),
      [
        ['lamp', '1.0.0', '2.0.0', 'breaks', []],
        ['quiet', '1.0.0', '1.0.1', 'no_sign', ['rooms/bath']],
        ['own', '1.0.0', '1.0.0', 'elsewhere', []],
      ],
    );
    const comment = (await cli.run(['check', '--folder', place, '--base', 'HEAD', '--md'], { env })).stdout;
    assert.match(comment, /^<!-- release-registry:check house -->\n/);
    assert.match(comment, /Compared package-lock\.json with the one at HEAD/);
  });

  it('code scanning gets a result a used finding at its place, without links of strangers', async () => {
    const sarif = async (files: Record<string, string | object>, dependencies: Record<string, string>) => {
      const installed = Object.fromEntries(Object.keys(dependencies).map((name) => [name, '1.0.0']));
      const made = await project({
        'package.json': JSON.stringify({ name: 'den', dependencies }, null, 2),
        'package-lock.json': lockfile(dependencies, installed),
        ...files,
      });
      const { stdout } = await cli.run(['check', '--folder', made, '--sarif'], { env });
      const [{ results, tool, invocations }] = JSON.parse(stdout).runs;
      const places = results.map(({ ruleId, level, locations, relatedLocations = [] }: SarifResult) =>
        [ruleId, level, ...[...locations, ...relatedLocations].map(lineOf)].join(' '),
      );
      const notes = invocations[0].toolExecutionNotifications.map(
        (one: { message: { text: string } }) => one.message.text,
      );
      return { results, places, notes, rules: tool.driver.rules.map(({ id }: { id: string }) => id) };
    };
    const used = await sarif(
      { 'src/den.ts': "import { roast } from 'oven';\nroast();\nroast();\n", 'src/b.ts': "import 'lamp';\n" },
      { oven: '^1.0.0', lamp: '^1.0.0', rocket: '^1.0.0' },
    );
    assert.deepEqual(used.places, [
      'export_removed error src/den.ts:2 src/den.ts:3',
      'engines_raised error package.json:6',
    ]);
    assert.deepEqual(used.rules, ['engines_raised', 'export_removed']);
    assert.match(used.results[0].message.text, /^oven 1\.0\.0 to 2\.0\.0: `roast` is no longer exported/);
    assert.deepEqual(used.notes, [
      'Whether these are in use cannot be told: lamp',
      'Advisories: no advisory data was given (--advisories).',
    ]);
  });

  it('what the project ignores is listed last, until its day', async () => {
    const ignore = (until: string) => ({
      ignore: [{ package: 'lamp', finding: 'off', reason: 'not used here', until }],
    });
    await writeFile(join(folder, '.registry-check.json'), JSON.stringify(ignore('2999-01-01')));
    const groups = async () =>
      JSON.parse((await run('--json')).stdout).packages.map((row: Record<string, unknown>) => [row.package, row.group]);
    assert.deepEqual(await groups(), [
      ['quiet', 'no_sign'],
      ['lamp', 'ignored'],
    ]);
    assert.equal((await run('--fail-on', 'used')).code, 0);
    await writeFile(join(folder, '.registry-check.json'), JSON.stringify(ignore('2020-01-01')));
    assert.deepEqual(await groups(), [
      ['lamp', 'breaks'],
      ['quiet', 'no_sign'],
    ]);
    await writeFile(join(folder, '.registry-check.json'), '{"ignore":[{"package":"lamp"}]}');
    assert.match((await run()).stderr, /entry 1 of \.registry-check\.json needs a package and a reason/);
    await rm(join(folder, '.registry-check.json'));
  });

  it('what is known stays, and offline nobody is asked', async () => {
    const asked = registry.seen.length;
    const { code, stdout } = await run('--json', '--offline');
    assert.deepEqual([code, JSON.parse(stdout).packages.length, registry.seen.length], [0, 2, asked]);
  });
});
