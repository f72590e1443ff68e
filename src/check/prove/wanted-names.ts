// The changed names that a checker can look for.
import type { Finding } from '../../domain/evidence/finding.ts';

export interface WantedNames {
  package: string;
  // The names under which the project installs it.
  names: readonly string[];
  findings: readonly Finding[];
}

const LOOKED_FOR = new Set<Finding['kind']>([
  'export_removed',
  'member_removed',
  'became_type_only',
  'parameter_required',
  'parameter_narrowed',
  'result_changed',
  'type_changed',
]);

export function isLookedFor({ kind }: Finding): boolean {
  return LOOKED_FOR.has(kind);
}
