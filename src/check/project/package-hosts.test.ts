import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { packageHosts } from './package-hosts.ts';
import { readProject } from './read-project.ts';

const PRIVATE = 'npm.inside.example';
const resolved = (name: string, host = PRIVATE) => `https://${host}/${name}/-/${name.split('/').at(-1)}-1.0.0.tgz`;

describe('the hosts that packages come from', () => {
  const home = mkdtempSync(join(tmpdir(), 'registry-hosts-'));
  after(() => rmSync(home, { recursive: true }));

  function hostOf(files: Record<string, string>, name: string, env: Record<string, string> = {}) {
    const folder = mkdtempSync(join(home, 'project-'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const ecosystem = Object.keys(files).some((path) => /lock\.json|lock\.yaml|yarn|bun/.test(path)) ? 'npm' : 'pypi';
    return packageHosts(readProject(folder), { HOME: home, ...env })({ ecosystem, name });
  }
  const own = (files: Record<string, string>, name = 'kit', env: Record<string, string> = {}) =>
    assert.equal(hostOf(files, name, env), PRIVATE);
  const unnamed = (files: Record<string, string>, name = 'kit', env: Record<string, string> = {}) =>
    assert.equal(hostOf(files, name, env), undefined);

  it('package-lock.json, in all its forms', () => {
    const packages = {
      '': {},
      'node_modules/kit': { version: '1.0.0', resolved: resolved('kit') },
      'node_modules/a/node_modules/kit': { version: '1.0.0', resolved: resolved('kit', 'registry.npmjs.org') },
      'node_modules/bulb': { name: 'lamp', version: '1.0.0', resolved: resolved('lamp') },
      'node_modules/plain': { version: '1.0.0' },
    };
    const files = { 'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }) };
    own(files);
    own(files, 'lamp');
    unnamed(files, 'plain');
    const inner = { kit: { version: '1.0.0', resolved: resolved('kit') } };
    const dependencies = { a: { version: '1.0.0', dependencies: inner } };
    own({ 'package-lock.json': JSON.stringify({ lockfileVersion: 1, dependencies }) });
  });

  it('yarn.lock, with the settings of the later form', () => {
    const lock = `# yarn lockfile v1\n\n"bulb@npm:lamp@^1.0.0", "lamp@1":\n  version "1.0.0"\n  resolved "${resolved('lamp')}#abc"\n\n"@acme/kit@^1.0.0":\n  version "1.0.0"\n  resolved "${resolved('@acme/kit')}"\n`;
    own({ 'yarn.lock': lock }, 'lamp');
    own({ 'yarn.lock': lock }, '@acme/kit');
    const berry =
      '__metadata:\n  version: 8\n\n"@acme/kit@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "@acme/kit@npm:1.0.0"\n';
    const scopes = `npmScopes:\n  acme:\n    npmRegistryServer: "https://${PRIVATE}"\n`;
    own({ 'yarn.lock': berry, '.yarnrc.yml': scopes }, '@acme/kit');
    unnamed({ 'yarn.lock': berry, '.yarnrc.yml': scopes }, 'lamp');
    own({ 'yarn.lock': berry, '.yarnrc.yml': `npmRegistryServer: https://${PRIVATE}/` }, 'lamp');
    own({ 'yarn.lock': berry }, 'lamp', { YARN_NPM_REGISTRY_SERVER: `https://${PRIVATE}` });
  });

  it('pnpm-lock.yaml and bun.lock', () => {
    const pnpm = (resolution: string) =>
      `lockfileVersion: '9.0'\n\npackages:\n\n  '@acme/kit@1.0.0':\n    resolution: ${resolution}\n`;
    own({ 'pnpm-lock.yaml': pnpm(`{integrity: sha512-x==, tarball: ${resolved('@acme/kit')}}`) }, '@acme/kit');
    unnamed({ 'pnpm-lock.yaml': pnpm('{integrity: sha512-x==}') }, '@acme/kit');
    const bun = `{"lockfileVersion": 1, "workspaces": {"": {}}, "packages": {
      "kit": ["kit@1.0.0", "${resolved('kit')}", {}, "sha512-x=="], // a comment
      "lamp": ["lamp@1.0.0", "", {}, "sha512-x=="],
    }}`;
    own({ 'bun.lock': bun });
    unnamed({ 'bun.lock': bun }, 'lamp');
  });

  it('Python, where any package may be of the index beside the public one', () => {
    const uv = `version = 1\n\n[[package]]\nname = "kit"\nversion = "1.0.0"\nsource = { registry = "https://${PRIVATE}/simple" }\n`;
    own({ 'uv.lock': uv });
    const poetry = `[[package]]\nname = "kit"\nversion = "1.0.0"\n\n[package.source]\ntype = "legacy"\nurl = "https://${PRIVATE}/simple"\nreference = "own"\n\n[[package]]\nname = "lamp"\nversion = "1.0.0"\n`;
    own({ 'poetry.lock': poetry });
    unnamed({ 'poetry.lock': poetry }, 'lamp');
    const pins = 'kit==1.0.0\n';
    unnamed({ 'requirements.txt': pins });
    for (const option of ['-i', '--index-url', '--extra-index-url'])
      own({ 'requirements.txt': `${option} https://me:secret@${PRIVATE}/simple\n${pins}` });
    unnamed({ 'requirements.txt': `--index-url=https://pypi.org/simple\n${pins}` });
    assert.equal(hostOf({ 'requirements.txt': `--index-url $\{INDEX}\n${pins}` }, 'kit'), 'an index of its own');
    own({ 'requirements.txt': pins }, 'kit', { PIP_EXTRA_INDEX_URL: `https://${PRIVATE}/simple` });
    const pdm = '[[package]]\nname = "kit"\nversion = "1.0.0"\n';
    const source = `[project]\nname = "x"\n\n[[tool.pdm.source]]\nname = "own"\nurl = "https://${PRIVATE}/simple"\n`;
    own({ 'pdm.lock': pdm, 'pyproject.toml': source });
    unnamed({ 'pdm.lock': pdm, 'pyproject.toml': '[project]\nname = "x"\n' });
    mkdirSync(join(home, '.config/pip'), { recursive: true });
    writeFileSync(join(home, '.config/pip/pip.conf'), `[global]\nindex-url = https://${PRIVATE}/simple\n`);
    own({ 'requirements.txt': pins });
  });
});
