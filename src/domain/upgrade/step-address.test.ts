import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { versionSort } from '../versions/index.ts';
import { readStepAddress, resolveStep, stepAddressOf } from './step-address.ts';

const listed = (...versions: string[]) =>
  versions.map((version) => ({
    version,
    key: versionSort(version),
    prerelease: version.includes('-'),
    withdrawn: version === '9.9.9',
  }));
const FALLING = listed('10.1.0-beta.1', '10.0.0', '9.9.9', '9.1.0', '9.0.0', '8.0.0');

describe('the address of an upgrade', () => {
  const none = ['', '9', '9-to', 'next-to-10', '9-to-next', 'latest-to-10', '1.0.0-to-2.0.0-to-3.0.0', '9-to-10/x'];
  for (const text of none) it(`${text || 'nothing'} is none`, () => assert.equal(readStepAddress(text), null));

  const cases: [address: string, from: string, to: string, written: string, canonical: string][] = [
    ['9-to-10', '9.1.0', '10.0.0', '9-to-10', '9-to-10'],
    ['v9-to-10', '9.1.0', '10.0.0', '9-to-10', '9-to-10'],
    ['9.1.0-to-10.0.0', '9.1.0', '10.0.0', '9.1.0-to-10.0.0', '9-to-10'],
    ['9.0-to-v10.0.0', '9.0.0', '10.0.0', '9.0.0-to-10.0.0', '9.0.0-to-10.0.0'],
    ['9.0.0-to-9.1.0', '9.0.0', '9.1.0', '9.0.0-to-9.1.0', '9.0.0-to-9.1.0'],
    ['8-to-latest', '8.0.0', '10.0.0', '8-to-latest', '8-to-10'],
    ['9.0.0-to-latest', '9.0.0', '10.0.0', '9.0.0-to-latest', '9.0.0-to-10.0.0'],
    ['9.0.0-to-10.1.0-beta.1', '9.0.0', '10.1.0-beta.1', '9.0.0-to-10.1.0-beta.1', '9.0.0-to-10.1.0-beta.1'],
  ];
  for (const [address, from, to, written, canonical] of cases) {
    it(`${address} goes from ${from} to ${to}`, () => {
      const read = readStepAddress(address);
      assert.ok(read);
      const step = resolveStep(read, FALLING, '10.0.0');
      assert.deepEqual(
        { from: step?.from, to: step?.to, written: step?.written, canonical: step?.canonical },
        { from, to, written, canonical },
      );
    });
  }

  it('has no answer for a line that does not exist, or downwards', () => {
    for (const address of ['7-to-10', '9-to-11', '10-to-9', '10.0.0-to-9.0.0']) {
      const read = readStepAddress(address);
      assert.ok(read);
      assert.equal(resolveStep(read, FALLING, null), null, address);
    }
  });

  it('stands for what nobody has read yet', () => {
    const read = readStepAddress('1.0.0-to-latest');
    assert.ok(read);
    const step = resolveStep(read, [], null);
    assert.deepEqual([step?.from, step?.to, step?.written], ['1.0.0', null, '1.0.0-to-latest']);
  });

  it('is made of two versions and of nothing else', () => {
    assert.equal(stepAddressOf('v1.0.0', 'latest'), '1.0.0-to-latest');
    assert.equal(stepAddressOf('^1.0.0', 'latest'), null);
    assert.equal(stepAddressOf('1.0.0', 'next'), null);
    for (const to of ['1.0.0', 'v1.0.0', '0.9.0']) assert.equal(stepAddressOf('1.0.0', to), null, to);
    assert.equal(stepAddressOf('1.0.0', '2.0.0-to-3.0.0'), null);
  });
});
