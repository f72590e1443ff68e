import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Ecosystem,
  ecosystemOfDatasource,
  ecosystemOfFile,
  factsOfEcosystem,
  isEcosystem,
  isPossibleName,
  looseName,
  normalizePackageName,
  type PackageName,
  packageKey,
  packageOfKey,
  publishedName,
  scopeOf,
  withEcosystem,
} from './index.ts';

const UNKNOWN = ['', 'NPM', 'npm ', 'cargo', 'github', 'constructor', '__proto__'];

describe('names of ecosystems', () => {
  it('is one of the table, letter by letter', () => {
    assert.ok(isEcosystem('npm') && isEcosystem('pypi'));
  });

  for (const name of UNKNOWN) {
    it(`is not ${JSON.stringify(name)}`, () => {
      assert.equal(isEcosystem(name), false);
      assert.equal(packageOfKey(`${name}:lamp`), null);
      assert.equal(ecosystemOfDatasource(name), null);
    });
  }

  const prefixed: [string, ReturnType<typeof withEcosystem>][] = [
    ['npm:lamp', { ecosystem: 'npm', rest: 'lamp' }],
    ['PyPI:lamp@1.2.0', { ecosystem: 'pypi', rest: 'lamp@1.2.0' }],
    ['npm:@acme/lamp:x', { ecosystem: 'npm', rest: '@acme/lamp:x' }],
    ['npm:', null],
    ['lamp', null],
    ['cargo:lamp', null],
    ['github:acme/lamp', null],
  ];
  for (const [text, expected] of prefixed) {
    it(`stands in front of a package: ${text}`, () => assert.deepEqual(withEcosystem(text), expected));
  }
});

describe('names of packages', () => {
  const keys: [Ecosystem, string, string][] = [
    ['npm', '@Scope/Pkg_Name.js', '@scope/pkg_name.js'],
    ['npm', ' React ', 'react'],
    ['pypi', 'Zope.Interface', 'zope-interface'],
    ['pypi', 'typing__-.extensions', 'typing-extensions'],
  ];
  for (const [ecosystem, name, expected] of keys) {
    it(`has one key: ${ecosystem} ${name} → ${expected}`, () => {
      assert.equal(normalizePackageName(ecosystem, name), expected);
      assert.deepEqual(packageOfKey(packageKey({ ecosystem, name })), { ecosystem, name: expected });
    });
  }

  it('is compared by the most lenient spelling of all', () => {
    assert.equal(looseName('Acme_Lamp.Forms'), looseName('acme-lamp-forms'));
  });

  const possible: [Ecosystem, string, boolean][] = [
    ['npm', '@acme/lamp', true],
    ['npm', 'JSONStream', true],
    ['npm', 'acme/lamp', false],
    ['pypi', 'Zope.Interface', true],
    ['pypi', '@acme/lamp', false],
    ['pypi', 'lamp-', false],
    ['npm', 'x'.repeat(215), false],
  ];
  for (const [ecosystem, name, expected] of possible) {
    it(`may be ${name.slice(0, 20)} on ${ecosystem}: ${expected}`, () => {
      assert.equal(isPossibleName(ecosystem, name), expected);
    });
  }

  const published: [Ecosystem, unknown, string | null][] = [
    ['npm', ' @Acme/Lamp ', '@acme/lamp'],
    ['npm', 'lamp!', null],
    ['pypi', 'Acme_Lamp', 'acme-lamp'],
    ['pypi', '-lamp', null],
    ['pypi', 7, null],
  ];
  for (const [ecosystem, text, expected] of published) {
    it(`is published as ${expected}: ${ecosystem} ${text}`, () =>
      assert.equal(publishedName(ecosystem, text), expected));
  }

  const scopes: [PackageName, string | null][] = [
    [{ ecosystem: 'npm', name: '@acme/lamp' }, '@acme'],
    [{ ecosystem: 'npm', name: '@/lamp' }, null],
    [{ ecosystem: 'npm', name: 'lamp' }, null],
    [{ ecosystem: 'pypi', name: '@acme/lamp' }, null],
  ];
  for (const [named, expected] of scopes) {
    it(`has the scope ${expected}: ${packageKey(named)}`, () => assert.equal(scopeOf(named), expected));
  }
});

describe('facts of ecosystems', () => {
  const lines: [Ecosystem, string[]][] = [
    [
      'npm',
      [
        'https://www.npmjs.com/package/@acme/lamp',
        'https://www.npmjs.com/package/@acme/lamp/v/1.0.0%2B1',
        'npm install @acme/lamp@1.0.0+1',
      ],
    ],
    [
      'pypi',
      [
        'https://pypi.org/project/@acme/lamp/',
        'https://pypi.org/project/@acme/lamp/1.0.0%2B1/',
        'pip install @acme/lamp==1.0.0+1',
      ],
    ],
  ];
  for (const [ecosystem, expected] of lines) {
    it(`leads to ${ecosystem}`, () => {
      const { packagePage, versionPage, installCommand } = factsOfEcosystem(ecosystem);
      const [name, version] = ['@acme/lamp', '1.0.0+1'];

      assert.deepEqual([packagePage(name), versionPage(name, version), installCommand(name, version)], expected);
    });
  }

  const files: ['lockfiles' | 'manifests', string, Ecosystem | null][] = [
    ['lockfiles', 'bun.lock', 'npm'],
    ['lockfiles', 'package.json', 'npm'],
    ['lockfiles', 'requirements.txt', 'pypi'],
    ['lockfiles', 'Cargo.lock', null],
    ['manifests', 'package.json', 'npm'],
    ['manifests', 'setup.cfg', 'pypi'],
    ['manifests', 'Cargo.toml', null],
    ['manifests', 'setup.py', null],
  ];
  for (const [kind, name, expected] of files) {
    it(`has ${name} among its ${kind}: ${expected}`, () => assert.equal(ecosystemOfFile(kind, name), expected));
  }
});
