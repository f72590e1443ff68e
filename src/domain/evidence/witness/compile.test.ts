import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareApi } from '../compare.ts';
import type { Finding } from '../finding.ts';
import { type PackageFiles, packageOf } from '../package-files.ts';

function lamp(text: string, more: Record<string, string> = {}, manifest: Record<string, unknown> = {}): PackageFiles {
  const json = JSON.stringify({ name: 'lamp', version: '1.0.0', types: 'index.d.ts', ...manifest });
  const texts = { 'package.json': json, 'index.d.ts': text, 'index.js': '', ...more };
  const found = packageOf(new Map(Object.entries(texts)));
  assert.ok(found);
  return found;
}

function findings(old: string, next: string): Finding[] {
  return compareApi(lamp(old), lamp(next)).findings;
}

const WITNESSES: readonly [what: string, old: string, next: string, code: string, error: RegExp][] = [
  ['an export', 'export declare const a: 1;', 'export {};', "import { a } from 'lamp';", /^TS2305: /],
  ['a type', 'export type A = 1; export {};', 'export {};', "import type { A } from 'lamp';", /^TS2305: /],
  [
    'a member of a type with arguments',
    'export interface Bulb<T> { a: T; b: T }',
    'export interface Bulb<T> { b: T }',
    "import type { Bulb } from 'lamp';\ndeclare const bulb: Bulb<any>;\nbulb.a;",
    /^TS2339: Property 'a'/,
  ],
  [
    'a member whose name is no word',
    "export declare const a: { 'b-c': 1; d: 1 };",
    'export declare const a: { d: 1 };',
    "import { a } from 'lamp';\na['b-c'];",
    /^TS7053: |^TS2339: /,
  ],
  [
    'a protected member',
    'export declare class A { protected a(): void; b(): void }',
    'export declare class A { b(): void }',
    "import { A } from 'lamp';\nclass Own extends A {\n  own() {\n    this.a;\n  }\n}",
    /^TS2339: /,
  ],
  [
    'a type in a namespace',
    'export declare class A { a: 1 } export declare namespace A { interface B { c: 1 } }',
    'export declare class A { a: 1 }',
    "import { A } from 'lamp';\nlet value: A.B;",
    /^TS2702: |^TS2503: /,
  ],
  [
    'an argument that is needed',
    'export declare function a(b: string, c?: number): void;',
    'export declare function a(b: string, c: number): void;',
    "import { a } from 'lamp';\na('text');",
    /^TS2554: Expected 2 arguments/,
  ],
  [
    'an option that is not taken',
    'export declare function a(options?: { level?: string; more?: number }): void;',
    "export declare function a(options?: { level?: 'low' | 'high'; more?: number }): void;",
    "import { a } from 'lamp';\na({ level: 'text' });",
    /^TS2322: /,
  ],
  [
    'a result that lacks what was read',
    'export declare function a(): { b: string; c: string };',
    'export declare function a(): { b: string };',
    "import { a } from 'lamp';\na().c;",
    /^TS2339: Property 'c'/,
  ],
  [
    'a result that has to be waited for',
    'export declare function a(): string;',
    'export declare function a(): Promise<string>;',
    "import { a } from 'lamp';\nconst value: string = a();",
    /^TS2322: /,
  ],
  [
    'a value that is a type alone',
    'export declare class A { a: 1 }',
    'export interface A { a: 1 }',
    "import { A } from 'lamp';\nA;",
    /^TS2693: /,
  ],
];

for (const [what, old, next, code, error] of WITNESSES) {
  test(`a witness of ${what}`, () => {
    const [first, ...others] = findings(old, next);
    assert.deepEqual(others, []);
    assert.equal(first?.witness?.code, `${code}\n`);
    assert.equal(first?.witness?.language, 'typescript');
    assert.match(first?.witness?.error ?? '', error);
  });
}

test('what no usual use of a result misses is not told', () => {
  const next = 'export declare function a(): { b: string; c?: number };';
  assert.deepEqual(findings('export declare function a(): { b: string; c: number | undefined };', next), []);
});

test('modules that a package declares by name have witnesses of their own names', () => {
  const typed = { 'bulb/package.json': '{"main":"../bulb.js","types":"../index.d.ts"}', 'bulb.js': '' };
  const old =
    "declare module 'lamp' { export const a: 1; } declare module 'lamp/bulb' { const on: () => void; export default on; }";
  const files = {
    'bulb/package.json': '{"main":"../bulb.js","types":"../bulb.d.ts"}',
    'bulb.js': '',
    'bulb.d.ts': 'export declare const on: () => void;',
  };
  const { findings: found } = compareApi(lamp(old, typed), lamp('export declare const a: 1;', files));
  assert.deepEqual(
    found.map(({ kind, subpath, name, witness }) => [kind, subpath, name, witness?.code]),
    [
      [
        'default_export_changed',
        './bulb',
        'default',
        "import on from 'lamp/bulb';\ntype Result = ReturnType<typeof on>;\n",
      ],
    ],
  );
});
