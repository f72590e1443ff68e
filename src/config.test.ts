import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError } from './config/error.ts';
import { readConfig } from './config.ts';

describe('addresses of the database', () => {
  const DATABASE = 'postgres://pooler.example:6432/registry';
  const DIRECT = 'postgres://database.example/registry';

  it('sessions use the same one unless another is named', () => {
    const named = readConfig({ REGISTRY_DATABASE_URL: DATABASE, REGISTRY_DATABASE_DIRECT_URL: DIRECT });

    assert.equal(readConfig({}).databaseDirectUrl, null);
    assert.equal(readConfig({ REGISTRY_DATABASE_URL: DATABASE }).databaseDirectUrl, DATABASE);
    assert.deepEqual([named.databaseUrl, named.databaseDirectUrl], [DATABASE, DIRECT]);
  });

  const wrong: [Record<string, string>, RegExp][] = [
    [{ REGISTRY_DATABASE_DIRECT_URL: DIRECT }, /REGISTRY_DATABASE_DIRECT_URL: needs REGISTRY_DATABASE_URL as well/],
    [
      { REGISTRY_DATABASE_URL: DATABASE, REGISTRY_DATABASE_DIRECT_URL: 'mysql://x' },
      /REGISTRY_DATABASE_DIRECT_URL: must begin with postgres:/,
    ],
  ];
  for (const [env, message] of wrong) {
    it(`refuses ${JSON.stringify(env)}`, () => {
      assert.throws(() => readConfig(env), message);
    });
  }
});

describe('configuration of ingest', () => {
  it('asks the public services, politely, unless told otherwise', () => {
    const { upstream, egress } = readConfig({});

    assert.equal(upstream.githubApiUrl, 'https://api.github.com');
    assert.deepEqual([upstream.githubToken, upstream.rendererUrl], [null, null]);
    assert.deepEqual(egress, { allow: [], deny: [], hostDelayMs: 1000 });
  });

  it('asks sources every 4 hours, or every 24, unless told otherwise', () => {
    assert.deepEqual(readConfig({}).pollHours, { normal: 4, low: 24 });
    assert.deepEqual(readConfig({ REGISTRY_POLL_NORMAL_HOURS: '0.5', REGISTRY_POLL_LOW_HOURS: '100' }).pollHours, {
      normal: 0.5,
      low: 100,
    });
  });

  const wrongIntervals: [string, Record<string, string>, RegExp][] = [
    ['zero', { REGISTRY_POLL_NORMAL_HOURS: '0' }, /REGISTRY_POLL_NORMAL_HOURS: must be a number from 0\.1 to 720/],
    ['a word', { REGISTRY_POLL_LOW_HOURS: 'daily' }, /REGISTRY_POLL_LOW_HOURS: must be a number from 0\.1 to 720/],
    ['low below normal', { REGISTRY_POLL_NORMAL_HOURS: '48' }, /REGISTRY_POLL_LOW_HOURS: must be at least .*NORMAL/],
  ];
  for (const [name, env, message] of wrongIntervals) {
    it(`refuses a polling interval of ${name}`, () => {
      assert.throws(() => readConfig(env), message);
    });
  }

  it('reads the names that other tools share, under its own first', () => {
    const shared = { GITHUB_TOKEN: 'shared', GITHUB_API_URL: 'https://ghe.example/api/v3/' };

    const one = readConfig(shared).upstream;
    const other = readConfig({ ...shared, REGISTRY_GITHUB_TOKEN: 'own' }).upstream;

    assert.deepEqual([one.githubToken, one.githubApiUrl], ['shared', 'https://ghe.example/api/v3']);
    assert.equal(other.githubToken, 'own');
  });

  it('names what is wrong', () => {
    const read = () => readConfig({ REGISTRY_HOST_DELAY_MS: '-1', REGISTRY_ITUNES_URL: 'itunes' });

    for (const name of [/REGISTRY_HOST_DELAY_MS/, /REGISTRY_ITUNES_URL/]) assert.throws(read, name);
    assert.throws(read, ConfigError);
  });
});
