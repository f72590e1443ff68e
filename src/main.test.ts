import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCommand } from './main.ts';

async function run(args: string[], env: Record<string, string> = {}) {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const terminal = { out: (line: string) => void stdout.push(line), err: (line: string) => void stderr.push(line) };
  return { code: await runCommand({ args, env }, terminal), stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

describe('command line', () => {
  const helps: [args: string[], pattern: RegExp][] = [
    [[], /Usage: registry <command>/],
    [['help'], /serve +Run the whole service/],
    [['--help'], /migrate +Apply pending migrations/],
    [['help', 'serve'], /--no-worker +leave the background work/],
    [['serve', '--help'], /--port <port>/],
  ];
  for (const [args, pattern] of helps) {
    it(`0: registry ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await run(args);

      assert.match(stdout, pattern);
      assert.deepEqual([code, stderr], [0, '']);
    });
  }

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
      const { code, stdout, stderr } = await run(args);

      assert.match(stderr, pattern);
      assert.equal(stderr.split('\n').length, 1);
      assert.deepEqual([code, stdout], [2, '']);
    });
  }

  it('2: a port out of range names the flag', async () => {
    const { code, stderr } = await run(['serve', '--port', '70000']);

    assert.equal(code, 2);
    assert.match(stderr, /--port/);
  });
});
