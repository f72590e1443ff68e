import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareApi } from './compare.ts';
import type { Finding } from './finding.ts';
import { type PackageFiles, packageOf } from './package-files.ts';

type Files = Record<string, string>;

// A package of declarations in `index.d.ts`, or of the given files.
function made(files: Files | string, manifest: Record<string, unknown> = {}): PackageFiles {
  const texts = typeof files === 'string' ? { 'index.d.ts': files, 'index.js': '' } : files;
  const json = JSON.stringify({ name: 'lamp', version: '1.0.0', types: 'index.d.ts', ...manifest });
  const found = packageOf(new Map(Object.entries({ 'package.json': json, ...texts })));
  assert.ok(found);
  return found;
}

function shown({ kind, subpath, name, certainty }: Finding): string {
  return `${certainty} ${kind} ${subpath} ${name}`.replace('  ', ' ');
}

function difference(old: PackageFiles, next: PackageFiles): string[] {
  return compareApi(old, next).findings.map(shown);
}

const LAMP = 'export declare class Lamp { on(): void; }';

const FOUND: readonly [what: string, old: string, next: string, expected: string][] = [
  [
    'a type inside of a namespace that stood beside a class',
    'declare class A { a: string } declare namespace A { interface Options { b: string } } export default A;',
    'declare class A { a: string } interface Options { b: string } export default A; export { Options };',
    'proven member_removed . default.Options',
  ],
  [
    'a value inside of a namespace that stood beside a function',
    'export declare function a(): void; export declare namespace a { const level: string; function b(): void; }',
    'export declare const a: { (): void; level: string };',
    'proven member_removed . a.b',
  ],
  [
    'a default that the compiler named',
    'declare const _default: () => string; export default _default; export declare const a: 1;',
    'export declare const a: 1;',
    'proven default_export_changed . default',
  ],
  [
    'a name exported of something with an underscore',
    'declare function _a(): void; export { _a as a }; export declare const b: 1;',
    'export declare const b: 1;',
    'proven export_removed . a',
  ],
  [
    'a literal of an exported union',
    "export type A = 'x' | 'y' | 'z'; export {};",
    "export type A = 'x' | 'y'; export {};",
    'likely type_changed . A',
  ],
  [
    'type arguments that no argument tells',
    'export declare function a<T>(b: string): T;',
    'export declare function a(b: string): unknown;',
    'likely type_changed . a',
  ],
  [
    'a member that not all of several objects have',
    'export type A = { a: string; b: string } | { a: string; c: string }; export declare function f(): A;',
    'export type A = { a: string; b: string } | { c: string }; export declare function f(): A;',
    'likely member_removed . A.a',
  ],
  [
    'a function is gone',
    'export declare function a(): void; export declare const b: 1;',
    'export declare const b: 1;',
    'proven export_removed . a',
  ],
  ['a type is gone', 'export type A = string; export {};', 'export {};', 'proven export_removed . A'],
  [
    'a member of a class is gone',
    'export declare class A { a: string; b: string; }',
    'export declare class A { b: string; }',
    'proven member_removed . A.a',
  ],
  [
    'a member of options is gone',
    'export interface A { a?: string; b?: string }',
    'export interface A { b?: string }',
    'proven member_removed . A.a',
  ],
  [
    'a member of a base that is not exported',
    'interface B { a: string } export interface A extends B { c: string } export {};',
    'interface B { b: string } export interface A extends B { c: string } export {};',
    'proven member_removed . A.a',
  ],
  [
    'a member of an enum is gone',
    'export declare enum A { x, y }',
    'export declare enum A { x }',
    'proven member_removed . A.y',
  ],
  [
    'a static member is gone',
    'export declare class A { static a(): void; }',
    'export declare class A { static b(): void; }',
    'proven member_removed . A.a',
  ],
  [
    'a protected member that subclasses use',
    'export declare class A { protected a: string; b: 1; }',
    'export declare class A { b: 1; }',
    'proven member_removed . A.a',
  ],
  [
    'a name inside a namespace is gone',
    'export declare namespace n { const a: 1; const b: 1; }',
    'export declare namespace n { const b: 1; }',
    'proven member_removed . n.a',
  ],
  [
    'a class became a type',
    'export declare class A { a: 1 }',
    'export interface A { a: 1 }',
    'proven became_type_only . A',
  ],
  [
    'a class is exported as a type',
    'declare class A { a: 1 } export { A };',
    'declare class A { a: 1 } export type { A };',
    'proven became_type_only . A',
  ],
  [
    'a type became a value',
    'export interface A { a: 1 }',
    'export declare const A: { a: 1 };',
    'likely type_changed . A',
  ],
  [
    'the default is gone',
    'declare const a: 1; export default a; export { a };',
    'declare const a: 1; export { a };',
    'proven default_export_changed . default',
  ],
  [
    'a function that was the module',
    'declare function a(): void; export = a;',
    'export declare function a(): void;',
    'proven default_export_changed . default',
  ],
  [
    'a parameter is needed',
    'export declare function a(x?: string): void;',
    'export declare function a(x: string): void;',
    'likely parameter_required . a',
  ],
  [
    'a parameter of a method is needed',
    'export declare class A { a(): void; }',
    'export declare class A { a(x: string): void; }',
    'likely parameter_required . A.a',
  ],
  [
    'a call form with more arguments of what is received and given is gone',
    'export interface A { a(x: string, y: string): void; a(x: {}): void } export declare function f(g: (a: A) => void): A; export declare function h(a: A): void;',
    'export interface A { a(x: {}): void } export declare function f(g: (a: A) => void): A; export declare function h(a: A): void;',
    'likely parameter_narrowed . A.a',
  ],
  [
    'a result of the call without options',
    'export declare function a(x: string, y?: {}): string;',
    'export declare function a(x: string, y: { z: true }): Promise<string>; export declare function a(x: string, y?: {}): string | Promise<string>;',
    'likely result_changed . a',
  ],
  [
    'a default that its file gives another name',
    'declare function e(): void; export default e;',
    'declare function e(x: string): void; export default e;',
    'likely parameter_required . default',
  ],
  [
    'a constructor needs more',
    'export declare class A { constructor(); }',
    'export declare class A { constructor(x: string); }',
    'likely parameter_required . A',
  ],
  [
    'a parameter takes less',
    'export declare function a(x: string | number): void;',
    'export declare function a(x: string): void;',
    'likely parameter_narrowed . a',
  ],
  [
    'a parameter is gone',
    'export declare function a(x: string, y?: string): void;',
    'export declare function a(x: string): void;',
    'likely parameter_narrowed . a',
  ],
  [
    'an overload is gone',
    'export declare function a(x: string): void; export declare function a(x: number): void;',
    'export declare function a(x: string): void;',
    'likely parameter_narrowed . a',
  ],
  [
    'an option that is not exported is needed',
    'interface O { x?: string } export declare function a(o: O): void; export {};',
    'interface O { x: string } export declare function a(o: O): void; export {};',
    'likely parameter_narrowed . a',
  ],
  [
    'a result is something else',
    'export declare function a(): string;',
    'export declare function a(): Promise<string>;',
    'likely result_changed . a',
  ],
  [
    'a result may be missing',
    'export declare function a(): string;',
    'export declare function a(): string | undefined;',
    'likely result_changed . a',
  ],
  [
    'a constant has another type',
    'export declare const a: string;',
    'export declare const a: number;',
    'likely type_changed . a',
  ],
  [
    'a function can no longer be called',
    'export declare function a(): void;',
    'export declare const a: { b: string };',
    'likely type_changed . a',
  ],
  ['a literal is gone from a union', "export type A = 'x' | 'y';", "export type A = 'x';", 'likely type_changed . A'],
  [
    'a type argument is needed',
    'export interface A<T = 1> { a: T }',
    'export interface A<T> { a: T }',
    'likely type_changed . A',
  ],
  [
    'an option has to be given',
    'export interface O { x?: string } export declare function a(o: O): void;',
    'export interface O { x: string } export declare function a(o: O): void;',
    'likely type_changed . O.x',
  ],
  [
    'an option was added that has to be given',
    'export interface O { x: string } export declare function a(o: O): void;',
    'export interface O { x: string; y: string } export declare function a(o: O): void;',
    'likely type_changed . O.y',
  ],
  [
    'a received member may be missing',
    'export interface R { x: string } export declare function a(): R;',
    'export interface R { x?: string } export declare function a(): R;',
    'likely type_changed . R.x',
  ],
];

for (const [what, old, next, expected] of FOUND) {
  test(`is told: ${what}`, () => assert.deepEqual(difference(made(old), made(next)), [expected]));
}

const SILENT: readonly [what: string, old: string, next: string][] = [
  [
    'members marked as internal',
    'export interface A {\n/** @internal */\na: 1;\n/** @alpha */\nb: 1;\n/** @private */\nc: 1;\nd: 1 }',
    'export interface A { d: 1 }',
  ],
  [
    'names that begin with an underscore',
    'export declare const _a: 1; export interface A { _a: 1; b: 1 }',
    'export interface A { b: 1 }',
  ],
  [
    'a member more of a class that the package keeps to itself',
    'declare class C { a: 1 } export declare class D { use(c: C): void; make(): C } export {};',
    'declare class C { a: 1; b: 1 } export declare class D { use(c: C): void; make(): C } export {};',
  ],
  [
    'a member more behind another name of an exported type',
    'export type T<A> = { a: A } & { c: 1 }; type Any = T<any>; export declare function use(t: Any): T<1>; export {};',
    'export type T<A> = { a: A } & { c: 1; b: A }; type Any = T<any>; export declare function use(t: Any): T<1>; export {};',
  ],
  [
    'private members of a class that is asked for and not exported',
    'declare class B { #b; private c; d: 1; } export declare function a(b: B): void; export {};',
    'declare class B { #b; d: 1; e?: 2; } export declare function a(b: B): void; export {};',
  ],
  [
    'the object of all global names',
    'export declare function a(global: typeof globalThis): void;',
    'export declare function a(global: typeof globalThis, more?: 1): void;',
  ],
  ['private members', 'export declare class A { private a; #b; c: 1; }', 'export declare class A { c: 1; }'],
  [
    'protected members of a class nobody can extend',
    'export declare class A { private constructor(); protected a: 1; b: 1; }',
    'export declare class A { private constructor(); b: 1; }',
  ],
  [
    'names of type parameters',
    'export declare function a<T>(x: T): T; export interface A<T> { a: T }',
    'export declare function a<U>(x: U): U; export interface A<U> { a: U }',
  ],
  [
    'the order of unions',
    "export type A = 'x' | 'y'; export declare function a(x: string | number): void;",
    "export type A = 'y' | 'x'; export declare function a(x: number | string): void;",
  ],
  ['the order of members', 'export interface A { a: 1; b: 1 }', 'export interface A { b: 1; a: 1 }'],
  [
    'added optional parameters',
    'export declare function a(x: string): void;',
    'export declare function a(x: string, y?: string): void;',
  ],
  [
    'widened parameters',
    'export declare function a(x: string): void;',
    'export declare function a(x: string | number): void;',
  ],
  ['narrowed results', 'export declare function a(): string | number;', 'export declare function a(): string;'],
  [
    'a union of literals that grew',
    "export interface R { x: 'a' } export declare function a(): R;",
    "export interface R { x: 'a' | 'b' | (string & {}) } export declare function a(): R;",
  ],
  [
    'added overloads',
    'export declare function a(x: string): void;',
    'export declare function a(x: string): void; export declare function a(x: number): void;',
  ],
  ['deprecated marks and documentation', LAMP, `/** Old. @deprecated Use another. */ ${LAMP}`],
  [
    'members added to what is received',
    'export interface R { x: string } export declare function a(): R;',
    'export interface R { x: string; y: string } export declare function a(): R;',
  ],
  ['members added to a class', LAMP, 'export declare class Lamp { on(): void; off(): void; }'],
  [
    'an option that takes more',
    'export interface O { x?: () => void } export declare function a(o: O): O;',
    'export interface O { x?: () => void | string[] } export declare function a(o: O): O;',
  ],
  [
    'an optional argument that became a form of its own',
    'export declare function a(x: string, y?: number): string;',
    'export declare function a(x: string): string; export declare function a(x: string, y: number): string;',
  ],
  [
    'a method of what is received and given that takes less',
    'export interface A { a(x: string | number): void } export declare function f(): A; export declare function h(a: A): void;',
    'export interface A { a(x: string): void } export declare function f(): A; export declare function h(a: A): void;',
  ],
  ['the version as a constant', "export declare const version: '1.0.0';", "export declare const version: '1.0.1';"],
  [
    'a module that became a default',
    'declare const a: { b: string }; export = a;',
    'declare const a: { b: string }; export default a;',
  ],
  [
    'an enum of another copy',
    'export declare enum E { x } export declare function a(e: E): E;',
    'export declare enum E { x, y } export declare function a(e: E): E;',
  ],
  [
    'members that became readonly',
    'interface B { x: string; y: string[] } export interface R { b: B } export declare function a(): R; export {};',
    'interface B { x: string; y: string[] } export interface R { b: Readonly<B> } export declare function a(): R; export {};',
  ],
  [
    'unique symbols',
    'export declare const s: unique symbol; export declare function a(): typeof s;',
    'export declare const s: unique symbol; export declare function a(): typeof s; export {};',
  ],
  [
    'names of a package that is not there',
    'export declare const a: 1; export declare const b: 1;',
    "export * from 'missing'; export declare const b: 1;",
  ],
  [
    'members of a base that is not there',
    'export declare class A { a: 1; b: 1 }',
    "import { B } from 'missing'; export declare class A extends B { b: 1 }",
  ],
  [
    'types that depend on their parameters',
    'export declare function a<T>(x: T extends string ? 1 : 2): T;',
    'export declare function a<T>(x: T extends string ? 3 : 4): T;',
  ],
];

for (const [what, old, next] of SILENT) {
  test(`is silent: ${what}`, () => assert.deepEqual(difference(made(old), made(next)), []));
}

const MANIFEST: readonly [
  what: string,
  old: Record<string, unknown>,
  next: Record<string, unknown>,
  expected: string[],
][] = [
  [
    'engines raised',
    { engines: { node: '>=18' } },
    { engines: { node: '>=20' } },
    ['proven engines_raised engines.node'],
  ],
  [
    'engines with a hole',
    { engines: { node: '>=10' } },
    { engines: { node: '^12.17.0 || >=16' } },
    ['proven engines_raised engines.node'],
  ],
  ['engines lowered', { engines: { node: '>=18' } }, { engines: { node: '>=16' } }, []],
  ['engines dropped', { engines: { node: '>=18' } }, {}, []],
  ['a command removed', { bin: './cli.js' }, {}, ['proven bin_removed bin.lamp']],
  ['a command moved', { bin: './cli.js' }, { bin: { lamp: './bin/cli.js' } }, []],
  [
    'a peer raised',
    { peerDependencies: { react: '^17 || ^18' } },
    { peerDependencies: { react: '^18' } },
    ['proven peer_raised peerDependencies.react'],
  ],
  [
    'an optional peer raised',
    { peerDependencies: { react: '^17' }, peerDependenciesMeta: { react: { optional: true } } },
    { peerDependencies: { react: '^18' }, peerDependenciesMeta: { react: { optional: true } } },
    ['likely peer_raised peerDependencies.react'],
  ],
  ['a peer widened', { peerDependencies: { react: '^18' } }, { peerDependencies: { react: '^18 || ^19' } }, []],
  ['a peer added', {}, { peerDependencies: { react: '^18' } }, ['proven peer_added peerDependencies.react']],
  [
    'an optional peer added',
    {},
    { peerDependencies: { react: '*' }, peerDependenciesMeta: { react: { optional: true } } },
    [],
  ],
  [
    'peers of a family that is released together',
    { version: '1.0.0', peerDependencies: { '@lamp/ui': '1.0.0', '@lamp/kit': '^1.0.0' } },
    { version: '2.0.0', peerDependencies: { '@lamp/ui': '2.0.0', '@lamp/kit': '^2.0.0' } },
    [],
  ],
  ['modules only', { main: 'index.js' }, { main: 'index.js', type: 'module' }, ['proven esm_only . lamp']],
];

for (const [what, old, next, expected] of MANIFEST) {
  test(`package.json: ${what}`, () => assert.deepEqual(difference(made(LAMP, old), made(LAMP, next)), expected));
}

const TWO = { 'index.d.ts': LAMP, 'index.js': '', 'a.d.ts': LAMP, 'a.js': '' };

test('a class that is the module itself exports its static members, and no prototype', () => {
  const next = made('declare const A: { b: 1 }; declare namespace A { type B = 1 } export = A;');
  const found = difference(made('declare class A { static a: 1; static b: 1; } export = A;'), next);
  assert.ok(found.includes('proven export_removed . a'));
  assert.ok(found.every((line) => !line.includes('prototype')));
});

test('a subpath that is gone is told, and one that a pattern covers is not', () => {
  const old = made(TWO, { exports: { '.': './index.js', './a': './a.js' } });
  assert.deepEqual(difference(old, made(TWO, { exports: { '.': './index.js' } })), ['proven subpath_removed ./a ./a']);
  assert.deepEqual(difference(old, made(TWO, { exports: { '.': './index.js', './*': './*.js' } })), []);
});

test('types that exports no longer lead to are told', () => {
  const typed = made(
    { 'd/index.d.ts': LAMP, 'j/index.js': '' },
    { types: 'd/index.d.ts', exports: { '.': { types: './d/index.d.ts', default: './j/index.js' } } },
  );
  const hidden = made(
    { 'd/index.d.ts': LAMP, 'j/index.js': '' },
    { types: 'd/index.d.ts', exports: { '.': './j/index.js' } },
  );
  assert.deepEqual(difference(typed, hidden), ['likely type_changed . .']);
});

test('an entry point that adds to another one does not hide what that has lost', () => {
  const plugin = "declare module 'lamp' { interface Lamp { glow(): void } } export {};";
  const files = (root: string) =>
    made(
      { 'index.d.ts': root, 'index.js': '', 'plugin.d.ts': plugin, 'plugin.js': '' },
      { exports: { '.': './index.js', './plugin': './plugin.js' } },
    );
  const [old, next] = [
    files('export interface Lamp { on(): void; glow(): void }'),
    files('export interface Lamp { on(): void }'),
  ];
  assert.deepEqual(difference(old, next), ['proven member_removed . Lamp.glow']);
});

test('names of a dependency are seen when it is there', () => {
  const root = (extra = '') => made(`export * from 'bulb';${extra}`, { dependencies: { bulb: '1' } });
  const bulb = (text: string, version: string) => {
    const found = packageOf(
      new Map([
        ['package.json', JSON.stringify({ name: 'bulb', version, types: 'index.d.ts' })],
        ['index.d.ts', text],
      ]),
    );
    return { dependencies: found ? [found] : [], types: null };
  };
  const beside = {
    old: bulb('export declare const a: 1, b: 1;', '1.0.0'),
    new: bulb('export declare const b: 1;', '2.0.0'),
  };
  assert.deepEqual(compareApi(root(), root(), beside).findings.map(shown), ['proven export_removed . a']);
  assert.deepEqual(difference(root(), root(' export {};')), []);
});

test('of several lost call forms the one with the fewest arguments is told, and how many others there are', () => {
  const forms = 'export declare function a(x: 1, y: 2, z: 3): void; export declare function a(x: string): void;';
  const [finding] = compareApi(
    made(`${forms} export declare function a(): void;`),
    made('export declare function a(x?: boolean): void;'),
  ).findings;
  assert.equal(finding?.text, '`a(x)` takes less as `x`; 1 more form changed');
});

test('an object that was the whole module is missed where its members are no exports', () => {
  const api = 'declare const api: { a(): void; b(): void }; export = api;';
  const lost = compareApi(made(api), made('export declare function a(): void; export type B = 1;')).findings;
  assert.deepEqual(
    lost.map(({ kind, name, was, is }) => [kind, name, was, is]),
    [['default_export_changed', 'default', 'api', 'a, B']],
  );
  assert.deepEqual(
    difference(made(api), made('export declare function a(): void; export declare function b(): void;')),
    [],
  );
});

test('a class that was described as one of its objects has their members', () => {
  const old = 'declare let Box: Box; interface Box { new (): Box; add(): void; drop(): void } export { Box };';
  const next = 'export declare class Box { add(): void }';
  assert.deepEqual(difference(made(old), made(next)), ['proven member_removed . Box.drop']);
});

test('a module for `require` is compared with the one that `require` still gets', () => {
  const old = made('declare class P {} declare namespace P { class Q {} const a: 1; } export = P;');
  const files = {
    'index.d.mts': 'declare class P {} export default P;',
    'index.d.ts': 'declare class P {} declare namespace P { class Q {} } export = P;',
    'index.js': '',
  };
  const types = { import: './index.d.mts', default: './index.d.ts' };
  const next = made(files, { exports: { '.': { types, default: './index.js' } } });
  assert.deepEqual(difference(old, next), ['proven export_removed . a']);
});

test('a name that the default export still has says so', () => {
  const next = 'declare const lamp: { on(): void }; export default lamp;';
  const { findings } = compareApi(
    made('export declare function on(): void; export declare function off(): void;'),
    made(next),
  );
  assert.deepEqual(
    findings.map(({ name, is, text }) => [name, is, text]),
    [
      ['off', null, '`off` is no longer exported'],
      ['on', 'default.on', '`on` is only a member of the default export now'],
    ],
  );
});

test('a global of the language that a package only adds to is not its own', () => {
  const old = 'interface Array<T> { lamp: T } declare var lamp: string; declare var own: string;';
  assert.deepEqual(difference(made(old), made('declare var lamp: string;')), ['proven export_removed . own']);
});

test('names that scripts plainly export are found behind what bundlers write', () => {
  const script = (text: string) => made({ 'index.js': text }, { types: undefined });
  const forms = [
    'function Lamp() {} Lamp.a = 1; Lamp.b = 2; module.exports = Lamp;',
    'exports = module.exports = class Lamp {}; exports.a = 1; exports.b = 2;',
    'Object.assign(exports, { a, b });',
    '__export(exports, { a: () => a, b: () => b });',
    '__export(src, { a: () => a }); module.exports = __toCommonJS(src); 0 && (module.exports = { a, b });',
    'wrap(this, function (exports) { exports.a = 1; exports.b = 2; });',
  ];
  for (const form of forms) {
    const without = form.replace(/(?:, b: \(\) => b|, b(?= )|(?:Lamp|exports)\.b = 2;)/, '');
    assert.deepEqual(difference(script(form), script(without)), ['likely export_removed . b'], form);
  }
});

test('scripts without declarations are compared by the names that they plainly export', () => {
  const script = (text: string) => made({ 'index.js': text }, { types: undefined, main: 'index.js' });
  const answer = compareApi(script('exports.a = 1; exports.b = 2;'), script('exports.b = 2;'));
  assert.deepEqual([answer.types, answer.findings.map(shown)], ['none', ['likely export_removed . a']]);
  const assigned = 'const x = make(); module.exports = x;';
  assert.deepEqual(difference(script('exports.a = 1;'), script(assigned)), []);
});

test('a script that is a function or class itself, and gives names instead', () => {
  const script = (text: string) => made({ 'index.js': text }, { types: undefined, main: 'index.js' });
  const named = script('class Lamp {} exports.Lamp = Lamp;');
  const wholes = [
    'class Lamp {} module.exports = Lamp',
    'const Lamp = class {}; module.exports = Lamp',
    'function Lamp() {} Lamp.a = 1; module.exports = Lamp; module.exports.b = 2',
  ];
  for (const whole of wholes) {
    const [finding] = compareApi(script(whole), named).findings.filter(({ name }) => name === 'default');
    assert.equal(finding?.text, 'there is no default export any more; `Lamp` is exported by name');
    assert.equal(finding?.certainty, 'likely');
  }
  assert.deepEqual(difference(script('module.exports = () => {}'), named), ['likely default_export_changed . default']);
  // What else is the module may still be called, or never was.
  const silent: [old: string, next: string][] = [
    ['class Lamp {} module.exports = Lamp', 'class Lamp {} module.exports = Lamp'],
    ['class Lamp {} module.exports = Lamp', 'module.exports = require("./dist.json")'],
    ['class Lamp {} module.exports = Lamp', 'class Lamp {} exports = module.exports = Lamp'],
    ['class Lamp {} module.exports = Lamp', 'exports.default = Lamp; module.exports = exports.default'],
    ['class Lamp {} module.exports = Lamp', 'export default class Lamp {}'],
    ['const lamp = { a: 1 }; module.exports = lamp', 'exports.b = 1'],
    ['let lamp = () => {}; { let lamp = 1 } lamp = {}; module.exports = make(lamp)', 'exports.b = 1'],
  ];
  for (const [old, next] of silent) assert.deepEqual(difference(script(old), script(next)), [], `${old} -> ${next}`);
});

test('the list ends at 5,000, names before signatures, and says how many are missing', () => {
  const names = Array.from({ length: 5_100 }, (_, index) => `export declare const n${index}: 1;`).join('\n');
  const { findings, more, counts } = compareApi(
    made(`${names} export declare function a(): void;`),
    made('export declare function a(x: string): void;'),
  );
  assert.deepEqual([findings.length, more, counts], [5_000, 101, { proven: 5_100, likely: 1 }]);
  assert.equal(findings.at(-1)?.kind, 'parameter_required');
});

test('values are cut at 300 characters', () => {
  const long = Array.from({ length: 200 }, (_, index) => `x${index}: string`).join('; ');
  const [finding] = compareApi(
    made(`export declare const a: { b: { ${long} } }`),
    made('export declare const a: {}'),
  ).findings;
  assert.equal(finding?.kind, 'member_removed');
  assert.ok((finding?.was?.length ?? 999) <= 300);
});

const untyped = (text: string) => made({ 'index.js': text }, { types: undefined, main: 'index.js' });

function typesBy(text: string, version: string) {
  const json = JSON.stringify({ name: '@types/lamp', version, types: 'index.d.ts' });
  return { dependencies: [], types: packageOf(new Map(Object.entries({ 'package.json': json, 'index.d.ts': text }))) };
}

test('declarations of others are never proof', () => {
  const lost = typesBy('export declare function a(): void; export declare function b(): void;', '1.0.0');
  const left = typesBy('export declare function a(): void;', '1.1.0');
  const [was, is] = [untyped('exports.a = a'), untyped('exports.a = a; exports.c = 1')];
  const { findings, types } = compareApi(was, is, { old: lost, new: left });
  assert.equal(types, 'definitely_typed');
  assert.deepEqual(
    findings.map(({ certainty, text }) => [certainty, text]),
    [['likely', '`b` is no longer exported (types by others)']],
  );
  // Own ones that came later are held against those of others.
  const typed = made('export declare function a(): void;');
  assert.deepEqual(compareApi(was, typed, { old: lost, new: lost }).findings.map(shown), ['likely export_removed . b']);
});

test('with the same declarations of others the package itself still tells', () => {
  const same = typesBy('export declare function a(): void; export declare function b(): void;', '1.0.0');
  const beside = { old: same, new: same };
  assert.deepEqual(compareApi(untyped('exports.a = 1'), untyped('exports.a = 2'), beside).findings, []);
  const { findings } = compareApi(untyped('exports.a = 1; exports.b = 1'), untyped('exports.a = 2'), beside);
  assert.deepEqual(findings.map(shown), ['likely export_removed . b']);
});

test('a global name that moves into `declare global`, or to the language itself, is not gone', () => {
  const before = made({ 'index.d.ts': 'declare var lamp: string; declare var Promise: any; declare var gone: 1;' });
  const moved = made({
    'index.d.ts': '/// <reference path="lamp.d.ts" />',
    'lamp.d.ts': 'declare module "lamps" { global { var lamp: string; } export const a: 1; }',
  });
  const module = made({
    'index.d.ts': '/// <reference path="lamp.d.ts" />',
    'lamp.d.ts': 'export {}; declare global { var lamp: string; }',
  });
  for (const after of [moved, module]) {
    assert.deepEqual(difference(before, after), ['proven export_removed . gone']);
    assert.deepEqual(difference(after, made('declare var other: 1;')), ['proven export_removed . lamp']);
  }
});
