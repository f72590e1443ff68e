import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { scratchFolder } from '../test/support/scratch.ts';
import { bundledPackages, bundlePackages } from './test-packages.ts';

describe('packages of the tests', () => {
  it('are few files that share what several of them use', async (t) => {
    const folder = await scratchFolder('registry-packages-');
    t.after(() => rm(folder, { recursive: true, force: true }));
    await bundlePackages(folder);
    const urlOf = bundledPackages(folder);
    const [{ z }, { $ZodType }, { Kysely }] = await Promise.all(
      ['zod', 'zod/v4/core', 'kysely'].map((specifier) => import(urlOf(specifier) ?? '')),
    );
    assert.ok(z.string() instanceof $ZodType);
    assert.equal(typeof Kysely, 'function');
    assert.equal(urlOf('pg'), null);
    assert.equal(urlOf('./zod'), null);
    assert.throws(() => urlOf('zod/mini'), /zod\/mini has to be listed/);
  });

  it('are not bundled in a run by hand', () => {
    assert.equal(bundledPackages('')('zod'), null);
  });
});
