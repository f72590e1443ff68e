import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareApi } from './compare.ts';
import { type PackageFiles, packageOf } from './package-files.ts';

function made(files: Record<string, string>, manifest: Record<string, unknown> = {}): PackageFiles {
  const json = JSON.stringify({ name: 'lamp', version: '1.0.0', types: 'index.d.ts', ...manifest });
  const found = packageOf(new Map(Object.entries({ 'package.json': json, ...files })));
  assert.ok(found);
  return found;
}

function kinds(old: PackageFiles, next: PackageFiles): string[] {
  return compareApi(old, next).findings.map(({ kind, name }) => `${kind} ${name}`);
}

test('files that export each other in a circle end', () => {
  const circle = (extra: string) =>
    made({
      'index.d.ts': "export * from './a'; export * from './index';",
      'a.d.ts': `export * from './index'; export * from './a'; ${extra}`,
    });
  assert.deepEqual(kinds(circle('export declare const x: 1;'), circle('')), ['export_removed x']);
});

test('names that stand for each other in a circle end', () => {
  const circle = (extra: string) =>
    made({ 'index.d.ts': `export { b as a } from './a'; ${extra}`, 'a.d.ts': "export { a as b } from './index';" });
  assert.deepEqual(kinds(circle('export declare const x: 1;'), circle('')), ['export_removed x']);
});

test('types that never end are no finding', () => {
  const endless = (step: string) =>
    made({
      'index.d.ts': `export type Grow<T> = { next: Grow<T[]>; value: T; ${step}: Grow<[T, T]> };
        export declare function grow(x: Grow<string>): Grow<number>;
        type Loop<T> = T extends never ? 1 : Loop<[T]>;
        export declare const loop: Loop<string>;
        export declare class Deep<T> { deeper(): Deep<Deep<T>>; x: { y: Deep<T[]> } }`,
    });
  assert.deepEqual(kinds(endless('a'), endless('b')), ['member_removed Grow.a']);
});

test('many names are counted, not listed', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `export declare const n${index}: 1;`).join('\n');
  const { findings, counts } = compareApi(
    made({ 'index.d.ts': `${names} export {};` }),
    made({ 'index.d.ts': 'export {};' }),
  );
  assert.deepEqual([findings.length, counts.proven], [5_000, 10_000]);
});

test('a package.json of wrong kinds gives nothing', () => {
  const strange = {
    exports: { '.': [[[{ types: 7, default: null }]]] },
    bin: 7,
    engines: 'node',
    peerDependencies: [],
    typesVersions: 3,
    type: {},
  };
  assert.deepEqual(kinds(made({ 'index.d.ts': 'export {};' }, strange), made({ 'index.d.ts': '' }, strange)), []);
});

test('paths of a package lead nowhere outside of it', () => {
  const outside = made(
    { 'index.d.ts': "export * from '../../../../etc/passwd'; export * from '/etc/passwd'; export declare const a: 1;" },
    { types: '../../../../etc/passwd' },
  );
  assert.deepEqual(kinds(outside, made({ 'index.d.ts': 'export declare const a: 1;' })), []);
});

test('declarations that are no declarations are read as far as they go', () => {
  const broken = made({ 'index.d.ts': 'export declare const a: 1; export declare functio{{{ <<<< class' });
  assert.deepEqual(kinds(made({ 'index.d.ts': 'export declare const a: 1; export declare const b: 1;' }), broken), [
    'export_removed b',
  ]);
});
