import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareApi } from './compare.ts';
import { hasTypeOnly, withoutNeverLoaded } from './never-loaded.ts';
import { type PackageFiles, packageOf } from './package-files.ts';

function made(files: Record<string, string>, manifest: Record<string, unknown> = {}): PackageFiles {
  const json = JSON.stringify({ name: 'lamp', version: '1.0.0', type: 'module', types: 'index.d.ts', ...manifest });
  const found = packageOf(new Map(Object.entries({ 'package.json': json, ...files })));
  assert.ok(found);
  return found;
}

const OLD = 'export declare const on: () => void; export declare class Lamp { a: 1 }';
const NEW = 'export declare const on: () => void; export interface Lamp { a: 1 }';

const CASES: readonly [what: string, script: string, isTold: boolean][] = [
  ['the script has had it', 'export const on = () => {}; export class Lamp {}', true],
  ['the script has never had it', 'export const on = () => {};', false],
  ['names come from elsewhere', "export const on = () => {}; export * from 'other';", true],
  ['the script exports nothing', 'globalThis.on = () => {};', true],
  ['a default may be it', 'export const on = () => {}; export default class {}', true],
];

for (const [what, script, isTold] of CASES) {
  test(`a value that became a type: ${what}`, () => {
    const old = { 'index.d.ts': OLD, 'index.js': script };
    const evidence = compareApi(made(old, { main: 'index.js' }), made({ ...old, 'index.d.ts': NEW }));
    assert.equal(hasTypeOnly(evidence), true);
    const told = withoutNeverLoaded(evidence, made(old, { main: 'index.js' }));
    assert.deepEqual([told.findings.length, told.counts.proven], isTold ? [1, 1] : [0, 0]);
  });
}
