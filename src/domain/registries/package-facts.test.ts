import assert from 'node:assert/strict';
import { it } from 'node:test';
import { npmFacts, pypiFacts } from './package-facts.ts';

it('module forms and types by what a manifest offers', () => {
  const cases = [
    [{ type: 'module', exports: { '.': { types: './a.d.ts', default: './a.js' } } }, 'import', true],
    [{ exports: { '.': { import: './a.mjs', require: './a.cjs' } } }, 'import and require', false],
    [
      { type: 'module', exports: { '.': { require: { types: './a.d.cts', default: './a.cjs' } } } },
      'import and require',
      true,
    ],
    [{ main: './index.js' }, 'require', false],
    [{ main: './index.js', module: './index.mjs', typings: './index.d.ts' }, 'import and require', true],
    [{}, null, null],
  ] as const;
  for (const [manifest, module, hasTypes] of cases) {
    const facts = npmFacts(manifest, null);
    assert.deepEqual([facts.module, facts.hasTypes], [module, hasTypes], JSON.stringify(manifest));
  }
});

it('texts of strangers are bounded, and what is no number is none', () => {
  const facts = npmFacts(
    {
      description: `a\n${'b'.repeat(1000)}`,
      engines: { node: '>=20' },
      dist: { unpackedSize: -1 },
      license: { type: 'MIT' },
      peerDependencies: { react: '*' },
    },
    'of the package',
  );
  assert.equal(facts.description?.length, 300);
  assert.deepEqual([facts.needs, facts.unpackedBytes, facts.license, facts.peers], ['>=20', null, 'MIT', ['react']]);
  assert.equal(npmFacts({}, ' of  the package ').description, 'of the package');
  const python = pypiFacts({ summary: 'S', requires_python: '>=3.9', requires_dist: ['a', 'b; extra == "x"'] });
  assert.deepEqual([python.description, python.needs, python.dependencies], ['S', '>=3.9', 1]);
});
