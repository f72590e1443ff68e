import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MeaningFilter, type MeaningfulRelease, passesMeaning } from './passes-meaning.ts';

const PLAIN: MeaningfulRelease = { breaking: 'none', importance: 2, security: false };
const UNJUDGED: MeaningfulRelease = { breaking: 'unknown', importance: null, security: false };

describe('passesMeaning', () => {
  const cases: [string, MeaningFilter, MeaningfulRelease, boolean][] = [
    ['nothing is set', {}, UNJUDGED, true],
    ['null and false are not set', { minBreaking: null, minImportance: null, security: false }, UNJUDGED, true],
    ['a major break', { minBreaking: 'major' }, { ...PLAIN, breaking: 'major' }, true],
    ['a minor break is not major', { minBreaking: 'major' }, { ...PLAIN, breaking: 'minor' }, false],
    ['major is at least minor', { minBreaking: 'minor' }, { ...PLAIN, breaking: 'major' }, true],
    ['none is less than minor', { minBreaking: 'minor' }, PLAIN, false],
    ['unknown never passes', { minBreaking: 'minor', minImportance: 1, security: true }, UNJUDGED, false],
    ['a proof counts as major', { minBreaking: 'major' }, { ...PLAIN, proven: true }, true],
    ['also where the notes are not judged', { minBreaking: 'major' }, { ...UNJUDGED, proven: true }, true],
    ['a proof is no security fix', { security: true }, { ...PLAIN, proven: true }, false],
    ['importance at the bound', { minImportance: 2 }, PLAIN, true],
    ['importance below it', { minImportance: 3 }, PLAIN, false],
    ['any is enough: security', { minBreaking: 'major', security: true }, { ...PLAIN, security: true }, true],
    ['any is enough: importance', { minBreaking: 'major', minImportance: 4 }, { ...PLAIN, importance: 5 }, true],
    ['none of them', { minBreaking: 'major', minImportance: 4, security: true }, PLAIN, false],
  ];
  for (const [name, filter, release, passes] of cases) {
    it(name, () => assert.equal(passesMeaning(filter, release), passes));
  }
});
