import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { runRegistry } from '../support/registry-process.ts';

describe('registry command', () => {
  const helps: [args: string[], pattern: RegExp][] = [
    [[], /Usage: registry <command>/],
    [['help'], /serve +Run the whole service/],
    [['--help'], /migrate +Apply pending migrations/],
    [['help', 'serve'], /--no-worker +leave the background work/],
    [['serve', '--help'], /--port <port>/],
  ];
  for (const [args, pattern] of helps) {
    it(`0: registry ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runRegistry(args);

      assert.match(stdout, pattern);
      assert.deepEqual([code, stderr], [0, '']);
    });
  }

  it('0: registry --version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

    assert.deepEqual(await runRegistry(['--version']), { code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
  });

  const usages: [args: string[], pattern: RegExp][] = [
    [['sevre'], /there is no command "sevre"; did you mean `registry serve`\?/],
    [['deploy'], /there is no command "deploy"; `registry help` lists all commands/],
    [['help', 'wbe'], /did you mean `registry web`\?/],
    [['serve', '--prot', '1'], /Unknown option '--prot'; `registry help serve` lists the options/],
    [['serve', 'now'], /Unexpected argument 'now'/],
    [['generate'], /--releases is required/],
    [['generate', '--releases', 'many'], /--releases must be a whole number/],
    [['web', '--processes', '0'], /--processes must be a whole number/],
  ];
  for (const [args, pattern] of usages) {
    it(`2: registry ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runRegistry(args);

      assert.match(stderr, pattern);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.deepEqual([code, stdout], [2, '']);
    });
  }

  it('2: everything that is wrong in the configuration, at once', async () => {
    const env = { REGISTRY_PORT: 'http', REGISTRY_DATABASE_URL: 'mysql://x', REGISTRY_ROOT_KEY: 'short' };

    const { code, stdout, stderr } = await runRegistry(['serve'], env);

    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /REGISTRY_PORT: .*\n {2}REGISTRY_DATABASE_URL: .*\n {2}REGISTRY_ROOT_KEY: /);
  });

  it('2: a port flag out of range is told like the variable', async () => {
    const { code, stderr } = await runRegistry(['serve', '--port', '70000']);

    assert.equal(code, 2);
    assert.match(stderr, /REGISTRY_PORT/);
  });

  it('1: a database that does not answer', async () => {
    const { code, stderr } = await runRegistry(['migrate'], { REGISTRY_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' });

    assert.equal(code, 1);
    assert.match(stderr, /^registry: .*ECONNREFUSED/m);
  });
});

forEachEngine('registry migrate', (engine) => {
  it('lists, applies once, and has nothing to do the second time', async () => {
    const env = await engine.openTestDatabase({ migrated: false });

    const dry = await runRegistry(['migrate', '--dry-run'], env);
    const before = await runRegistry(['migrate', '--status'], env);
    const [one, other] = await Promise.all([runRegistry(['migrate'], env), runRegistry(['migrate'], env)]);
    const after = await runRegistry(['migrate', '--status', '--json'], env);
    const again = await runRegistry(['migrate'], env);

    assert.match(dry.stdout, /^would apply\t1\tcatalog$/m);
    assert.match(before.stdout, /^pending\t1\tcatalog$/m);
    const applied = [one, other].flatMap(({ stdout }) => stdout.match(/^applied\t.*$/gm) ?? []);
    assert.equal(new Set(applied).size, applied.length);
    assert.deepEqual([one.code, other.code], [0, 0]);
    const { applied: known, pending } = JSON.parse(after.stdout);
    assert.deepEqual([known.length, pending], [applied.length, []]);
    assert.equal(again.stdout, 'nothing to apply\n');
  });
});
