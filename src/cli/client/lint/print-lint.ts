// Prints what a check of changelogs found: with file and line, as markdown for a pull request, or as JSON.
import type { LintedChangelog, LintReport } from '../../../check/lint/lint-report.ts';
import type { LintFinding, LintLevel } from '../../../domain/lint/finding.ts';
import { codeSpan, escapedText, textWithCode } from '../../../domain/markdown/strangers-text.ts';
import type { Output } from '../output.ts';
import { printableLine } from '../printable.ts';

const LEVELS: readonly [LintLevel, string, string][] = [
  ['error', 'error', 'errors'],
  ['warning', 'warning', 'warnings'],
  ['info', 'note', 'notes'],
];
const MAX_SHOWN = 100;

export function printLint(output: Output, report: LintReport): void {
  if (output.mode === 'json') output.json(lintData(report));
  else if (output.mode === 'markdown') output.text(lintMarkdown(report));
  else {
    for (const changelog of report.changelogs) printChangelog(output, changelog);
    for (const line of closingRemarks(report)) output.note(line);
    output.line(`${countWords(report)}.`);
  }
}

function printChangelog(output: Output, changelog: LintedChangelog): void {
  const { findings, file } = changelog;
  output.line(headLine(changelog));
  for (const finding of findings.slice(0, MAX_SHOWN)) {
    const { level, rule, sentence, evidence, advice } = finding;
    output.line('');
    const tone = level === 'error' ? 'red' : level === 'warning' ? 'yellow' : 'dim';
    output.painted(`${printableLine(placeOf(file, finding))}  ${rule}  ${output.paint(tone, wordOf(level))}`);
    indented(output, 2, sentence);
    for (const line of evidence) indented(output, 4, line);
    indented(output, 2, `Do: ${advice}`);
  }
  if (findings.length > MAX_SHOWN)
    output.line(`and ${findings.length - MAX_SHOWN} more: registry lint --json lists all`);
  output.line('');
}

function indented(output: Output, depth: number, text: string): void {
  output.painted(`${' '.repeat(depth)}${printableLine(text)}`);
}

function wordOf(level: LintLevel): string {
  return LEVELS.find(([one]) => one === level)?.[1] ?? level;
}

function placeOf(file: string, { line }: LintFinding): string {
  return `${file}:${line ?? 1}`;
}

function headLine({ package: name, next, against, file, sections, findings }: LintedChangelog): string {
  const what = [name ?? file, next].filter(Boolean).join(' ');
  const beside = against === null ? 'compared with nothing published' : `compared with ${against}`;
  const notes = `notes: ${file}, ${sections} ${sections === 1 ? 'section' : 'sections'}`;
  const nothing = findings.some(({ level }) => level !== 'info') ? '' : '; no fault found';
  return `${what} ${beside}; ${notes}${nothing}`;
}

function countWords({ counts }: LintReport): string {
  return LEVELS.map(([level, one, many]) => `${counts[level]} ${counts[level] === 1 ? one : many}`).join(', ');
}

// What was not looked at, and what a project has switched off.
function closingRemarks({ changelogs, incomplete }: LintReport): string[] {
  const several = changelogs.length > 1;
  return [
    ...changelogs.flatMap(({ file, gaps, off, compared }) => [
      ...gaps.map((gap) => `${several ? `${file}: ` : ''}${gap}`),
      ...off.map(({ reason, count }) => `${several ? `${file}: ` : ''}switched off, ${count}: ${reason}`),
      ...(compared
        ? [`${several ? `${file}: ` : ''}Compared: package.json and declarations. Not seen: what code does.`]
        : []),
    ]),
    ...incomplete.map((reason) => `not looked at: ${reason}`),
  ];
}

function lintData({ changelogs, counts, incomplete }: LintReport): object {
  return {
    changelogs: changelogs.map(({ findings, file, ...changelog }) => ({
      ...changelog,
      file,
      findings: findings.map((finding) => ({ ...finding, file })),
    })),
    counts,
    incomplete,
  };
}

function lintMarkdown(report: LintReport): string {
  const parts = report.changelogs.flatMap((changelog) => [
    `### ${escapedText(headLine(changelog))}`,
    ...changelog.findings.slice(0, MAX_SHOWN).map((finding) => findingMarkdown(changelog.file, finding)),
  ]);
  return `${[...parts, `${countWords(report)}.`, ...closingRemarks(report).map(escapedText)].join('\n\n')}\n`;
}

function findingMarkdown(file: string, finding: LintFinding): string {
  const { level, rule, sentence, evidence, advice } = finding;
  const head = `**${wordOf(level)}** ${codeSpan(placeOf(file, finding))} ${codeSpan(rule)}: ${textWithCode(sentence)}`;
  return [`- ${head}`, ...evidence.map((line) => `  - ${textWithCode(line)}`), `  - Do: ${textWithCode(advice)}`].join(
    '\n',
  );
}
