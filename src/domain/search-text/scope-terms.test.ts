import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ScopeFields, scopeTerm, scopeTerms } from './scope-terms.ts';

const FIELDS: ScopeFields = {
  org: 'org_Ab1',
  product: null,
  source: 'src_1',
  kind: 'sdk',
  category: 'developer-tools',
  sourceType: 'github',
  type: 'feature',
  breaking: 'none',
  importance: 3,
  prerelease: false,
  coverage: false,
  undated: false,
};

// Terms in short, without their marks.
function plain(terms: readonly string[]): string[] {
  return terms.map((term) => {
    assert.match(term, /^\ue0fe.+\ue0ff$/);
    return term.slice(1, -1).replace(/[\ue021-\ue07e]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xe000));
  });
}

describe('scopeTerms', () => {
  it('names what is there', () => {
    assert.deepEqual(plain(scopeTerms(FIELDS)), [
      'org:org_ab1',
      'source:src_1',
      'kind:sdk',
      'category:developer-tools',
      'source_type:github',
      'type:feature',
      'breaking:none',
      'importance:3',
    ]);
  });

  it('adds pre, cov and undated where they apply', () => {
    const terms = scopeTerms({ ...FIELDS, prerelease: true, coverage: true, undated: true });

    assert.deepEqual(plain(terms).slice(-3), ['pre', 'cov', 'undated']);
  });

  it('are what a filter asks for', () => {
    assert.ok(scopeTerms(FIELDS).includes(scopeTerm('org', 'org_Ab1')));
    assert.ok(scopeTerms(FIELDS).includes(scopeTerm('importance', 3)));
  });
});
