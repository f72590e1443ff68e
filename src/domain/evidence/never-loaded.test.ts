import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareApi } from './compare.ts';
import { losesValues, withoutNeverLoaded } from './never-loaded.ts';
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
    assert.equal(losesValues(evidence), true);
    const told = withoutNeverLoaded(evidence, made(old, { main: 'index.js' }));
    assert.deepEqual([told.findings.length, told.counts.proven], isTold ? [1, 1] : [0, 0]);
  });
}

const REMOVALS: readonly [what: string, old: string, script: string, isTold: boolean][] = [
  ['a constant that the script had', 'export declare const lamp: 1;', 'export const lamp = 1;', true],
  ['a constant beside the default', 'export declare const lamp: 1;', 'export default 1;', false],
  ['a function that was never there', 'export declare function lamp(): void;', 'export default 1;', false],
  ['a class, which is a type too', 'export declare class lamp { a: 1 }', 'export default 1;', true],
  ['a constant of a script that is not understood', 'export declare const lamp: 1;', 'module.exports = make();', true],
];

for (const [what, declared, script, isTold] of REMOVALS) {
  test(`a name that is gone: ${what}`, () => {
    const rest = 'declare const one: 1; export default one;';
    const old = { 'index.d.ts': `${declared} ${rest}`, 'index.js': script };
    const evidence = compareApi(made(old, { main: 'index.js' }), made({ ...old, 'index.d.ts': rest }));
    assert.deepEqual(
      evidence.findings.map(({ kind, name }) => `${kind} ${name}`),
      ['export_removed lamp'],
    );
    assert.equal(withoutNeverLoaded(evidence, made(old, { main: 'index.js' })).findings.length, isTold ? 1 : 0);
  });
}
