import { encodeScope } from './exact-tokens.ts';

// The owners of a document, by which filters find it.
interface EntityFields {
  org: string | null;
  product: string | null;
  source: string;
  kind: string | null;
  category: string | null;
  sourceType: string;
}

export interface ScopeFields extends EntityFields {
  type: string;
  breaking: string;
  importance: number | null;
  prerelease: boolean;
  coverage: boolean;
  undated: boolean;
}

export type ScopeName =
  | 'org'
  | 'product'
  | 'source'
  | 'kind'
  | 'category'
  | 'source_type'
  | 'type'
  | 'breaking'
  | 'importance';

// The index term of one value of a filter.
export function scopeTerm(name: ScopeName, value: string | number): string {
  return encodeScope(`${name}:${value}`);
}

export const PRERELEASE_TERM = encodeScope('pre');
export const COVERAGE_TERM = encodeScope('cov');
export const UNDATED_TERM = encodeScope('undated');

// The terms by which filters find the documents of an entity.
export function entityTerms(fields: EntityFields): string[] {
  return namedTerms([
    ['org', fields.org],
    ['product', fields.product],
    ['source', fields.source],
    ['kind', fields.kind],
    ['category', fields.category],
    ['source_type', fields.sourceType],
  ]);
}

// Every term by which filters find a release.
export function scopeTerms(fields: ScopeFields): string[] {
  const terms = [
    ...entityTerms(fields),
    ...namedTerms([
      ['type', fields.type],
      ['breaking', fields.breaking],
      ['importance', fields.importance],
    ]),
  ];
  if (fields.prerelease) terms.push(PRERELEASE_TERM);
  if (fields.coverage) terms.push(COVERAGE_TERM);
  if (fields.undated) terms.push(UNDATED_TERM);
  return terms;
}

function namedTerms(named: readonly [ScopeName, string | number | null][]): string[] {
  return named.flatMap(([name, value]) => (value === null ? [] : [scopeTerm(name, value)]));
}
