// The answers to all questions of a project as one report: packages by risk, including those that could not be answered.
import type { Breaking } from '../../contract/enums.ts';
import type { WhatsChanged, WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { recordOf } from '../../domain/records.ts';
import type { Judgement } from '../../domain/upgrade/judgement.ts';
import type { OtherChange, PackageUpgrade, ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';

export type UpgradeRisk = Breaking | 'not_tracked';

type BatchItem = WhatsChangedBatch['items'][number];

export interface ReportRow extends PackageUpgrade {
  risk: UpgradeRisk;
  // Null when the question was refused; `problem` says why.
  answer: WhatsChanged | null;
  problem: string | null;
}

export interface UpgradeReport {
  kind: ProjectUpgrades['kind'];
  totals: Record<UpgradeRisk, number>;
  // Releases in all ranges together.
  releases: number;
  rows: ReportRow[];
  others: OtherChange[];
  // How many further ones are not listed.
  othersOmitted: number;
  omitted: number;
}

// The risks, highest first. Unknown ones come before those without a breaking change; packages that are not tracked come last.
const RISKS = ['major', 'minor', 'unknown', 'none', 'not_tracked'] as const satisfies readonly UpgradeRisk[];

type JudgedUpgrade = Pick<WhatsChanged, 'status' | 'worst' | 'history' | 'reason'>;
// Servers of before do not judge.
type ShownUpgrade = JudgedUpgrade & { judgement?: Judgement | null };

const LEVELS: Record<Judgement, Breaking> = {
  breaks: 'major',
  may_break: 'minor',
  not_known: 'unknown',
  no_sign: 'none',
};

// What an answer is shown as, everywhere: by its judgement, and where there is nothing to judge by what is stored.
export function levelOf(answer: ShownUpgrade): Breaking {
  return answer.judgement ? LEVELS[answer.judgement] : verdictOf(answer);
}

export function shownRisk(answer: ShownUpgrade): UpgradeRisk {
  const level = levelOf(answer);
  return level === 'unknown' && isNotTracked(answer) ? 'not_tracked' : level;
}

function isNotTracked({ status, reason }: JudgedUpgrade): boolean {
  return status === 'unknown' && reason === 'not_tracked';
}

// The verdict of the notes. `none` needs a complete history, and either stored releases or a range that must be empty.
function verdictOf({ status, worst, history, reason }: JudgedUpgrade): Breaking {
  if (status !== 'resolved') return 'unknown';
  if (worst === 'major' || worst === 'minor') return worst;
  if (history?.complete !== true) return 'unknown';
  return worst ?? (reason === 'same_version' || reason === 'up_to_date' ? 'none' : 'unknown');
}

export function riskOf(answer: JudgedUpgrade): UpgradeRisk {
  return isNotTracked(answer) ? 'not_tracked' : verdictOf(answer);
}

// `items` are in the order of the questions.
export function upgradeReport(read: ProjectUpgrades, items: readonly BatchItem[]): UpgradeReport {
  const rows = read.upgrades.map((upgrade, index): ReportRow => {
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
