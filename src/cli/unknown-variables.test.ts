import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unknownVariables } from './unknown-variables.ts';

describe('variables that are no settings', () => {
  const CASES: readonly [name: string, told: RegExp | null][] = [
    ['REGISTRY_BASE_URL', null],
    ['REGISTRY_GITHUB_TOKEN', null],
    ['REGISTRY_API_KEY', null],
    ['REGISTRY_TEST_ENGINE', null],
    ['BASE_URL', null],
    ['REGISTRY_BASEURL', /^REGISTRY_BASEURL: is no setting; did you mean REGISTRY_BASE_URL\?$/],
    ['REGISTRY_DATA_DRI', /did you mean REGISTRY_DATA_DIR\?/],
    ['REGISTRY_ROTKEY', /did you mean REGISTRY_ROOT_KEY\?/],
    ['REGISTRY_XQZVWKJYPPLMNNBBVVCCXXZZ_QQ', /`registry help config` lists them all/],
  ];
  for (const [name, told] of CASES) {
    it(name, () => {
      const [first, ...others] = unknownVariables({ [name]: 'x', PATH: '/bin' });
      assert.deepEqual(others, []);
      if (told === null) assert.equal(first, undefined);
      else assert.match(first ?? '', told);
    });
  }
});
