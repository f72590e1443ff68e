import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addDependencies, type Context, plainAnswer } from '../context.ts';
import { noteDegraded } from '../search/search-connection.ts';
import { panelContext } from './page.ts';

it('a page whose panel lacks something is cached all the same, and depends on what the panel shows', () => {
  const answer = { ...plainAnswer(), shows: new Set<string>() };
  const ctx = { answer } as Context;
  const panel = panelContext(ctx);
  noteDegraded(panel, 'index_empty');
  addDependencies(panel, 'src_related');

  assert.equal(panel.answer.degraded, true);
  assert.equal(ctx.answer.degraded, false);
  assert.deepEqual([...answer.shows], ['src_related']);
});
