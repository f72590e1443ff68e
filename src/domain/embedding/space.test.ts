import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RECIPE, readSpace, spaceName } from './space.ts';

it('the name of a space can be read back', () => {
  for (const embedder of ['minilm-l6-v2', 'endpoint:vendor|large/v3']) {
    assert.deepEqual(readSpace(spaceName({ embedder, dims: 384 })), { embedder, dims: 384, recipe: RECIPE });
  }
  assert.equal(readSpace('something else'), null);
});
