// Prints what two published packages show.

import { type Ecosystem, factsOfEcosystem } from '../../../domain/ecosystems/index.ts';
import type { ApiEvidence } from '../../../domain/evidence/compare.ts';
import type { Finding } from '../../../domain/evidence/finding.ts';
import type { Output } from '../output.ts';
import { printableLine } from '../printable.ts';
import type { Column } from '../table.ts';

// The body of `GET /v1/packages/{ecosystem}/{name}/compare`.
export interface CompareAnswer {
  status: 'compared' | 'no_types' | 'too_large';
  from: string;
  to: string;
  types: ApiEvidence['types'] | null;
  findings: readonly Finding[];
  more: number;
  counts: { proven: number; likely: number };
  comparedAt: string | null;
}

const COLUMNS: readonly Column<Finding>[] = [
  {
    title: 'CERTAINTY',
    value: ({ certainty }) => certainty,
    tone: ({ certainty }) => (certainty === 'proven' ? 'red' : 'yellow'),
  },
  { title: 'WHERE', value: ({ subpath }) => subpath, short: ({ subpath }) => subpath || 'package.json' },
  { title: 'WHAT THE PACKAGE SHOWS', value: ({ text }) => text, flexible: true },
  { title: 'KIND', value: ({ kind }) => kind, ifRoom: true },
  { title: 'NAME', value: ({ name }) => name, plainOnly: true },
  { title: 'WAS', value: ({ was }) => was, plainOnly: true },
  { title: 'IS', value: ({ is }) => is, plainOnly: true },
];

// The code that shows each finding, where there is some.
export function printWitnesses(output: Output, { from, to, findings }: CompareAnswer): void {
  for (const { text, witness } of findings) {
    if (!witness) continue;
    output.line('');
    output.painted(output.paint('bold', printableLine(text)));
    output.line(`This compiles with ${from} and not with ${to}:`);
    output.text(`\n${witness.code.trimEnd().replace(/^/gm, '    ')}\n`);
    output.line(witness.error);
  }
}

interface NamedAnswer {
  ecosystem: Ecosystem;
  name: string;
  answer: CompareAnswer;
}

export function printComparison(output: Output, { ecosystem, name, answer }: NamedAnswer): void {
  const { from, to, findings, more } = answer;
  if (output.mode === 'terminal') {
    output.painted(output.paint('bold', `${name} ${from} → ${to}`));
    output.line('');
    output.rows(COLUMNS, findings);
    if (findings.length > 0) output.line('');
    output.line(summaryOf(ecosystem, answer));
  } else {
    output.rows(COLUMNS, findings);
    output.note(summaryOf(ecosystem, answer));
  }
  if (more > 0) output.note(`${more} more are not listed`);
}

function summaryOf(ecosystem: Ecosystem, { status, types, counts: { proven, likely } }: CompareAnswer): string {
  if (status === 'too_large') return 'The packages are too large to be compared within the limits: nothing is known.';
  const found = proven + likely === 0 ? 'No sign of a break' : `${proven} proven, ${likely} likely`;
  return `${found}. ${factsOfEcosystem(ecosystem).language === 'python' ? SEEN_PYTHON : SEEN[types ?? 'none']}`;
}

const SEEN_PYTHON =
  'Compared: metadata, and the names and signatures in the sources, which are never run. What code does is not seen.';

const SEEN: Record<ApiEvidence['types'], string> = {
  own: 'Compared: package.json and declarations. What code does is not seen.',
  definitely_typed:
    'Compared: package.json and the declarations that others wrote for it (@types). What code does is not seen.',
  none: 'Compared: package.json and plainly exported names, for there are no declarations. What code does is not seen.',
};
