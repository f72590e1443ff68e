import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packed } from '../domain/archive/archive.fixture.ts';
import { DEEP_DECLARATIONS, DEEP_OPERATORS, deepPackage } from '../domain/evidence/deep.fixture.ts';
import { compareOnThread, describeOnThread } from './evidence.ts';

const alone = (archive: Uint8Array) => ({ ecosystem: 'npm' as const, archive, dependencies: [], types: null });

describe('published packages on a thread', () => {
  for (const [title, files] of Object.entries(DEEP_DECLARATIONS)) {
    it(`are too large where the compiler overflows: ${title}`, async () => {
      const [old, next] = ['1.0.0', '2.0.0'].map((version) => packed(deepPackage(files, version)));
      assert.ok(old && next);
      const { refused, isLarge } = await describeOnThread(alone(old));
      assert.equal(isLarge, true);
      const result = await compareOnThread({ old: alone(old), next: alone(next) });
      assert.deepEqual(result, { kind: 'too_large', reason: refused });
    });
  }

  it('are too large where the compiler overflows on what nobody foresaw', async () => {
    const [old, next] = ['1.0.0', '2.0.0'].map((version) => packed(deepPackage(DEEP_OPERATORS, version)));
    assert.ok(old && next);
    assert.equal((await describeOnThread(alone(old))).refused, undefined);
    const result = await compareOnThread({ old: alone(old), next: alone(next) });
    assert.deepEqual(result, { kind: 'too_large', reason: 'is nested too deeply' });
  });

  it('are compared afterwards as if nothing had happened', async () => {
    const plain = (text: string) =>
      alone(packed({ 'package.json': '{"name":"plain","version":"1.0.0","types":"i.d.ts"}', 'i.d.ts': text }));
    const pair = { old: plain('export declare const a: 1, b: 2;'), next: plain('export declare const a: 1;') };
    const result = await compareOnThread(pair);
    assert.deepEqual(result.kind === 'compared' && result.evidence.findings.map(({ text }) => text), [
      '`b` is no longer exported',
    ]);
  });
});
