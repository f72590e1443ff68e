import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { configFolder, openConfigFiles } from './config-files.ts';
import { chooseConnection } from './connection.ts';

const root = mkdtempSync(join(tmpdir(), 'registry-config-'));

describe('the folder of the client', () => {
  const cases: [platform: NodeJS.Platform, env: Record<string, string>, folder: string][] = [
    ['linux', { XDG_CONFIG_HOME: '/x/config', HOME: '/h' }, '/x/config/registry'],
    ['darwin', { HOME: '/h' }, '/h/.config/registry'],
    ['linux', { XDG_CONFIG_HOME: '', HOME: '/h' }, '/h/.config/registry'],
    ['win32', { APPDATA: '/users/a/roaming' }, '/users/a/roaming/registry'],
  ];
  for (const [platform, env, folder] of cases) {
    it(`${platform} ${JSON.stringify(env)}`, () => {
      assert.equal(configFolder(env, platform), folder);
    });
  }
});

describe('credentials', () => {
  after(() => rmSync(root, { recursive: true }));
  const env = { XDG_CONFIG_HOME: root };
  const files = openConfigFiles(env);
  const file = join(root, 'registry/credentials.json');

  it('are for the owner alone, one key a server', () => {
    files.setKey('https://a.example', { key: 'relu_a', id: 'k1' });
    files.setKey('https://b.example', { key: 'relu_b' });
    files.setLastServer('https://a.example');

    assert.equal(statSync(join(root, 'registry')).mode & 0o777, 0o700);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(files.keyOf('https://a.example'), { key: 'relu_a', id: 'k1' });
    assert.equal(files.keyOf('constructor'), undefined);
    files.setKey('https://a.example', undefined);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { 'https://b.example': { key: 'relu_b' } });
  });

  it('that others can read are refused with advice', () => {
    chmodSync(file, 0o644);
    assert.throws(() => files.keyOf('https://b.example'), /can be read by others.*chmod 600/);
    chmodSync(file, 0o600);
  });

  it('that are no JSON are refused with advice', () => {
    const broken = join(root, 'broken');
    const other = openConfigFiles({ XDG_CONFIG_HOME: broken });
    other.setKey('https://a.example', { key: 'x' });
    writeFileSync(join(broken, 'registry/credentials.json'), '[');
    assert.throws(() => other.keyOf('https://a.example'), /is no JSON object/);
  });

  it('server and credential: flag, environment, file, default', () => {
    const choose = (flags: Record<string, string | boolean>, more: Record<string, string> = {}) => {
      const { server, credential, credentialFrom } = chooseConnection({ env: { ...env, ...more }, flags });
      return [server, credential, credentialFrom];
    };

    assert.deepEqual(choose({}), ['https://a.example', undefined, 'none']);
    assert.deepEqual(choose({ server: 'https://b.example/' }), ['https://b.example', 'relu_b', 'file']);
    assert.deepEqual(choose({}, { REGISTRY_API_URL: 'https://b.example' }), ['https://b.example', 'relu_b', 'file']);
    assert.deepEqual(choose({}, { REGISTRY_API_KEY: 'key' }), ['https://a.example', 'key', 'environment']);
    assert.deepEqual(choose({ 'no-auth': true }, { REGISTRY_API_KEY: 'key' }), [
      'https://a.example',
      undefined,
      'none',
    ]);
    assert.deepEqual(choose({}, { XDG_CONFIG_HOME: join(root, 'none') })[0], 'http://localhost:8080');
    assert.throws(() => choose({ server: 'ftp://x' }), /http or https/);
    assert.throws(() => choose({ server: 'https://me:secret@x.example' }), /no user/);
    assert.throws(() => choose({}, { REGISTRY_API_KEY: 'a\nb' }), /characters that no key has/);
  });
});
