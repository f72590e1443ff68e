import { encodeScope } from './encode.ts';

export interface ScopeFields {
  org: string | null;
  product: string | null;
  source: string;
  kind: string | null;
  category: string | null;
  sourceType: string;
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

/** What a filter asks for, as it stands in the index. */
export function scopeTerm(name: ScopeName, value: string | number): string {
  return encodeScope(`${name}:${value}`);
}

export const PRERELEASE_TERM = encodeScope('pre');
export const COVERAGE_TERM = encodeScope('cov');
export const UNDATED_TERM = encodeScope('undated');

/** Every term by which filters find a release. */
export function scopeTerms(fields: ScopeFields): string[] {
  const named: [ScopeName, string | number | null][] = [
    ['org', fields.org],
    ['product', fields.product],
    ['source', fields.source],
    ['kind', fields.kind],
    ['category', fields.category],
    ['source_type', fields.sourceType],
    ['type', fields.type],
    ['breaking', fields.breaking],
    ['importance', fields.importance],
  ];
  const terms = named.flatMap(([name, value]) => (value === null ? [] : [scopeTerm(name, value)]));
  if (fields.prerelease) terms.push(PRERELEASE_TERM);
  if (fields.coverage) terms.push(COVERAGE_TERM);
  if (fields.undated) terms.push(UNDATED_TERM);
  return terms;
}
