import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { versionIdentity } from './index.ts';

const CASES: [text: string, identity: string][] = [
  ['1.2.0', '1.2.0'],
  ['v1.2.0', '1.2.0'],
  ['V1.4.0', '1.4.0'],
  ['v.1.2', '1.2'],
  ['refs/tags/v1.2.0', '1.2.0'],
  ['release-v1.2.0', '1.2.0'],
  ['@Scope/Pkg@1.2.0', '@scope/pkg@1.2.0'],
  ['@scope/pkg@v1.2.0', '@scope/pkg@1.2.0'],
  ['my-app-v1.2.3-Beta.2', 'my-app@1.2.3-beta.2'],
  ['my-app@1.2.3-beta.2', 'my-app@1.2.3-beta.2'],
  ['go1.22.1', 'go@1.22.1'],
  ['1.0.0+a', '1.0.0+a'],
  ['32.1.3-jre', '32.1.3-jre'],
  ['1.85.0 (Build 1234)', '1.85.0 (build 1234)'],
  ['nightly-2024-01-15', 'nightly-2024-01-15'],
  ['Codename Falcon', 'codename falcon'],
];

describe('versionIdentity', () => {
  for (const [text, identity] of CASES) {
    it(`of ${text}`, () => assert.equal(versionIdentity(text), identity));
  }

  it('keeps builds and flavours apart', () => {
    assert.notEqual(versionIdentity('1.0.0+a'), versionIdentity('1.0.0+b'));
    assert.notEqual(versionIdentity('32.1.3-jre'), versionIdentity('32.1.3-android'));
    assert.notEqual(versionIdentity('nightly-2024-01-15'), versionIdentity('2024-01-15'));
  });
});
