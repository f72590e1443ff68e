import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODE_CLOSE, CODE_OPEN } from '../../domain/clean-text.ts';
import { highlight } from './search-results.ts';

test('marks words and code, also one within the other, and escapes both', () => {
  const text = `Use ${CODE_OPEN}idle_timeout<T>${CODE_CLOSE} now`;
  const at = text.indexOf('timeout');
  assert.equal(
    String(
      highlight(text, [
        [0, 3],
        [at, at + 7],
      ]),
    ),
    '<mark>Use</mark> <code>idle_<mark>timeout</mark>&lt;T&gt;</code> now',
  );
  assert.equal(String(highlight(`…end${CODE_CLOSE} of ${CODE_OPEN}code…`, [])), '…end of code…');
  assert.equal(String(highlight('plain', [[0, 9]])), '<mark>plain</mark>');
});
