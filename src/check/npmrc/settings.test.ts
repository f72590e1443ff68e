import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseNpmrc } from './parse.ts';
import { readNpmSettings } from './settings.ts';

const root = mkdtempSync(join(tmpdir(), 'registry-npmrc-'));

function settings(files: { project?: string; user?: string; global?: string }, env: Record<string, string> = {}) {
  const [folder, home] = [mkdtempSync(join(root, 'project-')), mkdtempSync(join(root, 'home-'))];
  writeFileSync(join(folder, '.npmrc'), files.project ?? '');
  writeFileSync(join(home, '.npmrc'), files.user ?? '');
  writeFileSync(join(home, 'global'), files.global ?? '');
  return readNpmSettings({ folder, env: { HOME: home, npm_config_globalconfig: join(home, 'global'), ...env } });
}

describe('readNpmSettings', () => {
  after(() => rmSync(root, { recursive: true, force: true }));

  it('asks the registry of a scope, then the default one', () => {
    const { registryOf } = settings({
      user: '@acme:registry=https://npm.acme.example/\nregistry = "https://mirror.example/npm/"',
    });
    assert.equal(registryOf('@acme/kit').url, 'https://npm.acme.example');
    assert.equal(registryOf('lamp').url, 'https://mirror.example/npm');
    assert.deepEqual([registryOf('lamp').isPublic, registryOf('@acme/kit').isPublic], [false, false]);
    assert.equal(settings({}).registryOf('lamp').isPublic, true);
  });

  it('lets the file of a project name addresses and nothing else', () => {
    const hostile = [
      '@acme:registry=https://elsewhere.example',
      '//npm.acme.example/:_authToken=stolen',
      `//elsewhere.example/:_authToken=\${SECRET}`,
      `@other:registry=https://elsewhere.example/\${SECRET}`,
      'proxy=http://elsewhere.example:3128',
      'https-proxy=http://elsewhere.example:3128',
      'cafile=/etc/hostname',
      'cache=/tmp/elsewhere',
    ].join('\n');
    const found = settings({ project: hostile, user: '//npm.acme.example/:_authToken=own' }, { SECRET: 's3cret' });
    assert.equal(found.registryOf('@acme/kit').url, 'https://elsewhere.example');
    assert.equal(found.registryOf('@other/kit').url, 'https://registry.npmjs.org');
    // Only the person's token exists, and it goes to its own host.
    assert.equal(found.credentialFor('https://elsewhere.example/@acme/kit'), null);
    assert.equal(found.credentialFor('https://npm.acme.example/@acme/kit'), 'Bearer own');
    assert.equal(found.proxyFor('https://npm.acme.example/'), null);
    assert.equal(found.ca, null);
    assert.ok(!found.cacheFolder.includes('elsewhere'));
    assert.ok(!found.trustedHosts.some((host) => host.startsWith('elsewhere')));
  });

  it('sends a credential to its own place over https alone', () => {
    const user = [
      `//npm.acme.example/team/:_authToken=\${TOKEN}`,
      '//basic.example/:_auth=dTpw',
      '//up.example:8443/:username=u',
      `//up.example:8443/:_password=${Buffer.from('p').toString('base64')}`,
    ];
    const { credentialFor } = settings({ user: user.join('\n') }, { TOKEN: 't0' });
    assert.equal(credentialFor('https://npm.acme.example/team/kit'), 'Bearer t0');
    assert.equal(credentialFor('https://npm.acme.example/teams/kit'), null);
    assert.equal(credentialFor('https://npm.acme.example/kit'), null);
    assert.equal(credentialFor('http://npm.acme.example/team/kit'), null);
    assert.equal(credentialFor('https://npm.acme.example.evil.example/team/kit'), null);
    assert.equal(credentialFor('https://npm.acme.example:8443/team/kit'), null);
    assert.equal(credentialFor('https://basic.example/x'), 'Basic dTpw');
    assert.equal(credentialFor('https://up.example:8443/x'), 'Basic dTpw');
  });

  it('sends one without https only to a server of this machine that is named for it', () => {
    const user = '//127.0.0.1:4873/:_authToken=t\n//10.0.0.7:4873/:_authToken=t';
    assert.equal(settings({ user }).credentialFor('http://127.0.0.1:4873/kit'), null);
    const { credentialFor } = settings({ user }, { REGISTRY_EGRESS_ALLOW: '127.0.0.1:4873,10.0.0.7:4873' });
    assert.equal(credentialFor('http://127.0.0.1:4873/kit'), 'Bearer t');
    assert.equal(credentialFor('http://10.0.0.7:4873/kit'), null);
  });

  it('takes variables of npm, proxies and their exceptions', () => {
    const found = settings(
      { user: 'https-proxy=http://proxy.example:3128\nnoproxy=inside.example' },
      { npm_config_registry: 'https://by-variable.example', npm_config_cache: '/tmp/npm' },
    );
    assert.equal(found.registryOf('lamp').url, 'https://by-variable.example');
    assert.equal(found.cacheFolder, '/tmp/npm');
    assert.equal(found.proxyFor('https://registry.npmjs.org/x'), 'http://proxy.example:3128');
    assert.equal(found.proxyFor('https://npm.inside.example/x'), null);
  });
});

describe('parseNpmrc', () => {
  it('leaves out what cannot be filled in', () => {
    assert.deepEqual(
      [...parseNpmrc(`a=\${MISSING}\nb=\${MISSING?}x\nc = "q" \n; d=1\n[e]\nf[]=1\nf[]=2`, {})],
      [
        ['b', 'x'],
        ['c', 'q'],
        ['f', '1\n2'],
      ],
    );
    assert.deepEqual([...parseNpmrc(`a=\${HOME}\nb=1`, null)], [['b', '1']]);
  });
});
