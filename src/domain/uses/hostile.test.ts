// Files that were written against the reader: they are unclear, and nothing else suffers.
import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { useOf } from './use-of.ts';
import { readUses } from './uses.fixture.ts';

const DEEP = 100_000;
const HOSTILE: Record<string, string> = {
  brackets: `import 'pkg';\nx = ${'('.repeat(DEEP)}1${')'.repeat(DEEP)};`,
  arrows: `import 'pkg';\nx = ${'a => '.repeat(DEEP)}1;`,
  blocks: `import 'pkg';\n${'{'.repeat(DEEP)}${'}'.repeat(DEEP)}`,
  'never closed': `import 'pkg';\n${'[`${'.repeat(50_000)}`,
  types: `import 'pkg';\ntype A = ${'B<'.repeat(DEEP)}1${'>'.repeat(DEEP)};`,
  broken: `import 'pkg';\nclass { { function ( => }`,
  'a very long line': `import 'pkg';\nconst x = ${'"abc" + '.repeat(200_000)}1;`,
};

for (const [title, text] of Object.entries(HOSTILE)) {
  it(title, () => {
    const uses = readUses([
      { path: 'hostile.ts', text },
      { path: 'fine.ts', text: `import { a } from 'other';\na();` },
    ]);
    const finding = {
      kind: 'export_removed',
      name: 'a',
      subpath: '.',
      certainty: 'proven',
      was: null,
      is: null,
      text: '',
    } as const;
    // A long line alone is read; what nests without end, or is broken, is not.
    if (title !== 'a very long line') assert.equal(useOf(uses, 'pkg', finding).use, 'unclear');
    assert.equal(useOf(uses, 'other', finding).use, 'used');
  });
}

it('aliases that go round in circles end', () => {
  const uses = readUses([
    { path: 'a.ts', text: `export * from './b';\nlet x = y, y = x;\nexport { x } from './b';` },
    { path: 'b.ts', text: `export * from './a';\nexport { x } from './a';\nimport { x as z } from './a';\nz();` },
    { path: 'tsconfig.json', text: '{"extends":"./tsconfig.json"}' },
  ]);
  assert.equal(uses.packages.size, 0);
});

it('functions that call each other many times are followed once', () => {
  const functions = Array.from({ length: 60 }, (_, index) => {
    return `function f${index}() { return x ? f${index + 1}() : f${index + 1}() || f${(index + 7) % 60}(); }`;
  });
  const text = `${functions.join('\n')}\nfunction f60() { return require('pkg'); }\nf50().a();`;
  const finding = {
    kind: 'export_removed',
    name: 'a',
    subpath: '.',
    certainty: 'proven',
    was: null,
    is: null,
    text: '',
  } as const;
  assert.notEqual(useOf(readUses([{ path: 'a.js', text }]), 'pkg', finding).use, 'not_used');
});
