// Why an answer is not known where its notes are complete and show no break.
import type { WhatsChanged } from '../../contract/whats-changed.ts';

type Judged = Pick<WhatsChanged, 'history' | 'total' | 'summary' | 'status' | 'evidence'>;

const WAITING: Partial<Record<NonNullable<WhatsChanged['evidence']>['status'], string>> = {
  pending: 'the packages are being compared',
  too_large: 'the packages are too large to compare',
  not_available: 'a package cannot be had to compare it',
};

// Null when something else is missing than the packages.
export function lackOfPackage({ status, history, total, summary: { breaking }, evidence }: Judged): string | null {
  const isQuiet = breaking.unknown === 0 && breaking.major + breaking.minor === 0;
  if (status !== 'resolved' || history?.complete !== true || total === 0 || !isQuiet) return null;
  return (evidence && WAITING[evidence.status]) ?? 'the packages were not compared';
}
