import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingWitness } from './finding-witness.ts';

const FINDING = {
  kind: 'export_removed',
  name: 'a',
  subpath: '.',
  certainty: 'proven',
  was: null,
  is: null,
  text: '`a` is no longer exported',
} as const;

test('the code of a finding says between which versions it fails, and is escaped', () => {
  const witness = { code: "let a: A<any> = '';\n", language: 'typescript', error: 'TS2305: <b>' } as const;
  const shown = String(findingWitness({ ...FINDING, witness }, { from: '3.25.76', to: '4.6.7' }));
  assert.match(shown, /This compiles with 3\.25\.76 and not with 4\.6\.7/);
  assert.match(shown, /let a: A&lt;any&gt;/);
  assert.match(shown, /TS2305: &lt;b&gt;/);
  assert.match(shown, /data-copy/);
});

test('a finding without a witness shows no code', () => {
  assert.equal(String(findingWitness(FINDING, null)), '');
});
