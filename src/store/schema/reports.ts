// Row types of reports: the packages of somebody's project, and the newest answer about each.
import type { Ecosystem } from '../../contract/enums.ts';
import type { LeftOut } from '../../domain/reports/kept-rows.ts';
import type { StoredAnswer } from '../../domain/stacks/answer.ts';
import type { Judgement } from '../../domain/upgrade/judgement.ts';
import type { ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface ReportTables {
  reports: StoredReportRow;
  report_packages: ReportPackageRow;
}

export interface StoredReportRow {
  // Whoever has it may read the report.
  id: string;
  // Who made it: an account, or whoever holds the token of this hash.
  user_id: string | null;
  owner_hash: string | null;
  kind: ProjectUpgrades['kind'];
  created_at: string;
  expires_at: string;
  // The stack that it is kept as; it does not expire while that stands.
  stack_id: string | null;
  packages: number;
  // About how many bytes it takes.
  size: number;
  left_out: JsonText<LeftOut>;
}

export interface ReportPackageRow {
  report_id: string;
  // Direct dependencies first.
  place: number;
  ecosystem: Ecosystem;
  name: string;
  from_version: string;
  // As it was asked for: a version, or `latest`.
  to_version: string;
  direct: Bit | null;
  dev: Bit | null;
  // The version that was meant when it was judged last.
  target: string | null;
  judgement: Judgement | null;
  security: Bit;
  // Null while nobody has looked at it.
  answer: JsonText<StoredAnswer> | null;
  judged_at: string | null;
  reading_id: string | null;
  refused_until: string | null;
}
