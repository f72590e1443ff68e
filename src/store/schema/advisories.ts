// Row types of advisories that an operator has imported.
import type { Ecosystem } from '../../contract/enums.ts';
import type { Advisory } from '../../domain/advisories/osv-record.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface AdvisoryTables {
  advisory_sets: AdvisorySetRow;
  advisories: AdvisoryRow;
}

// What one import brought for one ecosystem.
export interface AdvisorySetRow {
  ecosystem: Ecosystem;
  id: string;
  // The path or address as the operator named it.
  origin: string;
  records: number;
  // Of each ecosystem at most one is.
  current: Bit;
  imported_at: string;
}

export interface AdvisoryRow {
  set_id: string;
  ecosystem: Ecosystem;
  // Normalised, as in the package map.
  name: string;
  advisory_id: string;
  // With the ranges of this package alone.
  record: JsonText<Advisory>;
}
