import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { Finding, FindingKind } from '../evidence/finding.ts';
import type { SourceFile } from './project.ts';
import { useOf } from './use-of.ts';
import { readUses } from './uses.fixture.ts';

function finding(name: string, kind: FindingKind = 'export_removed', rest: Partial<Finding> = {}): Finding {
  return { kind, name, subpath: '.', certainty: 'proven', was: null, is: null, text: name, ...rest };
}

function files(texts: Record<string, string>): SourceFile[] {
  return Object.entries(texts).map(([path, text]) => ({ path, text }));
}

// The word and the lines, as `used a.ts:2 b.ts:1`.
function said(texts: string | Record<string, string>, asked: Finding | string, name = 'pkg'): string {
  const sources = files(typeof texts === 'string' ? { 'a.ts': texts } : texts);
  const whole = useOf(readUses(sources), name, asked);
  // Reading only what can matter gives the same answer.
  assert.deepEqual(useOf(readUses(sources, { asked: [name] }), name, asked), whole);
  const { use, places } = whole;
  return [use, ...places.map(({ file, line }) => `${file}:${line}`)].join(' ');
}

describe('use of an exported name', () => {
  const cases: [title: string, text: string | Record<string, string>, expected: string][] = [
    ['a named import that is called', `import { a } from 'pkg';\na();`, 'used a.ts:2'],
    ['an import under another name', `import { a as b } from 'pkg';\nb;`, 'used a.ts:2'],
    ['a text as name', `import { 'a' as b } from 'pkg';\nb;`, 'used a.ts:2'],
    ['an import that nobody reads', `import { a } from 'pkg';`, 'imported_not_used a.ts:1'],
    ['a namespace', `import * as p from 'pkg';\np.a();`, 'used a.ts:2'],
    ['another name of the namespace', `import * as p from 'pkg';\np.b();`, 'not_used'],
    ['destructuring of a namespace', `import * as p from 'pkg';\nconst { a: x } = p;\nx();`, 'used a.ts:2 a.ts:3'],
    [
      'nested destructuring with a default',
      `import * as p from 'pkg';\nconst { a: { b = 1 } = {} } = p;`,
      'used a.ts:2',
    ],
    ['a rest', `import * as p from 'pkg';\nconst { b, ...rest } = p;\nrest.a();`, 'used a.ts:3'],
    ['an alias of the namespace', `import * as p from 'pkg';\nconst y = p;\ny.a;`, 'used a.ts:3'],
    ['an alias that is given later', `import * as p from 'pkg';\nlet y;\ny = p;\ny.a;`, 'used a.ts:4'],
    ['a literal element', `import * as p from 'pkg';\np['a']();`, 'used a.ts:2'],
    ['an element by a constant', `import * as p from 'pkg';\nconst k = 'a';\np[k]();`, 'used a.ts:3'],
    ['a computed element', `import * as p from 'pkg';\np[process.argv[2]]();`, 'unclear a.ts:2'],
    ['the namespace as an argument', `import * as p from 'pkg';\ninspect(p);`, 'unclear a.ts:2'],
    ['require', `const p = require('pkg');\np.a();`, 'used a.ts:2'],
    ['require, taken apart', `const { a } = require('pkg');\na();`, 'used a.ts:2'],
    ['require, taken apart and not read', `const { a } = require('pkg');`, 'imported_not_used a.ts:1'],
    ['require in place', `require('pkg').a();`, 'used a.ts:1'],
    ['a function that is called require', `function f(require) { require('pkg').a(); }\nimport 'pkg';`, 'not_used'],
    [
      'createRequire',
      `import { createRequire } from 'node:module';\nconst r = createRequire(import.meta.url);\nr('pkg').a();`,
      'used a.ts:3',
    ],
    [
      'module.createRequire',
      `import module from 'node:module';\nconst r = module.createRequire(import.meta.url);\nconst { a } = r('pkg');\na();`,
      'used a.ts:4',
    ],
    ['import = require', `import p = require('pkg');\np.a();`, 'used a.ts:2'],
    ['an alias of an entity', `import p = require('pkg');\nimport x = p.a;\nx();`, 'used a.ts:2 a.ts:3'],
    ['an awaited import', `const { a } = await import('pkg');\na();`, 'used a.ts:2'],
    ['an awaited import in place', `(await import('pkg')).a();`, 'used a.ts:1'],
    ['a promise of a module', `import('pkg').then((p) => p.a());`, 'used a.ts:1'],
    ['a promise, taken apart', `import('pkg').then(({ a }) => {\n  a();\n});`, 'used a.ts:2'],
    [
      'several promises',
      `const [x, { a }] = await Promise.all([import('other'), import('pkg')]);\na();`,
      'used a.ts:2',
    ],
    ['a module by a constant', `const name = 'pkg';\nconst p = require(name);\np.a();`, 'used a.ts:3'],
    ['a function that loads it', `const load = () => require('pkg');\nload().a();`, 'used a.ts:2'],
    ['a helper of a compiler', `const p_1 = __importStar(require('pkg'));\np_1.a();`, 'used a.ts:2'],
    ['an object that holds it', `import * as p from 'pkg';\nconst lib = { p };\nlib.p.a();`, 'used a.ts:3'],
    ['a re-export', `export { a } from 'pkg';`, 'used a.ts:1'],
    ['a re-export of a binding', `import { a } from 'pkg';\nexport { a as b };`, 'used a.ts:2'],
    ['a star', `export * from 'pkg';`, 'unclear a.ts:1'],
    [
      'a name behind a star',
      { 'a.ts': `export * from 'pkg';`, 'b.ts': `import { a } from './a';\na();` },
      'used b.ts:2',
    ],
    [
      'a name behind a file',
      { 'a.ts': `export { a as x } from 'pkg';`, 'b.ts': `import { x } from './a.js';\nx();` },
      'used a.ts:1 b.ts:2',
    ],
    [
      'a default behind a file',
      { 'a.cjs': `module.exports = require('pkg');`, 'b.ts': `import p from './a.cjs';\np.a();` },
      'used b.ts:2',
    ],
    ['JSX', { 'a.tsx': `import * as p from 'pkg';\nexport default () => <p.a />;` }, 'used a.tsx:2'],
    ['a type', `import type { a } from 'pkg';\nlet x: a<string>;`, 'used a.ts:2'],
    ['a type of a namespace', `import * as p from 'pkg';\nlet x: p.a;`, 'used a.ts:2'],
    ['an import type', `let x: import('pkg').a;`, 'used a.ts:1'],
    ['a member of typeof import', `let x: (typeof import('pkg'))['a'];`, 'used a.ts:1'],
    ['typeof import', `let x: typeof import('pkg');`, 'unclear a.ts:1'],
    ['typeof', `import { a } from 'pkg';\nlet x: typeof a;`, 'used a.ts:2'],
    ['a base class', `import { a } from 'pkg';\nclass X extends a {}`, 'used a.ts:2'],
    ['a decorator', `import { a } from 'pkg';\n@a()\nclass X {}`, 'used a.ts:2'],
    ['a local of that name', `import { b } from 'pkg';\nconst a = b();\na();`, 'not_used'],
    ['a shadowed import', `import { a } from 'pkg';\nfunction f(a) { return a(); }`, 'imported_not_used a.ts:1'],
    ['shadowed in a block only', `import { a } from 'pkg';\n{ const a = 1; a; }\na();`, 'used a.ts:3'],
    ['shadowed by a catch', `import { a } from 'pkg';\ntry {} catch (a) { a(); }`, 'imported_not_used a.ts:1'],
    [
      'shadowed by a hoisted var',
      `import { a } from 'pkg';\nfunction f() { a(); if (x) { var a = 1; } }`,
      'imported_not_used a.ts:1',
    ],
    ['shadowed by a type parameter', `import { a } from 'pkg';\ntype T<a> = a[];`, 'imported_not_used a.ts:1'],
    ['comments and texts', `// import { a } from 'pkg'\nconst t = "require('pkg').a()";`, 'not_imported'],
    ['a load whose name is put together', `const t = 'pkg';\nlet n = t + x;\nimport(n);`, 'unclear a.ts:3'],
    ['a load of local files', `const t = 'pkg';\nimport(\`./\${t}\`);`, 'not_imported'],
    ['broken syntax', `import { b } from 'pkg';\nconst = = ;\nfunction {`, 'unclear a.ts:1'],
    [
      'paths of tsconfig',
      {
        'tsconfig.json': `{ // paths\n"compilerOptions": { "paths": { "@lib/*": ["./src/*"], "pkg": ["./src/own.ts"] } }, }`,
        'src/own.ts': `export const a = 1;`,
        'src/x.ts': `import { a } from 'pkg';\na();`,
      },
      'not_imported',
    ],
    [
      'a workspace',
      {
        'packages/w/package.json': `{"name":"@me/w"}`,
        'packages/w/src/index.ts': `export * from 'pkg';`,
        'app/b.ts': `import { a } from '@me/w';\na();`,
      },
      'used app/b.ts:2',
    ],
    [
      'another name for the package',
      { 'package.json': `{"dependencies":{"p2":"npm:pkg@1"}}`, 'b.ts': `import { a } from 'p2';\na();` },
      'used b.ts:2',
    ],
    [
      'a script of Vue',
      { 'a.vue': `<template><a/></template>\n<script setup lang="ts">\nimport { a } from 'pkg';\na();\n</script>` },
      'used a.vue:1 a.vue:4',
    ],
    [
      'a template of Svelte',
      { 'a.svelte': `<script>\nimport { a } from 'pkg';\n</script>\n<p>{a()}</p>` },
      'used a.svelte:4',
    ],
    ['an augmentation', `declare module 'pkg' {\n  interface a { x: 1 }\n}`, 'used a.ts:2'],
    ['a mock', `vi.mock('pkg');`, 'not_used'],
  ];
  for (const [title, text, expected] of cases) {
    it(title, () => assert.equal(said(text, finding('a')), expected));
  }
});

describe('use of a member', () => {
  const member = finding('A.m', 'member_removed');
  const cases: [title: string, text: string, expected: string][] = [
    ['a static one', `import { A } from 'pkg';\nA.m();`, 'used a.ts:2'],
    ['of an instance', `import { A } from 'pkg';\nconst x = new A();\nx.m();`, 'used a.ts:3'],
    ['of a declared parameter', `import type { A } from 'pkg';\nfunction f(x: A) { x.m(); }`, 'used a.ts:2'],
    ['of this', `import { A } from 'pkg';\nclass B extends A {\n  f() { this.m(); }\n}`, 'used a.ts:3'],
    ['of a result', `import { f } from 'pkg';\nf().m();`, 'unclear a.ts:2'],
    ['of a value whose type is not known', `import { f } from 'pkg';\nrun((x) => x.m());`, 'unclear a.ts:2'],
    ['in a comment', `import { A } from 'pkg';\nnew A(); // m`, 'not_used'],
  ];
  for (const [title, text, expected] of cases) it(title, () => assert.equal(said(text, member), expected));

  it('of what is exported as the module is reached by require and by a default import', () => {
    const gone = finding('pkg.m', 'member_removed');
    assert.equal(said(`const p = require('pkg');\np.m();`, gone), 'used a.ts:2');
    assert.equal(said(`import p from 'pkg';\np['m'];`, gone), 'used a.ts:2');
  });

  const wholes: [title: string, text: string | Record<string, string>, expected: string][] = [
    ['is called as the module', `const p = require('pkg');\np('x');`, 'used a.ts:2'],
    ['is called in place', `require('pkg')('x');`, 'used a.ts:1'],
    ['is made as the module', `const P = require('pkg');\nnew P();`, 'used a.ts:2'],
    ['is called by a namespace', `import * as p from 'pkg';\np();`, 'used a.ts:2'],
    ['is imported and called', `import anything from 'pkg';\nanything();`, 'used a.ts:2'],
    ['is imported and extended', `import P from 'pkg';\nclass Q extends P {}`, 'used a.ts:2'],
    ['is handed on', `const p = require('pkg');\nrun(p);`, 'unclear a.ts:2'],
    ['is not touched by its members', `const p = require('pkg');\np.sync();`, 'not_used'],
    ['is not what it returned', `const q = require('pkg')();\nq.a();`, 'used a.ts:1'],
  ];
  for (const [title, text, expected] of wholes) {
    it(`a default that ${title}`, () => {
      assert.equal(said(text, finding('pkg', 'parameter_required')), expected);
      assert.equal(
        said(text, finding('Pkg', 'export_removed')),
        expected.startsWith('unclear') ? expected : 'not_used',
      );
    });
  }

  const forms: [
    title: string,
    kind: FindingKind,
    text: string,
    was: string,
    is: string,
    call: string,
    used: boolean,
  ][] = [
    [
      'needs more, with enough',
      'parameter_required',
      'now needs `y`',
      'a(x: 1): 2',
      'a(x: 1, y: 2): 2',
      'a(1, 2)',
      false,
    ],
    ['needs more, with too few', 'parameter_required', 'now needs `y`', 'a(x: 1): 2', 'a(x: 1, y: 2): 2', 'a(1)', true],
    [
      'no callback given',
      'parameter_narrowed',
      'no longer takes `c`',
      'a(x: (y: 1, z: 2) => 3, c?: 4): 5',
      'a(x: 1): 2',
      'a(1)',
      false,
    ],
    [
      'a callback given',
      'parameter_narrowed',
      'no longer takes `c`',
      'a(x: (y: 1, z: 2) => 3, c?: 4): 5',
      'a(x: 1): 2',
      'a(1, 2)',
      true,
    ],
    [
      'options not given',
      'parameter_narrowed',
      'takes less as `o`',
      'a(x: 1, y?: 2): 3',
      'a(x: 1, o?: 2): 3',
      'a(1)',
      false,
    ],
    [
      'options given',
      'parameter_narrowed',
      'takes less as `o`',
      'a(x: 1, y?: 2): 3',
      'a(x: 1, o?: 2): 3',
      'a(1, {})',
      true,
    ],
    [
      'another form',
      'result_changed',
      'returns something else',
      'a<T>(x: T, y: { z: "," }): T',
      'a(): 1',
      'a(1)',
      false,
    ],
    [
      'this form',
      'result_changed',
      'returns something else',
      'a<T>(x: T, y: { z: "," }): T',
      'a(): 1',
      'a(1, 2)',
      true,
    ],
    [
      'fewer arguments than the first of several forms',
      'parameter_narrowed',
      'takes less as `c`; 2 more forms changed',
      'a(x: 1, c?: 2): 3',
      'a(x: 1, c?: 4): 3',
      'a(1)',
      false,
    ],
    [
      'as many as one of several forms',
      'parameter_required',
      'now needs `y`; 1 more form changed',
      'a(x: 1): 2',
      'a(x: 1, y: 2): 2',
      'a(1, 2)',
      true,
    ],
    [
      'a list that is spread',
      'parameter_narrowed',
      'no longer takes `c`',
      'a(x: 1, c: 2): 3',
      'a(x: 1): 2',
      'a(...b)',
      true,
    ],
    [
      'a function that is handed on',
      'parameter_narrowed',
      'no longer takes `c`',
      'a(x: 1, c: 2): 3',
      'a(x: 1): 2',
      'b(a)',
      true,
    ],
    ['a signature that was cut', 'parameter_narrowed', 'no longer takes `c`', 'a(x: 1, …', 'a(x: 1, …', 'a(1)', true],
  ];
  for (const [title, kind, text, was, is, call, used] of forms) {
    it(`a call: ${title}`, () => {
      const asked = finding('a', kind, { text: `\`a(…)\` ${text}`, was, is });
      assert.equal(said(`import { a } from 'pkg';\n${call};`, asked), used ? 'used a.ts:2' : 'not_used');
      const required = said(`const x = require('pkg').a;\n${call.replace(/\ba\b/, 'x')};`, asked);
      assert.equal(required, used ? 'used a.ts:1 a.ts:2' : 'not_used');
    });
  }

  it('a name that the default export still has is used by those who do not import that', () => {
    const moved = finding('a', 'export_removed', { is: 'default.a' });
    assert.equal(said(`import p from 'pkg';\np.a();`, moved), 'not_used');
    assert.equal(said(`import p, { a } from 'pkg';\np.a();\na();`, moved), 'used a.ts:3');
    assert.equal(said(`import * as p from 'pkg';\np.a();`, moved), 'used a.ts:2');
    assert.equal(said(`const p = require('pkg');\np.a();`, moved), 'used a.ts:2');
    assert.equal(said(`import p from 'pkg';\nrun(p);`, moved), 'unclear a.ts:2');
  });

  it('an object that was the whole module is used by its members that are gone', () => {
    const asked = finding('default', 'default_export_changed', { is: 'program, Option' });
    assert.equal(said(`const c = require('pkg');\nc.parse();`, asked), 'used a.ts:2');
    assert.equal(said(`const { program } = require('pkg');\nprogram.parse();`, asked), 'not_used');
    assert.equal(said(`import c from 'pkg';\nc.parse();`, asked), 'used a.ts:2');
    assert.equal(said(`import { program, Option } from 'pkg';\nprogram.parse(new Option());`, asked), 'not_used');
    assert.equal(said(`import * as c from 'pkg';\nc.parse();`, asked), 'used a.ts:2');
  });

  it('a name that is gone is gone from the default too', () => {
    assert.equal(said(`import p from 'pkg';\np.a();`, finding('a')), 'used a.ts:2');
    assert.equal(said(`import p from 'pkg';\np.b.a();`, finding('a')), 'unclear a.ts:2');
  });

  it('what can no longer be called is still made, and the other way round', () => {
    const asked = (words: string) => finding('A', 'type_changed', { text: `\`A\` ${words}` });
    assert.equal(said(`import { A } from 'pkg';\nnew A();`, asked('can no longer be called')), 'not_used');
    assert.equal(said(`import { A } from 'pkg';\nA();`, asked('can no longer be called')), 'used a.ts:2');
    assert.equal(said(`import { A } from 'pkg';\nA();`, asked('can no longer be made with new')), 'not_used');
    assert.equal(said(`import { A } from 'pkg';\nnew A();`, asked('has another type')), 'used a.ts:2');
  });

  it('a constructor that takes less concerns neither types nor tests nor what is read of the class', () => {
    const asked = finding('A', 'parameter_narrowed', {
      text: '`A(x)` takes less as `x`',
      was: 'A(x: 1): A',
      is: 'A(x: 2): A',
    });
    const file = (text: string) => said(`import { A } from 'pkg';\n${text}`, asked);
    assert.equal(file('if (e instanceof A) run(e);'), 'not_used');
    assert.equal(file('let e: A;'), 'not_used');
    assert.equal(file('A.of(1);'), 'not_used');
    assert.equal(file('new A(1);'), 'used a.ts:2');
    assert.equal(file('class B extends A {}'), 'used a.ts:2');
    assert.equal(file('run(A);'), 'used a.ts:2');
    assert.equal(file('A.bind(null);'), 'used a.ts:2');
    const type = finding('T', 'parameter_required', {
      text: '`T(x)` now needs `y`',
      was: 'T(x: 1): void',
      is: 'T(x: 1, y: 2): void',
    });
    assert.equal(said(`import { T } from 'pkg';\nconst t: T = () => {};`, type), 'used a.ts:2');
  });

  it('what is only a type now may still be named in types', () => {
    const asked = finding('A', 'became_type_only');
    assert.equal(said(`import { A } from 'pkg';\nlet e: A;`, asked), 'not_used');
    assert.equal(said(`import { A } from 'pkg';\ne instanceof A;`, asked), 'used a.ts:2');
  });

  it('a member whose value is not known is not meant by a call that goes on as before', () => {
    const asked = finding('Z.m', 'parameter_narrowed', { text: '`Z.m(x)` no longer takes `x`', was: 'Z.m(x?: 1): 2' });
    assert.equal(said(`import { f } from 'pkg';\nf.g.m();`, asked), 'not_used');
    assert.equal(said(`import { f } from 'pkg';\nf.g.m(1);`, asked), 'unclear a.ts:2');
  });

  it('names of notes are looked for as they are written', () => {
    assert.equal(said(`import { z } from 'pkg';\nz.ostring();`, '`z.ostring()`'), 'used a.ts:2');
    assert.equal(said(`import { z } from 'pkg';\nz.ostring();`, 'a sentence'), 'unclear');
  });
});

describe('what a package needs around it', () => {
  const needs = finding('engines.node', 'engines_raised', { subpath: '', is: '>=20' });
  const runtimes: [string, string, string][] = [
    ['.nvmrc', 'v18.20.1\n', 'not_met .nvmrc:1'],
    ['.nvmrc', 'lts/iron\n', 'met .nvmrc:1'],
    ['.node-version', '22\n', 'met .node-version:1'],
    ['package.json', '{\n"engines": {"node": ">=18"}\n}', 'not_met package.json:2'],
    ['package.json', '{\n"engines": {"node": ">=20.9"}\n}', 'met package.json:2'],
    ['.github/workflows/ci.yml', 'x:\n  node-version: [18, 22]\n', 'not_met .github/workflows/ci.yml:2'],
    [
      '.github/workflows/ci.yml',
      'x:\n  node:\n    - 20\n    - 22\n',
      'met .github/workflows/ci.yml:3 .github/workflows/ci.yml:4',
    ],
    ['.github/workflows/ci.yml', 'x:\n  node-version: current\n', 'unclear'],
    ['Dockerfile', 'FROM node:18-alpine\n', 'not_met Dockerfile:1'],
  ];
  for (const [path, text, expected] of runtimes) {
    it(`${path} ${JSON.stringify(text)}`, () => assert.equal(said({ [path]: text }, needs), expected));
  }

  it('peers are those that are installed', () => {
    const peer = finding('peerDependencies.react', 'peer_raised', { subpath: '', is: '>=18' });
    const use = (versions: string[]) =>
      useOf(readUses([]), 'pkg', peer, { installed: new Map([['react', versions]]) }).use;
    assert.deepEqual([use(['18.2.0']), use(['17.0.0', '18.0.0']), use([])], ['met', 'not_met', 'not_met']);
    assert.equal(useOf(readUses([]), 'pkg', peer).use, 'unclear');
    const optional = { ...peer, text: 'needs `react` >=18 (>=17 before) if it is installed' };
    assert.equal(useOf(readUses([]), 'pkg', optional, { installed: new Map() }).use, 'not_used');
    assert.equal(useOf(readUses([]), 'pkg', optional, { installed: new Map([['react', ['17.0.0']]]) }).use, 'not_met');
  });

  it('a package that can only be imported', () => {
    const only = finding('pkg', 'esm_only');
    assert.equal(said({ 'a.cjs': `const p = require('pkg');\np();` }, only), 'not_met a.cjs:1');
    assert.equal(said({ 'a.mjs': `import 'pkg';` }, only), 'met');
    assert.equal(said({ 'a.cjs': `import('pkg').then((p) => p.a());` }, only), 'met');
    assert.equal(said({ 'a.js': `import 'pkg';` }, only), 'unclear a.js:1');
    assert.equal(
      said({ 'tsconfig.json': '{"compilerOptions":{"module":"commonjs"}}', 'a.ts': `import 'pkg';` }, only),
      'not_met a.ts:1',
    );
    assert.equal(
      said({ 'a.cjs': `const p = require('pkg/x');\nconst b = require('pkg').b;\nb();` }, only),
      'not_met a.cjs:1 a.cjs:2',
    );
    assert.equal(said({ '.nvmrc': '24', 'a.cjs': `require('pkg');` }, only), 'unclear a.cjs:1');
  });

  it('commands stand in scripts', () => {
    const gone = finding('bin.tool', 'bin_removed', { subpath: '' });
    assert.equal(
      said({ 'package.json': '{"scripts":{\n"x": "cross-env A=1 tool run"\n}}' }, gone),
      'used package.json:2',
    );
    assert.equal(said({ 'package.json': '{"scripts":{\n"x": "other tool"\n}}' }, gone), 'not_used');
  });

  it('an entry point is used by those who import it', () => {
    const gone = finding('./lib/x', 'subpath_removed', { subpath: './lib/x' });
    assert.equal(said(`import 'pkg/lib/x.js';`, gone), 'used a.ts:1');
    assert.equal(said(`import 'pkg/lib/y';`, gone), 'not_used');
  });
});
