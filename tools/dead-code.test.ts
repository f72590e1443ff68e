import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkDeadCode } from './dead-code.ts';

function findings(files: Record<string, string>, packages = {}): string[] {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  return checkDeadCode(sources, packages).map(({ path, line, reason }) => `${path}:${line} ${reason}`);
}

// A script that names every other file, so that only exports are checked.
const NAMES = { 'bin/start.mjs': "run('./a', './b', './c.fixture', './x')" };

describe('exports', () => {
  const alive: [why: string, files: Record<string, string>][] = [
    ['imported', { 'src/a.ts': 'export const one = 1;', 'src/b.ts': "import { one } from './a.ts';" }],
    [
      'imported with its type',
      { 'src/a.ts': 'export type One = 1;', 'src/b.ts': "import { type One } from './a.ts';" },
    ],
    ['renamed', { 'src/a.ts': 'export const one = 1;', 'src/b.ts': "import { one as two } from './a.ts';" }],
    ['from another folder', { 'src/x/a.ts': 'export const one = 1;', 'src/b.ts': "import { one } from './x/a.ts';" }],
    ['over several lines', { 'src/a.ts': 'export class One {}', 'src/b.ts': "import {\n  One,\n} from './a.ts';" }],
    ['as a namespace', { 'src/a.ts': 'export const one = 1;', 'src/b.ts': "import * as a from './a.ts';" }],
    ['later', { 'src/a.ts': 'export const one = 1;', 'src/b.ts': "const { one } = await import('./a.ts');" }],
    ['by a reader of JSON', { 'src/a.ts': 'export function one() {}\nconst ONE = jsonReader(import.meta.url, one);' }],
    ['by a thread', { 'src/a.ts': 'export function one() {}\nconst ONE = threadTask(import.meta.url, one);' }],
    [
      'unit under test',
      { 'src/a.ts': 'export const one = 1;\nrun(one);', 'src/a.test.ts': "import { one } from './a.ts';" },
    ],
    [
      'of a fixture',
      { 'src/c.fixture.ts': 'export const c = 1;', 'src/a.test.ts': "import { c } from './c.fixture.ts';" },
    ],
  ];
  for (const [why, files] of alive) {
    it(`lets ${why} pass`, () => assert.deepEqual(findings({ ...files, ...NAMES }), []));
  }

  const dead: [why: string, files: Record<string, string>, finding: string][] = [
    ['nobody', { 'src/a.ts': '\nexport const one = 1;\nrun(one);' }, 'src/a.ts:2 nobody imports one'],
    ['nobody a type', { 'src/a.ts': 'export interface One {}' }, 'src/a.ts:1 nobody imports One'],
    [
      'another of the same name',
      { 'src/a.ts': 'export const one = 1;', 'src/b.ts': "import { one } from './x.ts';" },
      'src/a.ts:1 nobody imports one',
    ],
    [
      'a comment',
      { 'src/a.ts': 'export const one = 1;', 'src/b.ts': "// import { one } from './a.ts';" },
      'src/a.ts:1 nobody imports one',
    ],
    [
      'tests alone',
      { 'src/a.ts': 'export const one = 1;', 'src/a.test.ts': "import { one } from './a.ts';" },
      'src/a.ts:1 only tests use one',
    ],
    [
      'tests through a list',
      {
        'src/x.ts': 'export const one = 1;\nrun(one);',
        'src/a.ts': "export { one } from './x.ts';",
        'test/b.test.ts': "import { one } from '../src/a.ts';",
      },
      'src/a.ts:1 only tests use one',
    ],
  ];
  for (const [why, files, finding] of dead) {
    it(`finds what ${why} uses`, () => assert.deepEqual(findings({ ...files, ...NAMES }), [finding]));
  }
});

describe('files', () => {
  it('finds the one that nobody names', () => {
    const files = {
      'src/main.ts': "import './used.ts';\nnew URL('./thread', import.meta.url);",
      'src/used.ts': 'run();',
      'src/thread.ts': 'run();',
      'src/unused.ts': 'run();',
      'src/unused.test.ts': 'run();',
    };

    assert.deepEqual(findings(files, { scripts: { start: 'node src/main.ts' } }), [
      'src/unused.ts:1 nobody names this file',
    ]);
  });
});

describe('packages', () => {
  const files = {
    'src/a.ts':
      "import { z } from 'zod';\nimport fast from 'fast-check';\nconst at = require.resolve('@weights/small/model');",
    'src/a.test.ts': "import { load } from 'cheerio';\nimport pg from 'pg';",
    'tools/b.ts': "import ajv from 'ajv/dist/2020.js';",
  };
  const packages = {
    scripts: { test: 'node src/a.ts tools/b.ts' },
    dependencies: { zod: '1', '@weights/small': '1', cheerio: '1', domutils: '1', beside: '1' },
    devDependencies: {
      '@types/node': '1',
      '@types/pg': '1',
      typescript: '1',
      ajv: '1',
      'fast-check': '1',
      turndown: '1',
    },
    peers: ['beside'],
  };

  it('finds those that nobody imports, and those on the wrong list', () => {
    assert.deepEqual(findings(files, packages), [
      'package.json:1 only tests import cheerio: a devDependency',
      'package.json:1 nobody imports domutils',
      'package.json:1 code that runs imports fast-check: a dependency',
      'package.json:1 nobody imports turndown',
    ]);
  });
});
