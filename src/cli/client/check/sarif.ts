// A report for code scanning (SARIF 2.1.0): one result for each finding that the project uses or does not meet, where it does. What
// else breaks is counted as a notification. Texts of packages bring no markup, because readers of such reports take messages for
// markdown.

import { advisoryWords, gapsOf, notLookedAtWords, type ProjectReport } from '../../../check/report.ts';
import { advisedWords } from '../../../domain/advisories/advised-package.ts';
import { textWithCode } from '../../../domain/markdown/strangers-text.ts';
import { isBreak, isUsed, type ReportRow } from '../../../domain/upgrade/report/row.ts';
import { formSentence } from '../../../domain/upgrade/report/words.ts';
import type { Place, Use } from '../../../domain/uses/use.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const MAX_RESULTS = 5000;
const MAX_LENGTH = 600;

export function sarifOf(report: ProjectReport, version: string): object {
  const rows = report.rows.filter((row) => isBreak(row) && !row.ignored);
  const broken = rows.flatMap((row) => [...resultsOf(row, report.lockfile), ...formResults(row)]);
  const results = [...advisoryResults(report), ...broken].slice(0, MAX_RESULTS);
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
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: notifications(report, rows) }],
        results,
      },
    ],
  };
}

const RULES: Record<string, string> = {
  advisory: 'An installed version is covered by an advisory',
  notes: 'The notes of a package tell of a break',
  compile: 'The project does not compile with a new version',
  form_in_notes: 'The notes of a package speak of a form of code that the project has',
  export_removed: 'A package no longer exports a name',
};

// What has no place in the code.
function notifications(report: ProjectReport, rows: readonly ReportRow[]): object[] {
  const unclear = rows.filter(({ use }) => (use?.use ?? 'unclear') === 'unclear').map((row) => row.package);
  const left = notLookedAtWords(report);
  const texts = [
    ...(unclear.length > 0 ? [`Whether these are in use cannot be told: ${[...new Set(unclear)].join(', ')}`] : []),
    ...(left === null ? [] : [left]),
    advisoryWords(report),
    ...gapsOf(report),
  ];
  return texts.map((text) => ({ level: 'note', message: { text: plain(text) } }));
}

// One result for each installed version, in the lockfile that names it.
function advisoryResults({ advisories, lockfile }: ProjectReport) {
  const now = new Date();
  return (advisories?.packages ?? [])
    .filter(({ problems }) => problems.length > 0)
    .map((one) => {
      const named = `${one.name} ${one.version}`;
      const ids = one.problems.map(({ id }) => id).join(' ');
      return {
        ruleId: 'advisory',
        level: 'error',
        message: { text: plain(`${named}: ${advisedWords(one, now)}`) },
        locations: [locationOf({ file: lockfile, line: 1 })],
        partialFingerprints: { change: `${one.ecosystem} ${named} ${ids}`.slice(0, MAX_LENGTH) },
      };
    });
}

interface Used {
  rule: string;
  text: string;
  use: Use;
}

function resultsOf(row: ReportRow, lockfile: string) {
  const step = `${row.package} ${row.from} to ${row.to}`;
  return usedOf(row).map(({ rule, text, use }) => {
    const [first, ...others] = use.places.length > 0 ? use.places : [row.namedAt ?? { file: lockfile, line: 1 }];
    return {
      ruleId: rule,
      level: row.judgement === 'breaks' ? 'error' : 'warning',
      message: { text: plain(`${step}: ${text}${use.has === undefined ? '' : ` (${use.has})`}`) },
      locations: (first ? [first] : []).map(locationOf),
      ...(others.length > 0 && { relatedLocations: others.map((place, id) => ({ id, ...locationOf(place) })) }),
      partialFingerprints: { change: `${row.ecosystem} ${step} ${rule} ${text}`.slice(0, MAX_LENGTH) },
    };
  });
}

// Forms of code that the notes speak of are places to look at, and no proof.
function formResults(row: ReportRow) {
  const step = `${row.package} ${row.from} to ${row.to}`;
  return row.steps.flatMap(({ text, forms = [] }) =>
    forms.map((form) => {
      const [first, ...others] = form.places;
      return {
        ruleId: 'form_in_notes',
        level: 'note',
        message: { text: plain(`${step}: ${formSentence(form)}. ${text}`) },
        locations: (first ? [first] : []).map(locationOf),
        ...(others.length > 0 && { relatedLocations: others.map((place, id) => ({ id, ...locationOf(place) })) }),
        partialFingerprints: { change: `${row.ecosystem} ${step} form ${form.form}`.slice(0, MAX_LENGTH) },
      };
    }),
  );
}

// What is known to be used: findings, errors of the compiler, or what only the notes tell.
function usedOf(row: ReportRow): Used[] {
  const found = row.findings.flatMap(({ kind, text, use }) =>
    isUsed({ use }) && use ? [{ rule: kind, text, use }] : [],
  );
  const errors = (row.proof?.errors ?? []).map(({ file, line, message, code }) => {
    return {
      rule: 'compile',
      text: `${message} (${code})`,
      use: { use: 'used', places: [{ file, line }], count: 1 } as const,
    };
  });
  if (found.length + errors.length > 0) return [...found, ...errors];
  return row.use && isUsed(row) ? [{ rule: 'notes', text: row.reason, use: row.use }] : [];
}

function locationOf({ file, line }: Place) {
  const uri = encodeURI(file.replaceAll('\\', '/'));
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } };
}

function plain(text: string): string {
  return textWithCode(text.slice(0, MAX_LENGTH));
}
