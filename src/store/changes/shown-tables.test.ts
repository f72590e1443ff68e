import assert from 'node:assert/strict';
import { it } from 'node:test';
import { effectOf } from './shown-tables.ts';

it('tells by table and columns what a statement can change', () => {
  const cases: [sql: string, effect: string][] = [
    ['select * from "orgs"', 'nothing'],
    ['SELECT pg_advisory_xact_lock(1)', 'nothing'],
    ['PRAGMA synchronous = FULL', 'nothing'],
    ['insert into "audit_log" ("id") values ($1)', 'nothing'],
    ['delete from "sessions" where "id" = ?', 'nothing'],
    ['INSERT OR REPLACE INTO release_fts (rowid, title) VALUES (?, ?)', 'lists'],
    ['INSERT INTO release_search (doc_key, words) SELECT 1', 'lists'],
    ['insert into "releases" ("id", "source_id") values (?, ?)', 'source'],
    ['update "releases" set "coverage_of" = $1 where "id" = $2', 'source'],
    ['\n  UPDATE "releases" SET "embedded_at" = v.column1 FROM (VALUES ($1)) AS v', 'source'],
    ['update "sources" set "last_polled_at" = ?, "consecutive_errors" = ? where "id" = ?', 'source'],
    ['update "releases" set "proven" = ? where "id" = ?', 'nothing'],
    ['update "releases" set "title" = ?, "proven" = ? where "id" = ?', 'source'],
    ['update "sources" set "last_polled_at" = ?, "is_hidden" = ? where "id" = ?', 'everything'],
    ['update "sources" set "name" = ? where "id" = ?', 'everything'],
    ['insert into "sources" ("id") values (?)', 'everything'],
    ['delete from "sources" where "id" in (?)', 'everything'],
    ['update "orgs" set "release_count" = ? where "id" = ?', 'owner'],
    ['update "orgs" set "release_count" = ?, "source_count" = ? where "id" = ?', 'owner'],
    ['update "orgs" set "release_count" = ?, "name" = ? where "id" = ?', 'everything'],
    ['update "orgs" set "notice" = ? where "id" = ?', 'everything'],
    ['update "pages" set "content" = ? where "id" = ? and "org_id" = ?', 'owner'],
    ['insert into "collection_members" ("org_id") values (?)', 'everything'],
    ['with "old" as (select 1) delete from "releases"', 'everything'],
    ['TRUNCATE releases', 'everything'],
    ['insert into "unheard_of" ("id") values (?)', 'everything'],
  ];
  for (const [sql, effect] of cases) assert.equal(effectOf(sql).effect, effect, sql);
});
