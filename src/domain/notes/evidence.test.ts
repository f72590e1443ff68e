import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEvidence } from './evidence.ts';
import { readHabits } from './habits.ts';
import { derive, lines } from './notes.fixture.ts';

describe('evidence of a break', () => {
  const major = [
    'Removed IMarkupPage.docId',
    'No longer supporting IE9',
    'The cache header no longer applies',
    'Backward compatibility is broken',
    'Changed names: now required are `host` and `path`',
    'The main module does not export `parse`',
    'Defaulting maxAge to 0 not 1 year',
    'Bump TypeScript peer dependency to `>= 1.7.3`',
    'Enable persistent connections by default',
  ];
  for (const content of major) {
    it(`major: ${content}`, () => assert.equal(derive({ version: '1.4.0', step: 'minor', content }).breaking, 'major'));
  }

  const none = [
    '- Remove Node 4, 6 from CI',
    '- [Tests] remove `jscs`',
    '- [Refactor] remove no-longer-needed `es-iterator-helpers`',
    '- Fixed: support breaking change in pidusage module',
    '- Fixed a typo; the entry is removed when its last tab closes',
    '- [Refactor] use an array instead of an object for the names',
    '- Revert release 1.4.0, which introduced a breaking change',
    '- Update the changelog to include the breaking change of the pickers',
    '- Added hooks. Their new names are not included: it would be a breaking change',
    '- All users should update to this version as soon as possible',
    '- Remove conditional styles to support streaming',
    '- ~Node 6 is no longer supported~ Reverted in 1.4.2',
    '- remove `unpipe` package and use native `unpipe()` method',
    '- `map.size()` will now return 0 instead of `NaN`',
    '### Removed\n\n- Remove `0.8`, `0.10` and `0.11` from travis',
    '### Removed\n\n- Remove `contributors` from `package.json`',
    '### Removed\n\n- Remove `console.log()` from `size-test.js`',
    '### Removed\n\n- Remove `slump` devDependency',
    '### Removed\n\n- Removed a custom sorting implementation in favor of the built-in algorithm',
    '### Removed\n\n- Removed type definitions for non-existing methods `rowOffset` and `colOffset`',
    '### Removed\n\n- Removed the two-week delay in showing a warning',
    '- Update peerDependencies to accept webpack 2',
  ];
  for (const content of none) {
    it(`no break: ${content}`, () =>
      assert.notEqual(derive({ version: '1.4.1', step: 'patch', content }).breaking, 'major'));
  }

  it('does not call a release harmless because of words that were crossed out', () => {
    const content = lines('- ~Node 6 is no longer supported~ Reverted in 1.4.2', '- Fixed hooks');
    assert.equal(derive({ version: '1.4.1', step: 'patch', content }).breaking, 'unknown');
  });

  it('reads a range of versions as no crossed-out text', () => {
    const content = '- Works with ~2.1 and no longer supports ~1.9';
    assert.equal(derive({ version: '1.4.0', step: 'minor', content }).breaking, 'major');
  });

  it('hears of a deprecation behind another change', () => {
    const content = '- resize images once and add a deprecation warning';
    assert.equal(derive({ version: '1.4.1', step: 'patch', content }).breaking, 'minor');
  });

  it('hears of a deprecation among chores', () => {
    const content = lines('### Chores', '', '* **api:** deprecate the Assistants API');
    assert.equal(derive({ version: '1.4.0', step: 'minor', content }).breaking, 'minor');
  });

  it('reads a deprecation behind another change', () => {
    const deprecating = [
      'Document (and deprecate) the undocumented `errors` property of `QueryResult`',
      'Improve the autobin algorithm: allow parts of bins, deprecate `autobin` attributes',
      'Importing functions and types from the `acme` package is deprecated, all of it will be removed',
      'We are deprecating the Entity module in favor of `contentState`',
      'Correct some behavior and deprecate `runFunctions`',
    ];
    for (const told of deprecating) {
      const content = lines('### Changed', '', `- ${told}`);
      assert.equal(derive({ version: '1.4.0', step: 'minor', content }).breaking, 'minor', told);
    }
    const warned = lines('### Added', '', '- Add deprecation warnings for `cards` (these will be removed in v10.0.0)');
    assert.equal(derive({ version: '1.4.0', step: 'minor', content: warned }).breaking, 'minor');
    const another = lines('### Changed', '', '- Division using / is deprecated. Replaced it with multiplications.');
    assert.notEqual(derive({ version: '1.4.0', step: 'minor', content: another }).breaking, 'minor');
  });

  it('reads the removal of a named type as one of the interface', () => {
    const content = lines('### Minor Changes', '', "- Remove `Changeset` type because it isn't used");
    assert.equal(derive({ version: '0.3.0', step: 'minor', content }).breaking, 'major');
  });

  it('reads the purpose of a fix as no doubt', () => {
    const told =
      'Update the `data` types of `IncrementalPayload` such that they no longer include `undefined`, which was not a valid value';
    const content = lines('### Patch Changes', '', `- ${told}, to fix errors of the compiler.`);
    assert.equal(derive({ version: '1.4.1', step: 'patch', content }).breaking, 'none');
  });

  it('does not call a stricter interface harmless below a heading of fixes', () => {
    const stricter = [
      '`useDefaults` with no directives is no longer valid',
      'Make `closed` a required field',
      'Use the native focus ring (requires a CSS update)',
    ];
    for (const told of stricter) {
      const content = lines('### Fixed', '', `- ${told}`);
      assert.equal(derive({ version: '1.4.1', step: 'patch', content }).breaking, 'unknown', told);
    }
  });

  it('reads a label behind an invisible character', () => {
    const content = '- &#8203;<!-- 12 -->[docs] Remove `parse()` (#12) @kim';
    assert.notEqual(derive({ version: '1.4.0', step: 'minor', content }).breaking, 'major');
    assert.equal(derive({ version: '1.4.0', step: 'minor', content: '- Remove `parse()`' }).breaking, 'major');
  });

  it('carries the sentence that made it', () => {
    const { quotes } = readEvidence('Faster start. Dropped support for Node 16.', { class: null });
    assert.deepEqual(
      quotes.map(({ level, text }) => [level, text]),
      [['major', 'Dropped support for Node 16.']],
    );
  });

  it('reads a warning sign as its source uses it', () => {
    const bodies = Array.from({ length: 6 }, (_, index) => `- ⚠️ Fix crash ${index}`);
    const content = lines('- ⚠️ Crash on start', '- Fixed hooks');
    const judged = (habits = readHabits([])) => derive({ version: '1.4.1', step: 'patch', content, habits }).breaking;
    assert.equal(judged(), 'major');
    assert.notEqual(judged(readHabits(bodies)), 'major');
  });

  it('judges a renamed name without a code span as a rename', () => {
    const content = '- Renamed vis.util.cast to vis.util.convert';
    assert.equal(derive({ version: '1.4.0', step: 'minor', content }).breaking, 'minor');
  });
});
