import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ConfigError } from '../config/error.ts';
import { ensureRootKey } from './installation-secrets.ts';

describe('root key', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = (config: { rootKey?: string; databaseUrl?: string }) =>
    ensureRootKey({
      config: {
        rootKey: config.rootKey ?? null,
        databaseUrl: config.databaseUrl ?? null,
        dataDir: join(folder, 'data'),
      },
      randomBytes,
    });

  it('is made once beside the embedded database, for its owner alone', () => {
    const first = open({});
    const second = open({});

    assert.match(first?.value ?? '', /^[0-9A-Za-z]{48}$/);
    assert.deepEqual(second, first);
    assert.equal(first?.path, join(folder, 'data', 'root.key'));
    assert.equal(statSync(join(folder, 'data', 'root.key')).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(join(folder, 'data')), ['root.key']);
  });

  it('comes from the configuration first, and with a database server from nowhere else', () => {
    assert.deepEqual(open({ rootKey: 'r'.repeat(32) }), { value: 'r'.repeat(32), path: null });
    assert.equal(open({ databaseUrl: 'postgres://x' }), null);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is refused when its file holds too little', () => {
    open({});
    writeFileSync(join(folder, 'data', 'root.key'), 'short\n');

    assert.throws(() => open({}), ConfigError);
  });
});
