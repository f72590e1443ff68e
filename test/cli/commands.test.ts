import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { createCli } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { runCommands, runRegistry } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';

const WRONG_VALUES = { REGISTRY_PORT: 'http', REGISTRY_DATABASE_URL: 'mysql://x', REGISTRY_ROOT_KEY: 'short' };
const WRONG_TOGETHER = {
  REGISTRY_DATA_DIR: '/proc/registry-data',
  REGISTRY_EGRESS_ALLOW: 'fine.example, not a host',
  REGISTRY_TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/99',
  REGISTRY_TRUSTED_ORIGINS: 'https://app.example, app.example/path',
  REGISTRY_GITHUB_ID: 'id',
  REGISTRY_EMBEDDER: 'endpoint',
};
const NO_DATABASE = {
  REGISTRY_DATABASE_URL: 'postgres://x:hidden@127.0.0.1:1/releases',
  REGISTRY_LOG_LEVEL: 'silent',
};
const NEED_DATABASE = [
  ['serve', '--port', '0'],
  ['web', '--port', '0'],
  ['web', '--processes', '2', '--port', '0'],
  ['worker'],
  ['migrate'],
  ['migrate', '--status'],
  ['migrate', '--dry-run'],
  ['fetch'],
  ['generate', '--releases', '1'],
  ['admin', 'user', 'list'],
];

describe('registry command', () => {
  it('0: registry --version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

    assert.deepEqual(await runRegistry(['--version']), { code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
  });

  it('2: an unknown command, on stderr alone', async () => {
    const { code, stdout, stderr } = await runRegistry(['sevre']);

    assert.equal(stderr, 'registry: there is no command "sevre"; did you mean `registry serve`?\n');
    assert.deepEqual([code, stdout], [2, '']);
  });

  describe('that ends at once', () => {
    type End = Awaited<ReturnType<typeof runCommands>>[number];
    let [help, configHelp, wrongValues, wrongTogether, noFile]: End[] = [];
    let noDatabase: End[];
    before(async () => {
      const folder = await scratchFolder('registry-broken-');
      await writeFile(join(folder, 'registry.db'), 'this is no database '.repeat(100), { mode: 0o600 });
      [help, configHelp, wrongValues, wrongTogether, noFile, ...noDatabase] = await runCommands([
        ['help'],
        ['help', 'config'],
        { args: ['serve'], env: WRONG_VALUES },
        { args: ['serve', '--port', 'abc'], env: WRONG_TOGETHER },
        { args: ['migrate', '--status'], env: { REGISTRY_DATA_DIR: folder } },
        ...NEED_DATABASE.map((args) => ({ args, env: NO_DATABASE })),
      ]);
      await rm(folder, { recursive: true });
    });

    it('0: help, on stdout alone', () => {
      assert.match(help?.stdout ?? '', /serve +Run the whole service/);
      assert.deepEqual([help?.code, help?.stderr], [0, '']);
    });

    it('0: help config, with every variable and its default', () => {
      assert.match(configHelp?.stdout ?? '', /REGISTRY_PORT\n +port to listen on\n +default: 8080\n/);
      assert.equal(configHelp?.code, 0);
    });

    it('2: everything that is wrong in the configuration, at once', () => {
      assert.deepEqual([wrongValues?.code, wrongValues?.stdout], [2, '']);
      assert.match(
        wrongValues?.stderr ?? '',
        /REGISTRY_PORT: .*\n {2}REGISTRY_DATABASE_URL: .*\n {2}REGISTRY_ROOT_KEY: /,
      );
    });

    it('2: lists what no single value shows to be wrong, the flags and the data folder with the rest', () => {
      assert.deepEqual([wrongTogether?.code, wrongTogether?.stdout], [2, '']);
      const [first, ...faults] = wrongTogether?.stderr.trimEnd().split('\n') ?? [];
      assert.equal(first, 'The configuration is not usable:');
      assert.deepEqual(
        faults.map((fault) => fault.replace(/\(.*\)$/, '(…)')),
        [
          '  --port: must be a whole number from 0 to 65535',
          '  REGISTRY_TRUSTED_ORIGINS: "app.example/path" is no origin such as https://app.example',
          '  REGISTRY_TRUSTED_PROXIES: "10.0.0.0/99" is no address or CIDR',
          '  REGISTRY_EGRESS_ALLOW: "not a host" is no host, host:port, address or CIDR',
          '  REGISTRY_GITHUB_ID: needs REGISTRY_GITHUB_SECRET as well',
          '  REGISTRY_EMBEDDER: endpoint needs REGISTRY_EMBED_URL as well',
          '  REGISTRY_EMBEDDER: endpoint needs REGISTRY_EMBED_NAME as well',
          '  REGISTRY_DATA_DIR: /proc/registry-data cannot be written (…)',
        ],
      );
    });

    for (const [index, args] of NEED_DATABASE.entries()) {
      it(`1: \`registry ${args.join(' ')}\` names the database that it cannot reach`, () => {
        const { code, stdout, stderr } = noDatabase[index] ?? assert.fail('it was not run');

        assert.deepEqual([code, stdout], [1, '']);
        assert.match(
          stderr,
          /^registry: cannot use the database \(PostgreSQL, 127\.0\.0\.1:1\/releases\): .*ECONNREFUSED/,
        );
        assert.doesNotMatch(stderr, /hidden/);
      });
    }

    it('1: names a database file that is none', () => {
      assert.equal(noFile?.code, 1);
      assert.match(noFile?.stderr ?? '', /^registry: cannot use the database \(.*registry\.db\): .*not a database/);
    });
  });
});

forEachEngine('registry migrate', (engine) => {
  it('lists, applies once, and has nothing to do the second time', async () => {
    const env = await engine.openTestDatabase({ migrated: false });

    const { run } = await createCli('');
    const looks = [await run(['migrate', '--dry-run'], { env }), await run(['migrate', '--status'], { env })];
    const [one, other] = await Promise.all([runRegistry(['migrate'], env), runRegistry(['migrate'], env)]);
    const ends = [await run(['migrate', '--status', '--json'], { env }), await run(['migrate'], { env })];

    const [dry, before, after, again] = [...looks, ...ends].map(({ stdout }) => stdout);
    assert.match(dry ?? '', /^would apply\t1\tcatalog$/m);
    assert.match(before ?? '', /^pending\t1\tcatalog$/m);
    const applied = [one, other].flatMap(({ stdout }) => stdout.match(/^applied\t.*$/gm) ?? []);
    assert.equal(new Set(applied).size, applied.length);
    assert.deepEqual([one.code, other.code], [0, 0]);
    const { applied: known, pending } = JSON.parse(after ?? '');
    assert.deepEqual([known.length, pending], [applied.length, []]);
    assert.equal(again, 'nothing to apply\n');
  });
});
