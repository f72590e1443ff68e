import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { runRegistry } from '../support/registry-process.ts';

describe('registry command', () => {
  it('0: registry --version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

    assert.deepEqual(await runRegistry(['--version']), { code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
  });

  it('0: help, on stdout alone', async () => {
    const { code, stdout, stderr } = await runRegistry(['help']);

    assert.match(stdout, /serve +Run the whole service/);
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('2: an unknown command, on stderr alone', async () => {
    const { code, stdout, stderr } = await runRegistry(['sevre']);

    assert.equal(stderr, 'registry: there is no command "sevre"; did you mean `registry serve`?\n');
    assert.deepEqual([code, stdout], [2, '']);
  });

  it('2: everything that is wrong in the configuration, at once', async () => {
    const env = { REGISTRY_PORT: 'http', REGISTRY_DATABASE_URL: 'mysql://x', REGISTRY_ROOT_KEY: 'short' };

    const { code, stdout, stderr } = await runRegistry(['serve'], env);

    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /REGISTRY_PORT: .*\n {2}REGISTRY_DATABASE_URL: .*\n {2}REGISTRY_ROOT_KEY: /);
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
