// `registry check --advisories`: which installed versions are affected, what clears them, when the project's own rule takes it,
// and what that step breaks. The texts of advisories are strangers' words.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { zipped } from '../../src/domain/archive/zip-entries.fixture.ts';
import { createCli } from '../support/cli.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const version = (types: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': types },
});
const LAMP: Versions = {
  '1.0.0': version('export declare function on(): void; export declare function off(): void;'),
  '1.0.1': version('export declare function on(): void;'),
  '2.0.0': version('export declare function on(): void;'),
};
const DAY = 24 * 3_600_000;
const yesterday = new Date(Date.now() - DAY).toISOString();
const TIMES = { lamp: { '1.0.0': '2020-01-01T00:00:00Z', '1.0.1': yesterday, '2.0.0': yesterday } };

const advisory = (id: string, name: string, fixed: string | null, more: object = {}) => ({
  id,
  summary: `\u001b[31m[Fault](https://evil.example) of <b>${name}</b> @everyone`,
  affected: [
    {
      package: { ecosystem: 'npm', name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, ...(fixed ? [{ fixed }] : [])] }],
    },
  ],
  ...more,
});
const RECORDS = {
  'a.json': advisory('INV-1', 'lamp', '1.0.1', { aliases: ['GHSA-zzzz-0001'] }),
  'b.json': advisory('GHSA-zzzz-0001', 'lamp', '1.0.1'),
  'c.json': advisory('INV-2', 'below', null),
  'd.json': advisory('INV-3', 'lamp', null, { withdrawn: '2026-01-01T00:00:00Z' }),
  'e.json': 'no record',
};

describe('registry check with advisories', () => {
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let cli: Awaited<ReturnType<typeof createCli>>;
  let env: Record<string, string>;
  let folder: string;
  let osv: string;

  before(async () => {
    registry = await startNpmRegistry({ lamp: LAMP, below: { '1.0.0': version('export {};') } }, { times: TIMES });
    const home = await scratchFolder('registry-advised-home-');
    env = { HOME: home, REGISTRY_API_URL: '', REGISTRY_NPM_URL: registry.url, REGISTRY_EGRESS_ALLOW: registry.host };
    cli = await createCli('');
    folder = await scratchFolder('registry-advised-');
    osv = join(await scratchFolder('registry-osv-'), 'osv');
    const manifest = { name: 'house', dependencies: { lamp: '^1.0.0' } };
    const packages = {
      '': manifest,
      'node_modules/lamp': { version: '1.0.0' },
      'node_modules/below': { version: '1.0.0' },
    };
    const files: Record<string, unknown> = {
      [join(folder, 'package.json')]: manifest,
      [join(folder, 'package-lock.json')]: { lockfileVersion: 3, packages },
      [join(folder, 'index.js')]: "import { off } from 'lamp';\noff();\n",
      [join(folder, '.npmrc')]: 'min-release-age=7\n',
      ...Object.fromEntries(Object.entries(RECORDS).map(([name, record]) => [join(osv, name), record])),
    };
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    }
    const members = Object.entries(RECORDS).map(([name, body]) => ({ name, body: JSON.stringify(body) }));
    await writeFile(join(osv, '..', 'all.zip'), zipped(members));
  });
  after(() => registry.close());

  const check = (...args: string[]) => cli.run(['check', '--folder', folder, ...args], { env });

  it('names the smallest version, the day of the rule and what it breaks', async () => {
    const { code, stdout, stderr } = await check('--advisories', osv);
    assert.equal(code, 0);
    const fixes =
      /lamp 1\.0\.0 {2}Fixes GHSA-zzzz-0001: 1\.0\.1 is the smallest; your 7-day rule allows it on \d+ \w{3}[^;]*; it breaks, and you use it \(index\.js:[12][^)]*\)\./;
    assert.match(stdout, fixes);
    assert.match(stdout, /below 1\.0\.0 {2}INV-2: no published version above it is clear\./);
    assert.ok(!stdout.includes('\u001b'), 'no control characters of strangers');
    const counts = 'Advisories: 4 records cover 2 of 2 installed versions; 1 file could not be read as a record.';
    assert.ok(stderr.includes(counts), stderr);
  });

  it('tells the same as data, from an archive too', async () => {
    for (const path of [osv, join(osv, '..', 'all.zip')]) {
      const { advisories } = JSON.parse((await check('--advisories', path, '--json')).stdout);
      assert.deepEqual([advisories.records, advisories.unreadable, advisories.looked], [4, 1, 2]);
      const lamp = advisories.packages.find((one: { name: string }) => one.name === 'lamp');
      assert.deepEqual(
        [lamp.problems.length, lamp.smallest, lamp.smallestInLine, lamp.smallestOutOfCooldown, lamp.readyAt],
        [1, '1.0.1', '1.0.1', null, new Date(Date.parse(yesterday) + 7 * DAY).toISOString()],
      );
      assert.deepEqual([lamp.problems[0].id, lamp.problems[0].aliases], ['GHSA-zzzz-0001', ['INV-1']]);
      assert.deepEqual(
        [lamp.step.to, lamp.step.judgement, lamp.step.use.use, lamp.cooldown.from],
        ['1.0.1', 'breaks', 'used', '.npmrc (min-release-age)'],
      );
      assert.match(lamp.words, /^Fixes GHSA-zzzz-0001: /);
    }
  });

  it('brings no markup of strangers into comments and code scanning', async () => {
    const { stdout } = await check('--advisories', osv, '--md');
    assert.match(stdout, /^- lamp 1\.0\.0: Fixes GHSA-zzzz-0001: 1\.0\.1 is the smallest;/m);
    assert.match(stdout, /GHSA-zzzz-0001: .*Fault.* of &lt;b>lamp/);
    assert.ok(!/<b>(?:lamp|below)|(?<!\\)\]\(https:\/\/evil|@everyone/.test(stdout));
    const [{ results }] = JSON.parse((await check('--advisories', osv, '--sarif')).stdout).runs;
    const own = results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'advisory');
    assert.deepEqual(
      own.map(
        ({
          level,
          locations: [place],
        }: {
          level: string;
          locations: [{ physicalLocation: { artifactLocation: { uri: string } } }];
        }) => [level, place.physicalLocation.artifactLocation.uri],
      ),
      [
        ['error', 'package-lock.json'],
        ['error', 'package-lock.json'],
      ],
    );
  });

  it('without data says that none was given, in every form', async () => {
    for (const form of [[], ['--md'], ['--sarif']]) {
      const { stdout, stderr } = await check(...form);
      assert.match(stdout + stderr, /no advisory data was given/);
      assert.doesNotMatch(stdout + stderr, /no advisor(?:y|ies)(?! data)/i);
    }
    assert.equal(JSON.parse((await check('--json')).stdout).advisories, null);
  });

  it('with data that cannot be read, or that is none, fails and says why', async () => {
    const cases: readonly [string, RegExp][] = [
      [join(osv, 'missing'), /there is no file or folder /],
      [join(osv, 'e.json'), /has no advisory on a package of npm or PyPI in the OSV form/],
      [join(folder, 'index.js'), /cannot be read: the archive is cut off, or no zip/],
    ];
    for (const [path, said] of cases) {
      const { code, stderr } = await check('--advisories', path);
      assert.equal(code, 1);
      assert.match(stderr, said);
    }
  });

  it('offline says that the clearing version is not known', async () => {
    const cold = { ...env, XDG_CACHE_HOME: await scratchFolder('registry-cold-') };
    const { stdout } = await cli.run(['check', '--folder', folder, '--advisories', osv, '--offline'], { env: cold });
    assert.match(stdout, /lamp 1\.0\.0 {2}GHSA-zzzz-0001: which version clears it is not known: not asked: offline\./);
  });
});
