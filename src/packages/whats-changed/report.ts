// The answers to all questions of a project as one report: packages by risk, including those that could not be answered.
import type { WhatsChanged, WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { recordOf } from '../../domain/records.ts';
import type { OtherChange, PackageUpgrade, ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import {
  answeredRow,
  LOWERED,
  shownRisk,
  UNORDERED,
  unansweredRow,
  withCopies,
} from '../../domain/upgrade/report/answer.ts';
import { orderRows } from '../../domain/upgrade/report/groups.ts';
import type { NotesVerdict, ReportRow } from '../../domain/upgrade/report/row.ts';
import { endLongTurn } from '../../threads/turns.ts';

type BatchItem = WhatsChangedBatch['items'][number];

interface AnsweredUpgradeRow extends PackageUpgrade {
  risk: NotesVerdict;
  // Null when the question was refused; `problem` says why.
  answer: WhatsChanged | null;
  problem: string | null;
}

export interface UpgradeReport {
  kind: ProjectUpgrades['kind'];
  totals: Record<NotesVerdict, number>;
  // Releases in all ranges together.
  releases: number;
  rows: AnsweredUpgradeRow[];
  others: OtherChange[];
  // How many further ones are not listed.
  othersOmitted: number;
  omitted: number;
}

// The risks, highest first. Unknown ones come before those without a breaking change; packages that are not tracked come last.
const RISKS = ['major', 'minor', 'unknown', 'none', 'not_tracked'] as const satisfies readonly NotesVerdict[];

// `items` are in the order of the questions.
export function upgradeReport(read: ProjectUpgrades, items: readonly BatchItem[]): UpgradeReport {
  const rows = read.upgrades.map((upgrade, index): AnsweredUpgradeRow => {
    const item = items[index];
    if (item === undefined || 'error' in item) {
      return { ...upgrade, risk: 'unknown', answer: null, problem: item?.error.message ?? 'not answered' };
    }
    const { index: _, ...answer } = item;
    return { ...upgrade, risk: shownRisk(answer), answer, problem: null };
  });
  const totals = recordOf(RISKS, (risk) => rows.filter((row) => row.risk === risk).length);
  return {
    kind: read.kind,
    totals,
    releases: rows.reduce((sum, { answer }) => sum + (answer?.total ?? 0), 0),
    rows: rows.sort((a, b) => RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk)),
    others: read.others,
    othersOmitted: read.othersOmitted ?? 0,
    omitted: read.omitted,
  };
}

const OTHER_REASONS: Record<OtherChange['reason'], string> = {
  added: 'Added',
  removed: 'Removed',
  lowered: LOWERED,
  elsewhere: 'Not from a registry',
  any_version: 'Its range admits every version',
  unreadable: 'It has no version that can be compared',
};

// The report as it is shown: every change is a row, in the order that all interfaces have.
export async function shownRows({ rows, others }: Pick<UpgradeReport, 'rows' | 'others'>): Promise<ReportRow[]> {
  const shown: ReportRow[] = [];
  for (const row of rows) {
    await endLongTurn();
    shown.push(row.answer ? answeredRow(row, row.answer) : unansweredRow(row, UNORDERED));
  }
  for (const other of others) shown.push(unansweredRow(other, OTHER_REASONS[other.reason]));
  return orderRows(withCopies(shown));
}
