// Row types of what comparisons of published packages show, and of those that are wanted.
import type { Ecosystem } from '../../contract/enums.ts';
import type { EvidenceFinding } from '../../contract/evidence.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface EvidenceTables {
  evidence_pairs: EvidencePairRow;
  evidence_orders: EvidenceOrderRow;
  evidence_days: EvidenceDayRow;
  evidence_ahead: EvidenceAheadRow;
}

export type PairOutcome = 'compared' | 'no_types' | 'too_large' | 'not_available';

// A result belongs to the packages by their integrities, to what was fetched beside them and to the rules. It never expires.
export interface EvidencePairRow {
  from_integrity: string;
  to_integrity: string;
  // A hash of the packages beside them; '' for none.
  beside: string;
  rules: number;
  ecosystem: Ecosystem;
  name: string;
  from_version: string;
  to_version: string;
  status: PairOutcome;
  types: 'own' | 'definitely_typed' | 'none' | null;
  // The first findings, which every answer reads, and those after them; null for none.
  findings: JsonText<EvidenceFinding[]>;
  further: JsonText<EvidenceFinding[]> | null;
  more: number;
  proven: number;
  likely: number;
  // `name@version` of what was fetched beside the packages.
  beside_names: JsonText<string[]>;
  // Why the packages were not compared.
  reason: string | null;
  bytes: number;
  compared_at: string;
}

// A pair that is wanted and not compared yet.
export interface EvidenceOrderRow {
  ecosystem: Ecosystem;
  name: string;
  from_version: string;
  to_version: string;
  // The range that asked for it.
  range_from: string;
  range_to: string;
  priority: number;
  // When the newer package was published, so that the newest come first; '' when that is not known.
  published_at: string;
  // The allowance that further pairs of the range use up; null for a caller without a limit.
  payer: string | null;
  anonymous: Bit;
  ordered_at: string;
  attempts: number;
  // Not before this time.
  due_at: string;
  last_error: string | null;
}

// What was downloaded on a day (UTC).
interface EvidenceDayRow {
  day: string;
  bytes: number;
  anonymous_bytes: number;
  pairs: number;
}

// The newest version of a package whose step was ordered ahead of time.
interface EvidenceAheadRow {
  package_id: string;
  latest: string;
}
