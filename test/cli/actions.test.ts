// `registry actions compare` with files of a project. Nobody is asked.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCli } from '../support/cli.ts';
import { scratchFolder } from '../support/scratch.ts';

test('two releases of an action are compared, and calls of a workflow are named', async (t) => {
  const folder = await scratchFolder('registry-actions-');
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const old = await file('old.yml', 'inputs:\n  colour: {}\nruns:\n  using: node20\n');
  const next = await file('new.yml', 'inputs: {}\nruns:\n  using: node24\n');
  const call =
    'jobs:\n  lamp:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: acme/lamp@v1\n        with:\n          colour: red\n';
  const flow = await file('ci.yml', call);
  const cli = await createCli('http://127.0.0.1:9');

  const { code, stdout } = await cli.run(['actions', 'compare', old, next, '--workflow', flow, '--json']);
  const told = JSON.parse(stdout).changes.map((one: { text: string; at: string[] }) => [one.text, one.at]);
  assert.equal(code, 0);
  assert.deepEqual(told, [
    ['`colour` is no input any more; a value for it is ignored from now on', [`${flow}:7`]],
    ['runs on node24 (node20 before); own runners need it', []],
  ]);

  const refused = await cli.run(['actions', 'compare', old, flow]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /declares no action/);
});
