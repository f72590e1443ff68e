// What the published packages show, in the answer on an upgrade: its text, and what is left out of it first.
import type { EvidenceFinding } from '../contract/evidence.ts';
import type { WhatsChanged } from '../contract/whats-changed.ts';
import type { Cut } from './budget.ts';
import { facts, lines } from './markdown.ts';
import { inline, quoted, shortened } from './quoting.ts';

type Evidence = NonNullable<WhatsChanged['evidence']>;

const LACKS: Partial<Record<Evidence['status'], string>> = {
  pending: 'are being compared',
  not_ordered: 'were not compared',
  too_large: 'are too large to compare',
  not_available: 'cannot be had to compare them',
};

// Each change once, in the smallest pair of versions that shows it.
export function findingsText({ evidence }: WhatsChanged): string | false {
  if (!evidence) return false;
  const { status, pairs, counts } = evidence;
  const lack = LACKS[status];
  if (pairs.length === 0) return lack === undefined ? false : `The published packages ${lack}.`;
  const { proven, likely } = counts;
  if (proven + likely === 0) return 'The published packages show no change that breaks.';
  const [whole, ...steps] = pairs;
  const told = new Set<string>();
  const blocks = [...steps, ...(whole ? [whole] : [])].map(({ from, to, findings }) => {
    const open = findings.filter((finding) => !told.has(keyOf(finding)));
    for (const finding of open) told.add(keyOf(finding));
    return open.length > 0 && lines(`Between ${inline(from)} and ${inline(to)}:`, ...open.map(findingBlock));
  });
  const left = Math.max(0, proven + likely - told.size);
  return lines(
    `The published packages themselves show ${proven} proven and ${likely} likely changes that break.`,
    ...blocks,
    left > 0 && `${left} more changes of the package are not listed here.`,
  );
}

function findingBlock({ kind, certainty, subpath, text }: EvidenceFinding): string {
  return lines(facts(`- ${certainty}`, kind, subpath !== '' && subpath !== '.' && inline(subpath)), quoted(text));
}

function keyOf({ kind, subpath, name }: EvidenceFinding): string {
  return JSON.stringify([kind, subpath, name]);
}

// Leaves findings out from the end; the counts stay those of the whole.
export function findingsCut(kept: number): Cut<WhatsChanged> {
  return {
    most: ({ evidence }) => Math.max(0, listedFindings(evidence) - kept),
    apply: (value, count) => {
      const { evidence } = value;
      if (!evidence || count === 0) return value;
      let room = listedFindings(evidence) - count;
      const pairs = evidence.pairs.map((pair) => {
        const findings = pair.findings.slice(0, room);
        room -= findings.length;
        return { ...pair, findings };
      });
      return { ...value, evidence: { ...evidence, pairs: kept === 0 ? pairs.slice(0, 1) : pairs } };
    },
  };
}

function listedFindings(evidence: WhatsChanged['evidence']): number {
  return (evidence?.pairs ?? []).reduce((sum, { findings }) => sum + findings.length, 0);
}

export function excerptEvidence(evidence: Evidence, length: number): Evidence {
  // Code takes the place of other findings; `…/compare` has it.
  const short = ({ witness: _, ...finding }: EvidenceFinding) => ({
    ...finding,
    text: shortened(finding.text, Math.max(length, 60)),
    was: finding.was && shortened(finding.was, length),
    is: finding.is && shortened(finding.is, length),
  });
  return { ...evidence, pairs: evidence.pairs.map((pair) => ({ ...pair, findings: pair.findings.map(short) })) };
}
