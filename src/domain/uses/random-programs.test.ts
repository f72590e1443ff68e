// Programs that are made from known uses: every name is found with the word that it was written with.
import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Finding } from '../evidence/finding.ts';
import { useOf } from './use-of.ts';
import { readUses } from './uses.fixture.ts';

type Way = 'named' | 'alias' | 'namespace' | 'require' | 'taken' | 'dynamic' | 'promise' | 'rest' | 'again' | 'export';

const WAYS: Way[] = [
  'named',
  'alias',
  'namespace',
  'require',
  'taken',
  'dynamic',
  'promise',
  'rest',
  'again',
  'export',
];
const NOISE = [
  (name: string) => `// ${name}(); import { ${name} } from 'pkg';`,
  (name: string) => `const text$ = "require('pkg').${name}()";`,
  (name: string) => `{ const ${name} = 1; ${name}; }`,
  (name: string) => `function own$(${name}) { return ${name}(); }`,
  (name: string) => `own({ ${name}: 1 }).${name};`,
  (name: string) => `try {} catch (${name}) { ${name}(); }`,
];

function written(way: Way, name: string, id: number): string {
  const local = `local${id}`;
  switch (way) {
    case 'named':
      return `import { ${name} } from 'pkg';\n${name}();`;
    case 'alias':
      return `import { ${name} as ${local} } from 'pkg';\nnew ${local}();`;
    case 'namespace':
      return `import * as ${local} from 'pkg';\n${local}.${name}();`;
    case 'require':
      return `const ${local} = require('pkg');\n${local}['${name}'];`;
    case 'taken':
      return `const { ${name}: ${local} } = require('pkg');\n${local}\`x\`;`;
    case 'dynamic':
      return `const ${local} = await import('pkg');\n(${local} as any).${name}();`;
    case 'promise':
      return `import('pkg').then(({ ${name}: ${local} }) => ${local}());`;
    case 'rest':
      return `import * as all${id} from 'pkg';\nconst { other${id}, ...${local} } = all${id};\n${local}.${name};`;
    case 'again':
      return `import * as all${id} from 'pkg';\nlet ${local};\n${local} = all${id};\n${local}.${name}();`;
    case 'export':
      return `export { ${name} as ${local} } from 'pkg';`;
  }
}

function finding(name: string): Finding {
  return { kind: 'export_removed', name, subpath: '.', certainty: 'proven', was: null, is: null, text: name };
}

it('uses of made-up programs', () => {
  const use = fc.record({ way: fc.constantFrom(...WAYS), noise: fc.array(fc.nat(NOISE.length - 1), { maxLength: 3 }) });
  fc.assert(
    fc.property(
      fc.array(use, { minLength: 1, maxLength: 8 }),
      fc.array(fc.boolean(), { maxLength: 4 }),
      fc.boolean(),
      (uses, unread, isWhole) => {
        const names = uses.map((_, index) => `used${index}`);
        const idle = unread.map((_, index) => `idle${index}`);
        const noisy = [...names, ...idle, 'absent'];
        const files = uses.map(({ way, noise }, index) => {
          const strange = noise.map((kind, at) =>
            NOISE[kind]?.(noisy[(index + at + 1) % noisy.length] ?? '').replaceAll('$', `${at}`),
          );
          // Noise about a name stays out of the file in which that name is imported.
          const text = `${written(way, `used${index}`, index)}\n`;
          return [
            { path: `a${index}.ts`, text },
            { path: `noise${index}.ts`, text: `import 'pkg';\n${strange.join('\n')}` },
          ];
        });
        const idleFile = { path: 'idle.ts', text: idle.map((name) => `import { ${name} } from 'pkg';`).join('\n') };
        const project = readUses([...files.flat(), idleFile], isWhole ? {} : { asked: ['pkg', 'elsewhere'] });
        for (const name of names) assert.equal(useOf(project, 'pkg', finding(name)).use, 'used', name);
        for (const name of idle) assert.equal(useOf(project, 'pkg', finding(name)).use, 'imported_not_used', name);
        assert.equal(useOf(project, 'pkg', finding('absent')).use, 'not_used');
        assert.equal(useOf(project, 'elsewhere', finding('absent')).use, 'not_imported');
      },
    ),
    { numRuns: 60 },
  );
});
