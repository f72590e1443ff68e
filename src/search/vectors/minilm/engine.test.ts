import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { sharedModelFolder } from '../../../../test/support/model.ts';
import { cosine as cosineWithStored } from '../../../domain/embedding/quantise.ts';
import { type EmbeddingEngine, openEngine, openNative, openWasm } from './engine.ts';
import { modelFiles, writeModelFiles } from './model-file.ts';
import { MODEL } from './model-package.ts';

const TEXTS = [
  'Users can now sign in with a passkey or hardware security key.',
  'Fixed a memory leak in the connection pool that caused workers to be OOM-killed after several days.',
  'passwordless login via WebAuthn',
  'process RAM keeps growing until the kernel terminates it',
  'Größe café 你好 🎉 C++20',
  'long '.repeat(2_000),
  'cache',
];

// The vectors of the first and the fifth text, a byte a value: stored ones stay comparable as long as these hold.
const STORED = [
  [
    0,
    '6/ja0vAdMffy7B5QEAov/ur4+/39pLvn+eA0KPY58RMRM83V/f3Xo7D0xVMHMcj3BSUxFAXprwkk7yoN8tX5JOgk15sX8NTz7cofBODhNgvxCtPVMn/L1t3pKAEc2QnNIQe588QLE+M39zX5//wEEwYoEzDNIUUm+gHv1PPZ7wDsQfvc9+4dydry9vwt+VMKzQQNIA/sQAbrK+EwLwvQ2tEOABVS1jf26szW387vIRwxNsQXxMflyOL1/ukFGDv85cM5+ugJ5eHTG5ItBAgsQCDwDTkBQdK+tN8cBkJC/wDBxt4JFhv8A9fzDDkl3UAA4S3kCecO7CwiGgg4+f40FOcM/MIsJNoTQQRAHeowP9jQHCnPQLnA9h4ASvAD7zw9BP4DUssgPuIYFwe+5vTW1SEYz/kezwH44drX8cTr/gAuHyAS+vX85wcQ9/Uc3vxBxwP38+rz8g4ZTNFDLu/M+Ur75QUG8v683v4FE6EdCh0RGAUIFir/DegOM+oSIg0T',
  ],
  [
    4,
    '2zMYGvBONiDpwTjEHv30vR/xExjrvdYCPA8NCxcCEj0d+i0UP6U8Kbfo/O4nGPUu8Ozp+i/tR/cO1RTqCMEKCMHl3gTsHeXRB+PP8QPS/+gIIQ8k5vUSvyHVFAutH7/y+dPeGeEpRyHR0gEh8+sR1vXQDAxDtgvtCAW1BLYCPwDJBNYeSvPWKeMNBMzVUucMGvH58SfdLxE1NjAVAQskAsQAy+kcE/X5+Pzj7SwtDu8Txt8en2j4B+Y9//cdRA/pAf/0/kgV7AlFGgb5xwUNDtAbG+Uk6CLgADOB40UMwwA6yuHU7CHR2uVBBRIgMAsSIQ6x1+Hg2yLwURX97CLG5fw8FRLiDus2C9oBXCvb0Mzi7kXT6cjXEA335/8QB/srKgnf4jHyPmDoPKsZO2MyDQ305i4Ose8FDwXpSdHjJQDj0dr2DY7GxA8L/Ry9LOPw3ALtAyU0Dfzi0iIA4ew4DdlTIyf8DdsBzpLi5+3o2vfbOuQYQxXTCNzsJBoaAvwD',
  ],
] as const;

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

  it('give the vectors that are stored already', async () => {
    for (const [at, stored] of STORED) {
      const cosine = cosineWithStored(
        await native.embed(TEXTS[at] ?? ''),
        new Int8Array(Buffer.from(stored, 'base64')),
      );
      assert.ok(cosine >= 0.999, `${TEXTS[at]}: ${cosine}`);
    }
  });

  it('give them from the files that the packed program brings, too', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'registry-model-'));
    t.after(() => rm(folder, { recursive: true }));
    const files = { graph: join(folder, 'encoder.onnx'), weights: join(folder, 'weights.safetensors') };
    await writeModelFiles(files, MODEL);
    const brought = { ...MODEL, graphPath: files.graph, weightsPath: files.weights };
    // Nothing is written at the start: there is no folder for it.
    const [second, fallback] = [await openNative(import.meta.filename, brought), await openWasm(brought)];

    for (const text of TEXTS) {
      const vector = await native.embed(text);
      assert.deepEqual(await second.embed(text), vector);
      const angle = cosine(vector, await fallback.embed(text));
      assert.ok(angle >= 0.98, `${text.slice(0, 30)}: ${angle}`);
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
    const { graph, weights } = modelFiles(folder, MODEL);
    for (const path of [graph, weights]) await writeFile(path, 'no model');

    const engine = await openNative(folder);

    assert.equal((await engine.embed('cache')).length, 384);
    assert.deepEqual((await readdir(folder)).sort(), [basename(graph), basename(weights)]);
  });

  it('falls back where the native one cannot be opened, and says why', () => {
    assert.deepEqual([native.name, wasm.name], ['native', 'wasm']);
    assert.match(String(reasons[0]), /ENOTDIR|EEXIST/);
  });
});
