// Texts of lockfiles, manifests, settings and sources that are broken, huge, deep or of the wrong shape.

import type { Kinds, Random } from './projects.ts';
import { writeProject } from './repositories.ts';

const LOCKS = [
  'npm-shrinkwrap.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'uv.lock',
  'poetry.lock',
  'pdm.lock',
  'requirements.txt',
];
const SETTINGS = [
  'package.json',
  'pyproject.toml',
  'pnpm-workspace.yaml',
  '.npmrc',
  '.yarnrc.yml',
  '.registry-check.json',
  'tsconfig.json',
];
const SOURCES = ['src/b.ts', 'src/b.js', 'src/b.tsx', 'src/b.vue', 'src/b.svelte', 'b.py', 'Dockerfile', '.nvmrc'];
const UNITS = [
  '[',
  '{"a":',
  '(',
  '"',
  "'",
  '`',
  '\\',
  ' ',
  '\t',
  '\n',
  '\r',
  '- ',
  '  a:\n',
  '@',
  '*',
  '<',
  '${',
  '/*',
  '//',
  '#',
  '\0',
  '\u202e',
  'a:\n ',
  '&a *a ',
  '[[',
  'x = "',
  '!',
  '=',
  '^1.0.0 || ',
  'import("',
  'class A{',
  '=>',
  '?',
  ':',
  '<div>',
  '{{',
];
const VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  '',
  [],
  {},
  [[]],
  'a'.repeat(100_000),
  '__proto__',
  { length: 1e9 },
  '\u0000',
  '../../..',
  'file:../..',
  '^'.repeat(5_000),
];

const repeatOf = (random: Random) => random.pick(UNITS).repeat(random.pick([10, 1_000, 20_000, 200_000]));
const strange = (random: Random, depth = 3): unknown => {
  if (depth === 0 || random.below(3) === 0) return random.pick(VALUES);
  const keys = [
    'packages',
    'dependencies',
    'node_modules/lamp',
    '',
    'version',
    '__proto__',
    'constructor',
    'resolved',
    'name',
    'workspaces',
    'lockfileVersion',
    'ignore',
    'compilerOptions',
    'extends',
    'paths',
  ];
  return Object.fromEntries(
    Array.from({ length: 1 + random.below(6) }, () => [random.pick(keys), strange(random, depth - 1)]),
  );
};
const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index)).join('');

export const TEXT_KINDS: Kinds = {
  'lockfile of one repeated unit': ({ folder, random }) =>
    writeProject(folder, { [random.pick(LOCKS)]: repeatOf(random) }),
  'lockfile with a unit at its end': ({ folder, random }) =>
    writeProject(folder, { 'package-lock.json': `{"lockfileVersion":3,"packages":{"":{}}${repeatOf(random)}` }),
  'lockfile of strange values': ({ folder, random }) => {
    const packages = {
      '': strange(random),
      'node_modules/lamp': strange(random),
      [repeatOf(random).slice(0, 500)]: {},
    };
    writeProject(folder, { 'package-lock.json': { lockfileVersion: random.pick(VALUES), packages } });
  },
  'lockfile of the first form, nested': ({ folder, random }) => {
    const depth = random.pick([100, 3_000, 50_000]);
    const text = `${'{"version":"1.0.0","dependencies":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
    writeProject(folder, { 'package-lock.json': `{"lockfileVersion":1,"dependencies":{"a":${text}}}` });
  },
  'lockfile with many packages': ({ folder, random }) => {
    const name = random.pick(['p', '@s/p', 'p\u202e', '..', 'lamp']);
    const packages = rows(
      random.pick([20, 500]),
      (index) => `,"node_modules/${name}${index}":{"version":"1.0.${index}"}`,
    );
    writeProject(folder, { 'package-lock.json': `{"lockfileVersion":3,"packages":{"":{}${packages}}}` });
  },
  'long yaml': ({ folder, random }) => {
    const count = random.pick([1_000, 100_000]);
    const deep = rows(random.pick([50, 3_000]), (index) => `${' '.repeat(index)}k${index}:\n`);
    const many = rows(count, (index) => `  /lamp@1.0.${index}:\n    resolution: {integrity: sha512-x==}\n`);
    writeProject(folder, { 'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\npackages:\n${random.pick([deep, many])}` });
  },
  'long lists of other managers': ({ folder, random }) => {
    const count = random.pick([1_000, 100_000]);
    writeProject(folder, {
      'yarn.lock': rows(count, (index) => `"lamp@^1.0.${index}", lamp@${index}:\n  version "1.0.${index}"\n`),
      'requirements.txt': `-r requirements.txt\n${rows(count, (index) => `lamp${index}==1.0 ; python_version > "3" \\\n`)}`,
      'uv.lock': rows(count, (index) => `[[package]]\nname = "lamp${index}"\nversion = "1.0"\n`),
    });
  },
  'settings of one repeated unit': ({ folder, random }) =>
    writeProject(folder, { [random.pick(SETTINGS)]: repeatOf(random) }),
  'settings of strange values': ({ folder, random }) =>
    writeProject(folder, {
      [random.pick(SETTINGS.filter((name) => name.endsWith('.json')))]: strange(random) as object,
    }),
  'workspaces without end': ({ folder, random }) => {
    const pattern = random.pick([
      '**/**/**/**',
      `${'*a'.repeat(50)}b`,
      '*'.repeat(1_000),
      '../**',
      'a/'.repeat(500),
      '{a,b}'.repeat(30),
    ]);
    for (const name of ['a'.repeat(200), 'a/a/a/a', 'b/c/d'])
      writeProject(folder, { [`${name}/package.json`]: { name: 'w' } });
    writeProject(folder, {
      'package.json': {
        name: 'house',
        workspaces: Array.from({ length: random.pick([1, 5_000]) }, (_, index) => `${pattern}${index % 7}`),
      },
      'pnpm-workspace.yaml': `packages:\n${`  - "${pattern}"\n`.repeat(random.pick([1, 20_000]))}${' '.repeat(50_000)}x`,
    });
  },
  'ranges without end': ({ folder, random }) => {
    const range = random.pick([
      '>=0 '.repeat(5_000),
      '^1.0.0 || '.repeat(5_000),
      '1.'.repeat(5_000),
      'npm:'.repeat(2_000),
      `${'9'.repeat(5_000)}.0.0`,
    ]);
    writeProject(folder, {
      'package.json': { name: 'house', dependencies: { lamp: range, [range.slice(0, 300)]: '*' } },
    });
  },
  'source of one repeated unit': ({ folder, random }) => {
    const file = random.pick(SOURCES);
    writeProject(folder, { [file]: `import { off } from 'lamp';\n${repeatOf(random)}` });
  },
  'source nested without end': ({ folder, random }) => {
    const depth = random.pick([500, 20_000, 200_000]);
    const [open, close] = random.pick([
      ['(', ')'],
      ['[', ']'],
      ['{', '}'],
      ['a=>', ''],
      ['!', ''],
      ['off(', ')'],
      ['namespace A {', '}'],
      ['`${', '}`'],
      ['if(1)', ';'],
      ['<A>', '</A>'],
      ['a.b', ''],
    ]);
    writeProject(folder, {
      [random.pick(SOURCES)]: `import { off } from 'lamp';\n${open.repeat(depth)}off${close.repeat(depth)}`,
    });
  },
  'configuration that extends itself': ({ folder }) =>
    writeProject(folder, {
      'tsconfig.json': {
        extends: ['./tsconfig.json', './other.json', '/etc/passwd'],
        references: [{ path: '.' }],
        include: ['/**/*'],
      },
      'other.json': {
        extends: './tsconfig.json',
        compilerOptions: { paths: { '*': ['*/*'] }, rootDirs: ['/', '..'], typeRoots: ['/'] },
      },
    }),
};
