// A report for code scanning (SARIF 2.1.0): one result a finding, where the project uses it, else at the lockfile. Texts of
// packages are plain text; brackets are escaped, because they would make links.
import type { ProjectReport } from '../../../check/report.ts';
import { groupOf } from '../../../domain/upgrade/report/groups.ts';
import { isBreak, isUsed, type ReportRow } from '../../../domain/upgrade/report/row.ts';
import { judgementWords } from '../../../domain/upgrade/report/words.ts';
import { printableLine } from '../printable.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const MAX_RESULTS = 5000;
const MAX_LENGTH = 600;

export function sarifOf(report: ProjectReport, version: string): object {
  const rows = report.rows.filter((row) => isBreak(row) && !row.ignored);
  const results = rows.flatMap((row) => resultsOf(row, report.lockfile)).slice(0, MAX_RESULTS);
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].sort();
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'registry check',
            version,
            rules: rules.map((id) => ({ id, shortDescription: { text: RULES[id] ?? id.replaceAll('_', ' ') } })),
          },
        },
        results,
      },
    ],
  };
}

const RULES: Record<string, string> = {
  notes: 'The notes of a package tell of a break',
  export_removed: 'A package no longer exports a name',
};

function resultsOf(row: ReportRow, lockfile: string) {
  const step = `${row.package} ${row.from} to ${row.to}`;
  const told = row.findings.length > 0 ? row.findings : [{ kind: 'notes', text: row.reason, use: row.use }];
  return told.map((finding) => {
    const use = 'use' in finding && finding.use ? (finding.use as ReportRow['use']) : row.use;
    const places = use?.use === 'used' ? use.places : [];
    return {
      ruleId: finding.kind,
      level: levelOf({ ...row, use }),
      message: { text: plain(`${step}: ${finding.text} (${judgementWords(row)})`) },
      locations: (places.length > 0 ? places : [{ file: lockfile, line: 1 }]).map(({ file, line }) => ({
        physicalLocation: {
          artifactLocation: { uri: encodeURI(file.replaceAll('\\', '/')) },
          region: { startLine: line },
        },
      })),
      partialFingerprints: { change: `${row.ecosystem} ${step} ${finding.kind} ${finding.text}`.slice(0, MAX_LENGTH) },
    };
  });
}

function levelOf(row: ReportRow): 'error' | 'warning' | 'note' {
  if (row.judgement === 'breaks' && isUsed(row)) return 'error';
  return groupOf(row) === 'breaks' || groupOf(row) === 'security' ? 'warning' : 'note';
}

function plain(text: string): string {
  return printableLine(text)
    .slice(0, MAX_LENGTH)
    .replace(/[[\]\\]/g, '\\$&');
}
