// `registry compare` and `registry check` with packages of a Python index. No server is asked.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeProject } from '../hostile/repositories.ts';
import { createCli } from '../support/cli.ts';
import { startPypi, wheel } from '../support/pypi-index.ts';
import { scratchFolder } from '../support/scratch.ts';

const OLD = { 'lamp/__init__.py': 'def on(level, color=None): pass\ndef off(): pass\n' };
const NEW = { 'lamp/__init__.py': 'def on(level): pass\n' };
const TOLD = ['export_removed lamp off', 'parameter_removed lamp on(color)'];

async function folderFor(t: TestContext) {
  const folder = await scratchFolder('registry-wheels-');
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function toldBy(stdout: string): string[] {
  const { findings } = JSON.parse(stdout) as { findings: { kind: string; subpath: string; name: string }[] };
  return findings.map(({ kind, subpath, name }) => `${kind} ${subpath} ${name}`);
}

test('two wheels are compared without asking anybody', async (t) => {
  const folder = await folderFor(t);
  const [old, next] = [join(folder, 'lamp-1.0.0.whl'), join(folder, 'lamp-2.0.0.whl')];
  await writeFile(old, wheel('lamp', '1.0.0', OLD));
  await writeFile(next, wheel('lamp', '2.0.0', NEW));
  const cli = await createCli('http://127.0.0.1:9');
  assert.deepEqual(toldBy((await cli.run(['compare', old, next, '--json'])).stdout), TOLD);
  await writeFile(next, 'no archive');
  const failed = await cli.run(['compare', old, next]);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /lamp-2\.0\.0\.whl cannot be read/);
});

test('published versions come from the index, and a project is told where it uses what is gone', async (t) => {
  const pypi = await startPypi(t);
  pypi.publish('lamp', '1.0.0', OLD);
  pypi.publish('lamp', '2.0.0', NEW);
  const env = { ...pypi.env, REGISTRY_API_URL: '' };
  const cli = await createCli('');
  const compared = await cli.run(['compare', 'pypi:lamp', '1.0.0', '2.0.0', '--json'], { env });
  assert.deepEqual(toldBy(compared.stdout), TOLD, compared.stderr);

  const folder = await folderFor(t);
  writeProject(folder, {
    'pyproject.toml': '[project]\nname = "house"\ndependencies = ["lamp"]\n',
    'poetry.lock': '[[package]]\nname = "lamp"\nversion = "1.0.0"\n',
    'house.py': 'import lamp\n\nlamp.on(1)\nlamp.on(1, color="red")\n',
  });
  const { stdout, stderr } = await cli.run(['check', '--folder', folder, '--json'], { env });
  const [row] = JSON.parse(stdout).packages;
  assert.equal(row.judgement, 'breaks', stderr);
  const uses = row.findings.map(({ name, use }: { name: string; use: { use: string; places: { line: number }[] } }) => [
    name,
    use.use,
    ...use.places.map(({ line }) => line),
  ]);
  assert.deepEqual(uses, [
    ['off', 'not_used'],
    ['on(color)', 'used', 4],
  ]);
});
