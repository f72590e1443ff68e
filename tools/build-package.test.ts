import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { asJavaScript, buildPackage } from './build-package.ts';

describe('the program as plain JavaScript', () => {
  const cases: [string, string, string][] = [
    ['an import', "import { a } from './a.ts';", "import { a } from './a.js';"],
    ['an import of types', "import type { A } from './a.ts';\nlet a;", '                                \nlet a;'],
    ['an import for its effects', "import '../b/c.ts';", "import '../b/c.js';"],
    ['an import when it is needed', "await import('./c.ts');", "await import('./c.js');"],
    ['an export of another file', "export { a } from './a.ts';", "export { a } from './a.js';"],
    ['types, by blanks', 'const a: number = 1;', 'const a         = 1;'],
    ['a package whose name ends so', "import a from 'a.ts';", "import a from 'a.ts';"],
    ['a text that is no import', "const name = './a.ts';", "const name = './a.ts';"],
  ];
  for (const [name, source, expected] of cases) {
    it(name, () => assert.equal(asJavaScript(source), expected));
  }

  it('holds every file but tests and texts for readers, and nothing of an earlier build', () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-build-'));
    const [source, target] = [join(folder, 'src'), join(folder, 'dist')];
    mkdirSync(join(source, 'web'), { recursive: true });
    mkdirSync(target);
    writeFileSync(join(target, 'old.js'), '');
    const names = ['main.ts', 'main.test.ts', 'a.fixture.ts', 'x.d.ts', 'README.md', 'web/page.ts', 'web/style.css'];
    for (const name of names) writeFileSync(join(source, name), name.endsWith('.css') ? 'p {}' : 'let a;');

    const count = buildPackage({ source, target });

    assert.deepEqual(readdirSync(target, { recursive: true }).sort(), [
      'main.js',
      'web',
      'web/page.js',
      'web/style.css',
    ]);
    assert.equal(count, 3);
    assert.equal(readFileSync(join(target, 'web/style.css'), 'utf8'), 'p {}');
    rmSync(folder, { recursive: true });
  });
});
