// What a check of changelogs found, for code scanning (SARIF 2.1.0).
import type { LintReport } from '../../../check/lint/lint-report.ts';
import { textWithCode } from '../../../domain/markdown/strangers-text.ts';

const MAX_RESULTS = 5000;
const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

export function lintSarif({ changelogs, incomplete }: LintReport, version: string): object {
  const results = changelogs
    .flatMap(({ file, findings, package: name }) =>
      findings.map(({ rule, level, line, version: about, sentence, advice }) => ({
        ruleId: rule,
        level: LEVELS[level],
        message: { text: textWithCode(`${sentence} ${advice}`.slice(0, 600)) },
        locations: [
          { physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: line ?? 1 } } },
        ],
        partialFingerprints: { fault: `${name ?? file} ${rule} ${about ?? ''} ${sentence}`.slice(0, 600) },
      })),
    )
    .slice(0, MAX_RESULTS);
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'registry lint',
            version,
            rules: rules.map((id) => ({ id, shortDescription: { text: id.replaceAll('-', ' ') } })),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [...incomplete, ...changelogs.flatMap(({ gaps }) => gaps)].map((text) => ({
              level: 'note',
              message: { text: textWithCode(text) },
            })),
          },
        ],
        results,
      },
    ],
  };
}
