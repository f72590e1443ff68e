import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEEP_DECLARATIONS } from './deep.fixture.ts';
import { Chains, MAX_CHAIN, MAX_NESTING, nestingFault, nestsDeeperThan } from './nesting.ts';

const DEEP: [title: string, text: string][] = [
  ['brackets', `declare const a: ${'['.repeat(11)}1${']'.repeat(11)};`],
  ['parentheses that nobody closes', '('.repeat(11)],
  ['namespaces', `${'namespace a {'.repeat(11)}${'}'.repeat(11)}`],
  ['arguments of types', `type A = ${'B<'.repeat(11)}1${'>'.repeat(11)};`],
  ['kinds in turn', '([{B<'.repeat(3)],
  ['parts of templates', `type A = ${'`${'.repeat(11)}B${'}`'.repeat(11)};`],
  ['after a comment and strings', `/* { */ const a = "{" + '{' + \`{\`; // {\n${'{'.repeat(11)}`],
  ['after a template with parts', `type A = \`a\${B}c\${D}\`;${'['.repeat(11)}`],
  ['after what was never open', `]})>${'['.repeat(11)}`],
];

const FLAT: [title: string, text: string][] = [
  ['ten of them', `${'['.repeat(10)}1${']'.repeat(10)}`],
  ['side by side', `[a] {b} (c) B<d> \`\${e}\`\n`.repeat(20)],
  ['in strings', `const a = "${'['.repeat(50)}", b = '${'{'.repeat(50)}\\'${'{'.repeat(50)}';`],
  ['in a template', `const a = \`${'{'.repeat(50)}\\\`$\\{${'{'.repeat(50)}\`;`],
  ['in comments', `/* ${'['.repeat(50)} */ // ${'['.repeat(50)}\n/** it's ${'{'.repeat(50)} */`],
  ['in a comment without an end', `/*${'['.repeat(50)}`],
  ['arrows', 'type A = () => void;\n'.repeat(20)],
  ['types that take arrows', 'type A = B<() => void>;\n'.repeat(20)],
  ['comparisons', 'if (a < b && c <d) e = 1 << 2\n'.repeat(20)],
  ['comparisons to the end of the statement', 'a <b;\n'.repeat(20)],
  ['an apostrophe to the end of the line', "<p>don't</p>\n".repeat(20)],
  ['closed from outside', `{${'(['.repeat(4)}}`.repeat(20)],
];

describe('how deep declarations nest', () => {
  for (const [title, text] of DEEP) it(`more than ten: ${title}`, () => assert.equal(nestsDeeperThan(text, 10), true));
  for (const [title, text] of FLAT) it(`at most ten: ${title}`, () => assert.equal(nestsDeeperThan(text, 10), false));
});

describe('how far files lead to each other', () => {
  const longest = (texts: Record<string, string>) =>
    [1, 2, 3, 4].find((most) => !new Chains((path) => texts[path] ?? null).isLongerThan('a.d.ts', most));
  const lengths: [title: string, length: number, texts: Record<string, string>][] = [
    ['a file alone', 1, { 'a.d.ts': "import 'b'; import './c';" }],
    [
      'two ways',
      3,
      { 'a.d.ts': "export * from './b';\nimport x from './c';", 'b.d.ts': "import('./c')", 'c.d.ts': '' },
    ],
    ['a circle, whose beginning counts again', 3, { 'a.d.ts': 'import "./b.js"', 'b.d.ts': 'export * from "./a.js"' }],
    ['folders', 3, { 'a.d.ts': "import './b';", 'b/index.d.ts': "import '../c/d';", 'c/d.d.ts': "import '.'" }],
    ['other kinds of files', 3, { 'a.d.ts': "import './b.mjs'", 'b.d.mts': "import './c.cjs'", 'c.d.cts': '' }],
    ['references', 2, { 'a.d.ts': '/// <reference path="./b.d.ts" />', 'b.d.ts': '' }],
  ];
  for (const [title, length, texts] of lengths) it(title, () => assert.equal(longest(texts), length));
});

describe('packages that no compiler is given', () => {
  for (const [title, files] of Object.entries(DEEP_DECLARATIONS)) {
    it(title, () => assert.notEqual(nestingFault(new Map(Object.entries(files))), null));
  }

  it('nothing within the bounds', () => {
    const text = `${'{'.repeat(MAX_NESTING)}${'}'.repeat(MAX_NESTING)}`;
    const chain = Array.from({ length: MAX_CHAIN - 1 }, (_, at) => [`${at}.d.ts`, `import './${at + 1}';`] as const);
    assert.equal(nestingFault(new Map([['index.d.ts', text], ...chain])), null);
    assert.notEqual(
      nestingFault(new Map([...chain, [`${MAX_CHAIN - 1}.d.ts`, `import './x';`], ['x.d.ts', '']])),
      null,
    );
  });
});
