import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Ecosystem, normalizePackageName } from '../../published-package.ts';
import { compareClaims, type PackageClaim } from './claims.ts';
import { readManifest } from './read-manifest.ts';

describe('readManifest', () => {
  const json = (value: unknown) => JSON.stringify(value);
  const named =
    (ecosystem: Ecosystem) =>
    (name: string, ...repositories: string[]) => {
      return { ecosystem, name, repositories };
    };
  const [npm, pypi] = [named('npm'), named('pypi')];
  const cases: [string, string, string, ReturnType<typeof npm> | null][] = [
    ['a name', 'package.json', json({ name: '@Acme/Kit' }), npm('@acme/kit')],
    ['a repository', 'package.json', json({ name: 'k', repository: 'Acme/Kit' }), npm('k', 'acme/kit')],
    [
      'a repository with its address',
      'package.json',
      json({ name: 'k', repository: { url: 'git+https://github.com/acme/kit.git' } }),
      npm('k', 'acme/kit'),
    ],
    ['elsewhere', 'package.json', json({ name: 'k', repository: 'https://gitlab.com/a/b' }), npm('k')],
    ['private', 'package.json', json({ name: 'k', private: true }), null],
    ['private in words only', 'package.json', json({ name: 'k', private: 'true' }), npm('k')],
    ['no name', 'package.json', json({ version: '1.0.0' }), null],
    ['a name that is none', 'package.json', json({ name: 'a b' }), null],
    ['a name that climbs', 'package.json', json({ name: '../../etc' }), null],
    ['a name of another kind', 'package.json', json({ name: { toString: 'x' } }), null],
    ['a name without end', 'package.json', json({ name: 'a'.repeat(5000) }), null],
    ['a byte order mark', 'package.json', `\ufeff${json({ name: 'k' })}`, npm('k')],
    ['no JSON', 'package.json', '{ name: k }', null],
    ['JSON of another kind', 'package.json', '[1]', null],
    ['a project', 'pyproject.toml', '[project]\nname = "My.Pkg_x"', pypi('my-pkg-x')],
    ['poetry', 'pyproject.toml', '[tool.poetry]\nname = "p"\nrepository = "https://github.com/A/P"', pypi('p', 'a/p')],
    ['both', 'pyproject.toml', '[tool.poetry]\nname = "old"\n[project]\nname = "new"', pypi('new')],
    ['both the other way', 'pyproject.toml', '[project]\nname = "new"\n[tool.poetry]\nname = "old"', pypi('new')],
    [
      'addresses',
      'pyproject.toml',
      '[project]\nname = "p"\n[project.urls]\nHomepage = "https://p.dev"\n"Source Code" = "https://github.com/a/p"',
      pypi('p', 'a/p'),
    ],
    ['blanks and comments', 'pyproject.toml', ' [ tool . "poetry" ] # x\n  name\t= \'a\' # "b"', pypi('a')],
    ['dotted keys', 'pyproject.toml', 'project.name = "a"', pypi('a')],
    ['a quoted key is one key', 'pyproject.toml', '"project.name" = "a"', null],
    ['escapes', 'pyproject.toml', String.raw`project.name = "\u0061\U00000062"`, pypi('ab')],
    ['a table inside a text', 'pyproject.toml', 'a = """\n[project]\nname = "no"\n"""', null],
    ['a list over lines', 'pyproject.toml', 'a = [\n "x", # ]\n [1, "]"],\n]\nproject.name = "y"', pypi('y')],
    ['an inner table', 'pyproject.toml', 'project = { name = "a", b = [1] }', pypi('a')],
    ['numbers and dates', 'pyproject.toml', 'a = 99999999999999999\nb = 1979-05-27\n[project]\nname = "a"', pypi('a')],
    ['a list of tables', 'pyproject.toml', '[[project]]\nname = "no"', null],
    ['windows lines', 'pyproject.toml', '[project]\r\nname = "a"\r\n', pypi('a')],
    ['half of a document', 'pyproject.toml', '[project]\nname = "no"\n<<<<<<< HEAD\n', null],
    ['no text', 'pyproject.toml', '', null],
    ['a tool that is no package', 'pyproject.toml', '[tool.black]\nname = "no"', null],
    ['setup.cfg', 'setup.cfg', '[metadata]\nname = My_Pkg\nurl = https://github.com/a/p\n', pypi('my-pkg', 'a/p')],
    ['setup.cfg with colons', 'setup.cfg', '[options]\nname = no\n[metadata]\nname: p', pypi('p')],
    ['setup.cfg without metadata', 'setup.cfg', '[options]\nname = no', null],
    ['another file', 'Cargo.toml', '[project]\nname = "p"', null],
  ];
  for (const [name, filename, text, expected] of cases) {
    it(`${filename}: ${name}`, () => {
      const { spelling, ...read } = readManifest(filename, text) ?? { spelling: null };
      assert.deepEqual(read, expected ?? {});
      if (expected) assert.equal(normalizePackageName(expected.ecosystem, spelling ?? ''), expected.name);
    });
  }
});

describe('hostile manifests', () => {
  it('are read in one pass', () => {
    const sign = fc.constantFrom('[', ']', '{', '}', '"', "'", '"""', '=', '.', '\\', '#', '\n', 'a', ' ');
    const read = (text: string) => readManifest('pyproject.toml', `[project]\nname = "a"\n${text}`);
    fc.assert(fc.property(fc.array(sign, { maxLength: 200 }), (signs) => void read(signs.join(''))));
    for (const unit of ['[', '"', "'''", 'a.', 'a = [', '{', '\\"', '"\\', 'a="', '\n[']) {
      assert.equal(read(unit.repeat(200_000)), null);
    }
    assert.notEqual(read('#'.repeat(1_000_000)), null);
  });
});

describe('compareClaims', () => {
  const base: PackageClaim = {
    sourceId: 'src_m',
    packagePart: null,
    isOwn: false,
    isVisible: true,
    isFork: false,
    stars: 5,
    createdAt: '2024-01-01',
  };
  const better: [string, Partial<PackageClaim>, Partial<PackageClaim>][] = [
    ['a manifest that names its repository', { isOwn: true, isFork: true }, { stars: 900 }],
    ['no fork', { stars: 1 }, { isFork: true, stars: 900 }],
    ['more stars', { stars: 6, createdAt: '2025-01-01' }, {}],
    ['the older source', { createdAt: '2023-01-01' }, {}],
    ['one that is shown', {}, { isVisible: false, isOwn: true, stars: 900 }],
  ];
  for (const [name, winner, loser] of better) {
    it(name, () => {
      const [a, b] = [
        { ...base, ...winner, sourceId: 'src_z' },
        { ...base, ...loser, sourceId: 'src_a' },
      ];
      assert.ok(compareClaims(a, b) < 0);
      assert.ok(compareClaims(b, a) > 0);
    });
  }
});
