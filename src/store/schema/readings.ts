// The row type of readings that questions have ordered.
import type { Ecosystem } from '../../contract/enums.ts';
import type { ReadingPart } from '../../contract/reading.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface ReadingTables {
  readings: ReadingRow;
}

export interface ReadingRow {
  id: string;
  ecosystem: Ecosystem;
  // Normalised, as in the package map.
  name: string;
  spelling: string;
  // The package and what is asked of it; one open reading each.
  question: string;
  // As they were asked for; null where only the package is asked for.
  from_version: string | null;
  to_version: string | null;
  priority: number;
  // Nobody with a credential has asked.
  anonymous: Bit;
  // Who ordered it first and pays for its downloads; null where no limit applies.
  payer: string | null;
  state: 'waiting' | 'running' | 'done' | 'failed';
  parts: JsonText<ReadingPart[]>;
  // Why it failed.
  reason: string | null;
  ordered_at: string;
  // Its place among those of its priority.
  turn_at: string;
  started_at: string | null;
  ended_at: string | null;
}
