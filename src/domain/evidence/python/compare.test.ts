import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparePython } from './compare.ts';
import { LAMP, pythonPackage } from './python.fixture.ts';

type Files = string | Record<string, string>;
type Case = [title: string, old: Files, next: Files, expected: string[]];

const filesOf = (files: Files) => (typeof files === 'string' ? { 'lamp/__init__.py': files } : files);
const meta = (text: string) => ({
  'lamp/__init__.py': '',
  [`${LAMP}METADATA`]: `Name: lamp\nVersion: 1.0.0\n${text}\n`,
});

function told(old: Files, next: Files): string[] {
  const { findings } = comparePython(pythonPackage(filesOf(old)), pythonPackage(filesOf(next)));
  return findings.map(({ kind, subpath, name }) => `${kind} ${subpath} ${name}`.trim());
}

const CLASS = 'class A:\n    def get(self, name): pass\n';

const CASES: readonly Case[] = [
  // Names
  ['a function of the root', 'def f(): pass', '', ['export_removed lamp f']],
  ['a private function', 'def _f(): pass', '', []],
  [
    'a name that only moved',
    'def f(): pass',
    { 'lamp/__init__.py': 'from ._in import f', 'lamp/_in.py': 'def f(): pass' },
    [],
  ],
  [
    'a name by a star',
    'def f(): pass',
    { 'lamp/__init__.py': 'from ._in import *', 'lamp/_in.py': 'def f(): pass' },
    [],
  ],
  [
    'a name that the list behind a star leaves out',
    'def f(): pass',
    { 'lamp/__init__.py': 'from ._in import *', 'lamp/_in.py': '__all__ = ["g"]\ndef f(): pass\ndef g(): pass' },
    ['export_removed lamp f'],
  ],
  [
    'stars in a circle',
    'def f(): pass',
    { 'lamp/__init__.py': 'from .a import *', 'lamp/a.py': 'from .b import *', 'lamp/b.py': 'from .a import *' },
    ['export_removed lamp f'],
  ],
  ['a star from another package', 'def f(): pass', 'from shade import *', []],
  [
    'a lazy table',
    'def f(): pass',
    '_moved = {"f": "lamp._in"}\ndef __getattr__(name):\n    return load(_moved[name])',
    [],
  ],
  [
    'a lazy table without it',
    'def f(): pass',
    '_moved = {"g": "lamp._in"}\ndef __getattr__(name):\n    return load(_moved[name])',
    ['export_removed lamp f'],
  ],
  [
    'a lazy module that hands on everything',
    'def f(): pass',
    'def __getattr__(name):\n    return getattr(other, name)',
    [],
  ],
  ['a name for checkers of types alone', 'if TYPE_CHECKING:\n    from .a import B', '', []],
  [
    'a name that only checkers see now',
    { 'lamp/__init__.py': 'from .a import B', 'lamp/a.py': 'class B: pass' },
    {
      'lamp/__init__.py': 'import typing as t\nif t.TYPE_CHECKING:\n    from .a import B',
      'lamp/a.py': 'class B: pass',
    },
    ['export_removed lamp B'],
  ],
  ['the branch of an old Python', 'import sys\nif sys.version_info < (3,):\n    def f(): pass', '', []],
  ['either branch', 'def f(): pass', 'try:\n    from fast import f\nexcept ImportError:\n    def f(): pass', []],
  ['what the program binds when it runs', 'if __name__ == "__main__":\n    def f(): pass', '', []],
  ['a name that is deleted', 'def f(): pass', 'def f(): pass\ndel f', ['export_removed lamp f']],
  ['another name for it', 'def f(): pass', 'def g(): pass\nf = g', []],
  ['an import of the root for its own use', 'import os\nfrom typing import Any', '', []],
  ['a name of another package that the root offers', 'from shade import tint', '', ['export_removed lamp tint']],
  [
    'an import of an inner module for its own use',
    { 'lamp/a.py': 'from .b import f', 'lamp/b.py': 'def f(): pass' },
    { 'lamp/a.py': '', 'lamp/b.py': 'def f(): pass' },
    [],
  ],
  ['a function of an inner module', { 'lamp/a.py': 'def f(): pass' }, { 'lamp/a.py': '' }, ['export_removed lamp.a f']],
  // Modules
  ['a module', { 'lamp/a.py': '' }, {}, ['subpath_removed lamp.a lamp.a']],
  ['a private module, and tests', { 'lamp/_a.py': '', 'lamp/tests/test_a.py': '' }, {}, []],
  [
    'a module that is compiled now',
    { 'lamp/a.py': 'def f(): pass' },
    { 'lamp/a.cpython-312-x86_64-linux-gnu.so': '' },
    [],
  ],
  [
    'declarations of what is compiled',
    { 'lamp/a.pyi': 'def f(): ...' },
    { 'lamp/a.pyi': '' },
    ['export_removed lamp.a f'],
  ],
  // Members
  ['a method', CLASS, 'class A: pass', ['member_removed lamp A.get']],
  ['a method of a base now', CLASS, `class B:\n    def get(self, name): pass\nclass A(B): pass`, []],
  ['a base of another package', CLASS, 'class A(Shade): pass', []],
  ['what instances have', CLASS, 'class A:\n    def __init__(self):\n        self.get = 1', []],
  ['a class that serves any name', CLASS, 'class A:\n    def __getattr__(self, name): pass', []],
  ['a member of a base of Python', CLASS, 'class A(dict): pass', []],
  // Calls
  ['a parameter', 'def f(a, b=1): pass', 'def f(a): pass', ['parameter_removed lamp f(b)']],
  ['any name is taken', 'def f(a, b=1): pass', 'def f(a, **rest): pass', []],
  ['another name at the same place', 'def f(a): pass', 'def f(b): pass', ['parameter_removed lamp f(a)']],
  ['an optional one more', 'def f(a): pass', 'def f(a, b=1): pass', []],
  ['one more that is needed', 'def f(a): pass', 'def f(a, b): pass', ['parameter_required lamp f(b)']],
  ['a default that is gone', 'def f(a=1): pass', 'def f(a): pass', ['parameter_required lamp f(a)']],
  ['by its name only', 'def f(a, b=1): pass', 'def f(a, *, b=1): pass', ['parameter_keyword_only lamp f(b)']],
  ['by its place only', 'def f(a, b): pass', 'def f(a, /, b): pass', ['parameter_positional_only lamp f(a)']],
  ['a method', CLASS, 'class A:\n    def get(self): pass', ['parameter_removed lamp A.get(name)']],
  [
    'a constructor',
    'class A:\n    def __init__(self, a): pass',
    'class A:\n    def __init__(self): pass',
    ['parameter_removed lamp A(a)'],
  ],
  [
    'a data class',
    '@dataclass\nclass A:\n    a: int\n    b: int = 1',
    '@dataclass\nclass A:\n    b: int = 1',
    ['parameter_removed lamp A(a)'],
  ],
  ['a decorator that nobody knows', 'def f(a): pass', '@change\ndef f(b): pass', []],
  [
    'what the base takes',
    'class B:\n    def __init__(self, a): pass\nclass A(B):\n    def __init__(self, **rest):\n        super().__init__(**rest)',
    'class B:\n    def __init__(self): pass\nclass A(B):\n    def __init__(self, **rest):\n        super().__init__(**rest)',
    ['parameter_removed lamp B(a)', 'parameter_removed lamp A(a)'],
  ],
  // Metadata
  [
    'a higher Python',
    meta('Requires-Python: >=3.7'),
    meta('Requires-Python: >=3.9'),
    ['engines_raised  requires-python'],
  ],
  ['the same Python in other words', meta('Requires-Python: >=3.7'), meta('Requires-Python: >=3.7.0, <4'), []],
  ['an extra', meta('Provides-Extra: Fast_IO\nProvides-Extra: dev'), meta(''), ['extra_removed  fast-io']],
  [
    'a command',
    { ...meta(''), [`${LAMP}entry_points.txt`]: '[console_scripts]\nlamp = lamp:main\n' },
    meta(''),
    ['bin_removed  lamp'],
  ],
];

describe('two versions of a Python package', () => {
  for (const [title, old, next, expected] of CASES) {
    it(title, () => assert.deepEqual(told(old, next), expected));
  }
  it('are the same as themselves', () => {
    for (const [, old] of CASES) assert.deepEqual(told(old, old), []);
  });
});

describe('a source archive', () => {
  const source = (files: Record<string, string>) => {
    const found = pythonPackage({ ...files, [`${LAMP}METADATA`]: '', 'PKG-INFO': 'Name: lamp\nVersion: 1.0.0\n' });
    return [...found.modules.keys()];
  };
  it('has its modules where they stand', () => {
    assert.deepEqual(source({ 'src/lamp/__init__.py': '', 'tests/__init__.py': '', 'setup.py': '' }), ['lamp']);
    assert.deepEqual(source({ 'lamp.py': '', 'setup.py': '' }), ['lamp']);
    assert.deepEqual(
      source({ 'lamp.egg-info/top_level.txt': 'shade\n', 'lib/shade/a.py': '', 'lamp/__init__.py': '' }),
      ['shade.a'],
    );
  });
});
