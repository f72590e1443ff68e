// The labels, one line per entry; the text of an entry stays in the corpus.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BreakingVerdict } from '../../src/domain/notes/index.ts';
import type { CorpusEntry } from './corpus.ts';
import type { Stratum } from './sample.ts';

export interface Label {
  package: string;
  version: string;
  stratum: Stratum;
  hash: string;
  label: BreakingVerdict;
}

const LABELS = new Set(['major', 'minor', 'none', 'unknown']);
const STRATA = new Set(['random', 'words', 'strong']);

export function readLabels(text = readFileSync(join(import.meta.dirname, 'labels.tsv'), 'utf8')): Label[] {
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.map((line, index) => {
    const [name = '', version = '', stratum = '', hash = '', label = ''] = line.split('\t');
    if (!LABELS.has(label) || !STRATA.has(stratum)) throw new Error(`labels.tsv, line ${index + 2}: ${line}`);
    return { package: name, version, stratum: stratum as Stratum, hash, label: label as BreakingVerdict };
  });
}

interface Matched {
  pairs: { label: Label; entry: CorpusEntry }[];
  // Labels whose entry the parser no longer returns.
  missing: Label[];
  // Labels whose entry now has another text.
  changed: Label[];
}

export function matchLabels(labels: readonly Label[], corpus: ReadonlyMap<string, readonly CorpusEntry[]>): Matched {
  const found: Matched = { pairs: [], missing: [], changed: [] };
  for (const label of labels) {
    const entry = corpus.get(label.package)?.find(({ version }) => version === label.version);
    if (!entry) {
      found.missing.push(label);
      continue;
    }
    if (entry.hash !== label.hash) found.changed.push(label);
    found.pairs.push({ label, entry });
  }
  return found;
}
