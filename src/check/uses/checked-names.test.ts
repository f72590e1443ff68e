import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DEEP_DECLARATIONS, DEEP_OPERATORS } from '../../domain/evidence/deep.fixture.ts';
import type { Finding } from '../../domain/evidence/finding.ts';
import { WordIndex } from '../../domain/uses/word-index.ts';
import { checkedNames } from './checked-names.ts';

const root = mkdtempSync(join(tmpdir(), 'checked-names-'));
const gone: Finding = {
  kind: 'member_removed',
  name: 'Text.ip',
  subpath: '.',
  certainty: 'proven',
  was: null,
  is: null,
  text: '',
};

function install(name: string, declarations: string): void {
  mkdirSync(join(root, 'node_modules', name), { recursive: true });
  writeFileSync(join(root, 'node_modules', name, 'index.d.ts'), declarations);
}

async function asked(text: string) {
  const files = [{ path: 'a.ts', text }];
  const cache = { read: () => null, write: () => {} };
  const wanted = [{ package: 'pkg', names: ['pkg'], findings: [gone] }];
  return checkedNames({ root, files, wanted }, { cache, index: new WordIndex(files, ['ip']) });
}

describe('names that types know', () => {
  after(() => rmSync(root, { recursive: true, force: true }));

  it('are told beside an installed package that is left out by its name', async () => {
    install('pkg', 'export interface Text { ip(): Text }\nexport declare const text: Text;');
    install('deep', DEEP_DECLARATIONS.brackets?.['index.d.ts'] ?? '');
    const { names, leftOut } = await asked("import { text } from 'pkg';\nimport { a } from 'deep';\ntext.ip(a);\n");
    assert.deepEqual(
      [...(names?.values() ?? [])].flatMap(({ places }) => places.map(({ line }) => line)),
      [3],
    );
    assert.deepEqual(leftOut, ['the types of deep, nested too deeply for the compiler']);
  });

  it('are not known where the compiler breaks on what nobody foresaw, which is told', async () => {
    install('operators', DEEP_OPERATORS['index.d.ts']);
    const { names, leftOut } = await asked("import { a } from 'operators';\nexport const ip = a;\n");
    assert.deepEqual([names, leftOut], [null, ['types could not be read: is nested too deeply']]);
  });
});
