import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FIELD_TABLES, fieldText } from './index.ts';

it('describes each field in one table, and narrows by type where a name has two meanings', () => {
  const names = FIELD_TABLES.flatMap((table) => Object.keys(table));
  const repeated = names.filter((name, at) => names.indexOf(name) !== at);

  assert.deepEqual(repeated, []);
  assert.match(fieldText('releases', ['integer']) ?? '', /^Number/);
  assert.match(fieldText('releases', ['array']) ?? '', /^Releases/);
});
