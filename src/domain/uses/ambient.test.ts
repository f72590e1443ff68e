import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../evidence/finding.ts';
import type { SourceFile } from './project.ts';
import { useOf } from './use-of.ts';
import { readUses } from './uses.fixture.ts';

const finding = (name: string, more: Partial<Finding> = {}): Finding => ({
  kind: 'export_removed',
  name,
  subpath: '.',
  certainty: 'proven',
  was: 'interface',
  is: null,
  text: `\`${name}\` is no longer exported`,
  ...more,
});
const useIn = (files: Record<string, string>, name: string, asked: Finding, isProgram: readonly string[] = []) => {
  const sources: SourceFile[] = Object.entries(files).map(([path, text]) => {
    return { path, text, ...(isProgram.includes(path) && { isProgram: true }) };
  });
  const { use, places, generated, has } = useOf(readUses(sources), name, asked);
  return [
    use,
    ...[...places, ...(generated ? [generated] : [])].map(({ file, line }) => `${file}:${line}`),
    ...(has ? [has] : []),
  ];
};

describe('packages that act without an import', () => {
  const gone = finding('.', { kind: 'subpath_removed', was: 'resolves' });
  const config = (compilerOptions: object) => JSON.stringify({ compilerOptions }, null, 1);
  const cases: [
    name: string,
    files: Record<string, string>,
    packageName: string,
    asked: Finding,
    expected: string[],
  ][] = [
    [
      'a global type',
      { 'a.ts': 'let t:\n  NodeJS.Timeout;' },
      '@types/node',
      finding('NodeJS.Timeout'),
      ['used', 'a.ts:2'],
    ],
    [
      'a global type that is not named',
      { 'a.ts': 'import "node:fs";' },
      '@types/node',
      finding('NodeJS.Gc'),
      ['not_used'],
    ],
    ['a word of a comment', { 'a.ts': '// NodeRequire' }, '@types/node', finding('NodeRequire'), ['not_used']],
    [
      'a name of its own',
      { 'a.ts': 'interface NodeRequire {}\nlet a: NodeRequire;' },
      '@types/node',
      finding('NodeRequire'),
      ['not_used'],
    ],
    ['types in plain JavaScript', { 'a.js': 'NodeRequire;' }, '@types/node', finding('NodeRequire'), ['not_used']],
    [
      'a global function',
      { 'a.test.ts': 'fail("x");' },
      '@types/jasmine',
      finding('fail', { was: 'function' }),
      ['used', 'a.test.ts:1'],
    ],
    [
      'types of what is imported',
      { 'a.ts': 'import { Gone } from "lamp";\nlet a: Gone;' },
      '@types/lamp',
      finding('Gone'),
      ['used', 'a.ts:2'],
    ],
    [
      'a stub that all take in',
      { 'tsconfig.json': config({}), 'a.ts': '' },
      '@types/lamp',
      gone,
      ['used', 'tsconfig.json:1', 'TS2688 by tsconfig.json'],
    ],
    [
      'a stub that is named',
      { 'tsconfig.json': config({ types: ['lamp'] }) },
      '@types/lamp',
      gone,
      ['used', 'tsconfig.json:4', 'TS2688 by tsconfig.json'],
    ],
    [
      'a stub that is left out',
      { 'tsconfig.json': config({ types: ['node'] }), 'a.ts': '' },
      '@types/lamp',
      gone,
      ['not_imported'],
    ],
    [
      'types that a configuration names',
      { 'tsconfig.json': config({ types: ['plug/client'] }) },
      'plug',
      finding('Gone'),
      ['not_used'],
    ],
  ];
  for (const [name, files, packageName, asked, expected] of cases) {
    it(name, () => assert.deepEqual(useIn(files, packageName, asked), expected));
  }
});

describe('a removed type', () => {
  const cases: [name: string, files: Record<string, string>, expected: string[]][] = [
    ['is nothing to plain JavaScript', { 'a.js': 'const lamp = require("lamp"); go(lamp); lamp.Gone;' }, ['not_used']],
    [
      'may be named in its comments',
      { 'a.js': '/** @type {import("lamp").Gone} */\ngo(require("lamp"));' },
      ['unclear', 'a.js:2'],
    ],
    ['is used in TypeScript', { 'a.ts': 'import type { Gone } from "lamp";\nlet a: Gone;' }, ['used', 'a.ts:2']],
  ];
  for (const [name, files, expected] of cases) {
    it(name, () => assert.deepEqual(useIn(files, 'lamp', finding('Gone')), expected));
  }
});

describe('files of a project', () => {
  const call = 'import { gone } from "lamp";\ngone();\n';
  const asked = finding('gone', { was: 'function' });
  it('that a program has written are told apart', () => {
    const generated = { 'gen.ts': `// @generated\n${call}` };
    assert.deepEqual(useIn(generated, 'lamp', asked), ['unclear', 'gen.ts:3']);
    assert.deepEqual(useIn({ ...generated, 'a.ts': call }, 'lamp', asked), ['used', 'a.ts:2']);
  });

  it('without an extension are read where they are programs', () => {
    assert.deepEqual(useIn({ 'bin/run': call }, 'lamp', asked, ['bin/run']), ['used', 'bin/run:2']);
    assert.deepEqual(useIn({ 'bin/run': call }, 'lamp', asked), ['not_imported']);
  });
});
