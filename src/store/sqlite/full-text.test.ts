import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldText, stem, wordsOf, wordText } from '../../domain/search-text/analysis.ts';
import { encodeScope, encodeToken } from '../../domain/search-text/exact-tokens.ts';
import { kyselyOf } from '../query-builder.ts';
import { SqliteConnection, sqliteDialect } from './connection.ts';
import { sqlite } from './dialect.ts';
import { MATCH } from './match.ts';

const SUFFIXES = (
  'ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti ' +
  'iviti biliti ical ness icate iciti ful ative alize al ance ence er ic able ible ant ement ment ent ion sion tion ou ' +
  'ism ate iti ous ive ize ed eed ing s es ss sses ies y e ll at bl iz'
).split(' ');

function openIndex(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const statement of sqlite.fullTextDdl('releases')) db.exec(statement);
  db.exec('CREATE VIRTUAL TABLE terms USING fts5vocab(release_fts, instance)');
  return db;
}

// The terms that the engine derives from each text.
function termsOf(texts: readonly string[]): string[][] {
  const db = openIndex();
  const insert = db.prepare('INSERT INTO release_fts (rowid, content) VALUES (?, ?)');
  for (const [at, text] of texts.entries()) insert.run(BigInt(at), text);
  const found = texts.map((): string[] => []);
  const rows = db.prepare('SELECT doc, term FROM terms ORDER BY doc, "offset"').all() as {
    doc: number;
    term: string;
  }[];
  for (const { doc, term } of rows) found[doc]?.push(term);
  db.close();
  return found;
}

it('writes each row of a batch under its key, short rows together and long ones alone, the last of equal keys', async () => {
  const connection = new SqliteConnection({ path: ':memory:', mode: 'write', sleep: async () => {} });
  for (const statement of sqlite.fullTextDdl('releases')) connection.database.exec(statement);
  const row = (key: number, words = 1) => {
    const content = `word${key} `.repeat(words).trimEnd();
    return { key, title: `title${key}`, version: '', summary: '', content, tokens: '', scope: '' };
  };
  const long = row(30, 4000);
  const rows = [
    ...Array.from({ length: 27 }, (_, key) => row(key)),
    long,
    row(40),
    { ...row(40), content: 'replaced' },
  ];

  await sqlite.writeFullText(kyselyOf(sqliteDialect(connection)), 'releases', rows);

  const find = connection.database.prepare('SELECT rowid AS key FROM release_fts WHERE release_fts MATCH ?');
  const keysOf = (word: string) => find.all(word).map(({ key }) => key);
  for (let key = 0; key < 27; key += 1) assert.deepEqual(keysOf(`word${key} AND title${key}`), [key]);
  assert.deepEqual(keysOf('word30 AND title30'), [30]);
  assert.deepEqual(keysOf('replaced AND title40'), [40]);
  assert.deepEqual(keysOf('word40'), []);
  connection.close();
});

describe('the embedded engine', () => {
  it('stems as the domain does', () => {
    const ending = fc.array(fc.constantFrom(...SUFFIXES), { maxLength: 3 }).map((parts) => parts.join(''));
    const beginning = fc.string({ unit: fc.constantFrom(...'abcdefgiloprstuvwxyz09\u00f8\u0436\u4e2d'), maxLength: 6 });
    const words = fc
      .sample(fc.tuple(beginning, ending), { numRuns: 20_000, seed: 1 })
      .map((parts) => parts.join(''))
      .filter((word) => word !== '');

    assert.deepEqual(
      termsOf(words),
      words.map((word) => [stem(word)]),
    );
  });

  it('splits text as the domain does', () => {
    const texts = fc
      .sample(fc.string({ unit: 'grapheme', maxLength: 40 }), { numRuns: 5_000, seed: 1 })
      .map((text) => wordText(foldText(text)));

    assert.deepEqual(
      termsOf(texts),
      texts.map((text) => wordsOf(text).map(stem)),
    );
  });

  it('leaves exact terms as they are stored', () => {
    const terms = ['1.0.21', 'running', '@scope/caches', 'caf-\u00f8s', '~1']
      .map(encodeToken)
      .concat(encodeScope('pre'));

    assert.deepEqual(
      termsOf(terms),
      terms.map((term) => [term]),
    );
  });

  for (const order of ['ASC', 'DESC'] as const) {
    it(`reads keys in their order, without sorting: ${order}`, () => {
      const db = openIndex();

      const plan = db.prepare(`EXPLAIN QUERY PLAN ${MATCH[order].releases}`).all('x', 1n, 2n, 3n) as {
        detail: string;
      }[];

      // The index answers the match and both bounds of the key, and nothing sorts after it.
      assert.equal(plan.length, 1);
      assert.match(plan[0]?.detail ?? '', /^SCAN release_fts VIRTUAL TABLE INDEX \d+:M6><$/);
      db.close();
    });
  }
});
