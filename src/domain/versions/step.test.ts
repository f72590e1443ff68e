import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ParsedVersion, parseVersion, versionStep } from './index.ts';

const CASES: [current: string, previous: string | null, step: string | null][] = [
  ['3.0.0', '2.9.1', 'major'],
  ['1.0.0', '0.9.0', 'major'],
  ['1.5.0', '1.4.2', 'minor'],
  ['1.5', '1.4.2', 'minor'],
  ['1.4.3', '1.4.2', 'patch'],
  ['1.4.2.1', '1.4.2', 'patch'],
  ['1.4', '1', 'minor'],
  ['1.4.2.post1', '1.4.2', 'patch'],
  ['2.0.0-beta.1', '1.9.0', 'major'],
  ['2.0.0', null, 'major'],
  ['v12', null, 'major'],
  ['1.0.0', null, 'minor'],
  ['0.1.0', null, 'minor'],
  ['2.3.0', null, 'minor'],
  ['2.0.1', null, 'patch'],
  ['2.0.0.1', null, 'patch'],
  ['2024.1', '2023.9', null],
  ['2024-01-15', null, null],
  ['Falcon', null, null],
];

describe('versionStep', () => {
  for (const [current, previous, step] of CASES) {
    it(`${current} after ${previous ?? 'nothing'} is ${step}`, () => {
      assert.equal(versionStep(parsed(current), previous === null ? null : parsed(previous)), step);
    });
  }

  it('follows the setting of the source', () => {
    assert.equal(versionStep(parsed('2024.1'), parsed('2023.9'), 'numeric'), 'major');
    assert.equal(versionStep(parsed('16.0'), parsed('15.0'), 'calendar'), null);
  });
});

function parsed(text: string): ParsedVersion {
  const version = parseVersion(text);
  assert.ok(version);
  return version;
}
