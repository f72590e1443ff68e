// The judgement of an answer in words for people, and why it is not known where notes alone show no break.
import type { WhatsChanged } from '../../contract/whats-changed.ts';

type Judged = Pick<WhatsChanged, 'history' | 'total' | 'summary' | 'status'>;

// Whether only the packages are missing: the notes are complete, judged, and show no break.
export function lacksPackage({ status, history, total, summary: { breaking } }: Judged): boolean {
  const judged = breaking.unknown === 0 && breaking.major + breaking.minor === 0;
  return status === 'resolved' && history?.complete === true && total > 0 && judged;
}

export const NOT_COMPARED = 'the packages were not compared';
