import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ReadQuestion, readQuestion } from './read-question.ts';

const words = (text: string): ReadQuestion => ({ kind: 'words', text });
const named = (name: string, ecosystem: 'npm' | 'pypi' | null = null): ReadQuestion => ({
  kind: 'package',
  name,
  ecosystem,
});
const repository = (coordinate: string, from: string | null = null, to: string | null = null): ReadQuestion => ({
  kind: 'repository',
  coordinate,
  from,
  to,
});
const update = (
  name: string,
  [from, to]: [string, string],
  { ecosystem = null, isSure = true }: { ecosystem?: 'npm' | 'pypi' | null; isSure?: boolean } = {},
): ReadQuestion => ({ kind: 'upgrade', name, ecosystem, from, to, isSure });
const npm = { ecosystem: 'npm' } as const;

const TABLE: readonly [string, ReadQuestion][] = [
  ['zod', named('zod')],
  ['  zod  ', named('zod')],
  ['zod latest', named('zod')],
  ['@types/node', named('@types/node', 'npm')],
  ['npm:zod', named('zod', 'npm')],
  ['PyPI:Django', named('Django', 'pypi')],
  ['pkg:npm/%40types/node', named('@types/node', 'npm')],
  ['pkg:pypi/django?repository_url=x#y', named('django', 'pypi')],
  ['https://www.npmjs.com/package/@types/node', named('@types/node', 'npm')],
  ['pypi.org/project/requests/', named('requests', 'pypi')],
  ['nodemailer 8', update('nodemailer', ['8', 'latest'])],
  ['zod 3.25 to 4', update('zod', ['3.25', '4'])],
  ['upgrade zod from 3 to 4', update('zod', ['3', '4'])],
  ['zod 3.25.76 4.6.7', update('zod', ['3.25.76', '4.6.7'])],
  ['zod 3 → 4', update('zod', ['3', '4'])],
  ['zod 3→4', update('zod', ['3', '4'])],
  ['zod 3...4', update('zod', ['3', '4'])],
  ['zod ^3.25.0', update('zod', ['3.25.0', 'latest'])],
  ['zod 3.x 4.x', update('zod', ['3', '4'])],
  ['zod v4.0.0-beta.1', update('zod', ['v4.0.0-beta.1', 'latest'])],
  ['zod@3.25.76', update('zod', ['3.25.76', 'latest'])],
  ['zod@3 4', update('zod', ['3', '4'])],
  ['npm:zod@3.25.76', update('zod', ['3.25.76', 'latest'], npm)],
  ['@types/node@20 24', update('@types/node', ['20', '24'], npm)],
  ['django==4.2', update('django', ['4.2', 'latest'])],
  ['pkg:npm/zod@3.25.76', update('zod', ['3.25.76', 'latest'], npm)],
  ['pkg:npm/%40types/node@20.1.0', update('@types/node', ['20.1.0', 'latest'], npm)],
  ['https://npmjs.com/package/zod/v/3.25.76', update('zod', ['3.25.76', 'latest'], npm)],
  ['error 404', update('error', ['404', 'latest'], { isSure: false })],
  ['@sparticuz/chromium 138', update('@sparticuz/chromium', ['138', 'latest'], npm)],
  ['acme/lamp', repository('acme/lamp')],
  ['github:Acme/Lamp', repository('acme/lamp')],
  ['acme/lamp 1.2 to 2', repository('acme/lamp', '1.2', '2')],
  ['https://github.com/acme/lamp.git', repository('acme/lamp')],
  ['git@github.com:acme/lamp.git', repository('acme/lamp')],
  ['pkg:github/acme/lamp@v1', repository('acme/lamp', 'v1')],
  ['', words('')],
  ['how do I update zod', words('how do I update zod')],
  ['breaking changes in 2026', words('breaking changes in 2026')],
  ['zod 1 2 3', words('zod 1 2 3')],
  ['CVE-2025-1234', named('CVE-2025-1234')],
  ['4.6.7', words('4.6.7')],
  ['https://example.com/acme', words('https://example.com/acme')],
  ['pkg:npm/%E0%A4%A', words('pkg:npm/%E0%A4%A')],
  ['pkg:cargo/serde', words('pkg:cargo/serde')],
  ['npm:../../etc', words('npm:../../etc')],
  ['@scope', words('@scope')],
  ['a/b/c', words('a/b/c')],
];

describe('what a text in the one field asks for', () => {
  for (const [text, meant] of TABLE) it(JSON.stringify(text), () => assert.deepEqual(readQuestion(text), meant));

  it('reads a long hostile text in no time worth telling', () => {
    for (const text of ['@'.repeat(1e6), 'a.'.repeat(1e6), '1.'.repeat(1e6), 'pkg:npm/'.repeat(1e5), ' '.repeat(1e6)]) {
      assert.ok(readQuestion(text));
      assert.ok(readQuestion(`zod ${text}`));
    }
  });
});
