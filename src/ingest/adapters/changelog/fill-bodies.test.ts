import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPointer } from './fill-bodies.ts';

const POINTERS = [
  '',
  '  \n\n ',
  'See CHANGELOG.md',
  'See [CHANGELOG.md](https://github.com/acme/engine/blob/main/CHANGELOG.md#120) for details.',
  'Please refer to [the changelog](CHANGELOG.md) for more information',
  '**Full Changelog**: https://github.com/acme/engine/compare/v1.1.0...v1.2.0',
  'https://github.com/acme/engine/blob/main/HISTORY.md',
  '[Release notes](https://acme.example/blog/1.2)',
  'Release notes: <https://acme.example/notes>',
  'Check out the full list of changes here: https://acme.example/changes',
  'v1.2.0: see the changelog.',
  'Changelog for 1.2.0 can be found in docs/changes.rst',
];

const BODIES = [
  'Fixes a crash when saving.',
  'Bug fixes',
  'First release',
  'See CHANGELOG.md\n\n- And one more thing',
  'Fixes the link to the changelog',
  'Adds history to the editor',
  '- Updated dependencies [abc1234]',
  'Version 1.2.0',
  '![screenshot](https://acme.example/a.png) New editor',
  `See the changelog ${'and more '.repeat(80)}`,
];

describe('bodies that only point at a changelog', () => {
  for (const body of POINTERS)
    it(`points: ${JSON.stringify(body.slice(0, 60))}`, () => assert.equal(isPointer(body), true));
  for (const body of BODIES)
    it(`speaks: ${JSON.stringify(body.slice(0, 60))}`, () => assert.equal(isPointer(body), false));
});
