// A scan finds at least what the parser finds, whatever stands around it.
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mayBeSpecifiers, mayLoadAnything } from './scan.ts';
import { readFile } from './syntax/read-file.ts';
import { linesOfWords } from './syntax/words.ts';
import { readUses } from './uses.fixture.ts';
import { WordIndex } from './word-index.ts';

const LOADS = [
  `import { a } from 'pkg';`,
  `import a1 from "pkg/deep";`,
  `export * from './b';`,
  'const c = require(`./c`);',
  `import('p\\x6bg').then((d) => d.a());`,
  `import { e } from '\\u0070kg';`,
  `const f = require('p\\\nkg');`,
  `type G = import('pkg').G;`,
  `vi.mock('pkg', () => ({}));`,
  `const name = 'pkg'; require(name).h();`,
  `declare module 'pkg' { interface I {} }`,
];
const NOISE = [
  `const re = /'/;`,
  'const re2 = /["`]/g;',
  `// it's a comment`,
  `/* "open */`,
  `const t = "it's";`,
  `const u = '\\'';`,
  `const v = \`\${"a"} and \${\`b\`}\`;`,
  'const w = `\n"\n`;',
  `const x = a ? 'b' : "c";`,
  `const größe = 'ä';`,
  `\u00a0const\u00a0aé = 1;`,
];

describe('the scan of a text', () => {
  it('has every specifier and every word of the parser', () => {
    const parts = fc.array(fc.constantFrom(...LOADS, ...NOISE), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parts, (lines) => {
        const text = lines.join('\n');
        const source = { path: 'a.ts', text };
        const found = mayBeSpecifiers(text);
        const uses = readFile(source);
        const named = [
          ...(uses?.touches ?? []).map(({ specifier }) => specifier),
          ...(uses?.exports.stars ?? []),
          ...[...(uses?.exports.names.values() ?? [])].flat().map(({ specifier }) => specifier),
        ];
        for (const specifier of named) assert.ok(found.has(specifier), `${specifier} in ${text}`);
        const words = ['a', 'größe', 'aé', 'pkg', 'const', 'h'];
        const index = new WordIndex([source], words);
        for (const [word, at] of linesOfWords(source, words)) {
          if (at.length > 0) assert.deepEqual(index.filesWith(word), [source], `${word} in ${text}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('tells files that may load anything from those that load what they name', () => {
    for (const text of [`import('./a.ts')`, 'import(\n  `b`,\n)', `import x from 'y'`, 'const requirement = 1']) {
      assert.equal(mayLoadAnything(text), false, text);
    }
    for (const text of [
      'import(name)',
      'import/* x */(name)',
      `import(\`./\${a}\`)`,
      `import('a' + b)`,
      'require(x)',
    ]) {
      assert.equal(mayLoadAnything(text), true, text);
    }
  });

  it('a file with a space in its name is found as well', () => {
    const files = [
      { path: 'my file.ts', text: `export { a } from 'pkg';` },
      { path: 'b.ts', text: `import { a } from './my file';\na();` },
    ];
    const { packages } = readUses(files, { asked: ['pkg'] });
    assert.deepEqual(packages, readUses(files).packages);
    assert.equal(packages.get('pkg')?.touches.at(-1)?.file, 'b.ts');
  });

  it('names are followed through files that hand them on, and nothing else is read', () => {
    const files = [
      { path: 'a.ts', text: `export * from './b';` },
      { path: 'b.ts', text: `import * as p from 'pkg';\nexport const made = p.make();` },
      { path: 'c.ts', text: `import { made } from './a';\nmade.close();` },
      { path: 'd.ts', text: `import { other } from 'elsewhere';\nother();` },
    ];
    const some = readUses(files, { asked: ['pkg'] });
    assert.deepEqual(some.packages.get('pkg'), readUses(files).packages.get('pkg'));
    assert.deepEqual([...some.packages.keys()], ['pkg']);
  });
});
