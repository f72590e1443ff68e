// `registry check` in Python projects of which no file says what is installed.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { writeProject } from '../hostile/repositories.ts';
import { type Cli, createCli } from '../support/cli.ts';
import { startNpmRegistry } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const PYPROJECT = `[project]
name = "house"
dependencies = ["lamp>=1", "Oven_x[gas]"]
optional-dependencies = { docs = ["sphinx"] }
[dependency-groups]
dev = ["pytest"]
`;
const POETRY = '[tool.poetry]\nname = "house"\n[tool.poetry.dependencies]\npython = "^3.12"\nlamp = "^1"\n';
const LOCKED = `lock-version = "2.0"\n[[package]]\nname = "lamp"\nversion = "1.0.0"\n`;
const PACKAGE = { name: 'house', dependencies: {} };

const told = (count: string) =>
  `Left out: ${count} no lockfile or pin tells; \`uv lock\` or \`pip freeze > requirements.txt\` writes them down.`;
const many = (count: number) => told(`${count} Python dependencies, whose installed versions`);
const ONE = told('1 Python dependency, whose installed version');

const PROJECTS: [title: string, files: Record<string, string | object>, gap: string | null][] = [
  ['a manifest alone', { 'pyproject.toml': PYPROJECT }, many(3)],
  ['a manifest of Poetry', { 'pyproject.toml': POETRY }, ONE],
  ['a list of ranges', { 'requirements.txt': '-r more.txt\n# all\nlamp>=1,<2\noven # newest\nwire==2.*\n' }, many(3)],
  ['what a list is made of', { 'requirements.in': 'lamp\n./here\nhttps://x.example/y.whl\n-e .\n' }, ONE],
  ['a manifest beside one of npm', { 'pyproject.toml': POETRY, 'package.json': PACKAGE }, ONE],
  ['a lockfile', { 'pyproject.toml': POETRY, 'poetry.lock': LOCKED }, null],
];

describe('registry check without versions of Python packages', () => {
  let cli: Cli;
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let env: Record<string, string>;
  const folders: string[] = [];
  before(async () => {
    cli = await createCli('');
    // It knows no package.
    registry = await startNpmRegistry({});
    const { url, host } = registry;
    env = { REGISTRY_API_URL: '', REGISTRY_NPM_URL: url, REGISTRY_PYPI_URL: url, REGISTRY_EGRESS_ALLOW: host };
  });
  after(async () => {
    registry.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  const check = async (files: Record<string, string | object>, ...args: string[]) => {
    const folder = await scratchFolder('registry-python-');
    folders.push(folder);
    writeProject(folder, files);
    return cli.run(['check', ...args, '--folder', folder], { env });
  };

  for (const [title, files, gap] of PROJECTS) {
    it(title, async () => {
      const { code, stdout, stderr } = await check(files);
      assert.equal(code, 0, stderr);
      if (gap === null) return assert.doesNotMatch(stderr, /Left out/);
      assert.match(stdout, /: no dependency could be looked at\.\n/);
      assert.ok(stderr.includes(gap), stderr);
    });
  }

  it('a pin among ranges is asked about, and nothing is told to be done', async () => {
    const { code, stdout, stderr } = await check({ 'requirements.txt': 'lamp==1.0.0\noven>=1\n' }, '--json');
    assert.equal(code, 0, stderr);
    const { checked, leftOut, packages } = JSON.parse(stdout);
    assert.deepEqual([checked, packages.length, leftOut.length], [1, 1, 1]);
  });

  it('one that is asked for by its name is told to have no version', async () => {
    const { code, stderr } = await check({ 'pyproject.toml': PYPROJECT }, 'Lamp');
    assert.equal(code, 1);
    assert.match(stderr, /no lockfile or pin tells which version of Lamp is installed/);
  });

  it('a manifest that names nothing is none', async () => {
    const { code, stderr } = await check({ 'pyproject.toml': '[tool.black]\nline-length = 100\n' });
    assert.equal(code, 1);
    assert.match(stderr, /neither a package\.json nor a lockfile/);
  });
});
