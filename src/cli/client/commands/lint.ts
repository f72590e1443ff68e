// Whether a changelog is ready for a release, and still says what was published. Needs no server.
import { LINT_FAIL_LEVELS } from '../../../check/lint/lint-report.ts';
import { readVersion } from '../../../version.ts';
import { CommandFailure, choiceFlag, EXIT, textFlag, UsageError } from '../../command.ts';
import { clientCommand, type Session } from '../client-command.ts';

export const lintCommands = [
  clientCommand({
    name: 'lint',
    summary: 'Whether a changelog names what a release changes, and still says what was published; needs no server',
    arguments: [{ name: 'path', help: 'a changelog, or the folder of a package; else this folder', optional: true }],
    flags: {
      next: {
        type: 'string',
        value: 'version',
        help: 'what is about to be published; else the version of the manifest',
      },
      against: {
        type: 'string',
        value: 'version',
        help: 'compare with this published version, an archive (.tgz) or none; else with the last one',
      },
      pack: {
        type: 'string',
        value: 'archive',
        complete: 'file',
        help: 'what is about to be published, as npm pack made it; else what it would take of the folder',
      },
      'fail-on': {
        type: 'string',
        choices: LINT_FAIL_LEVELS,
        help: 'exit with 1 at an error (as without it), or at a warning too',
      },
      'allow-incomplete': { type: 'boolean', help: 'exit with 0 although a registry could not be asked' },
      offline: { type: 'boolean', help: 'ask nobody: only what is cached' },
      sarif: { type: 'boolean', help: 'answer as SARIF, for code scanning' },
    },
    hasMarkdown: true,
    examples: [
      'registry lint',
      'registry lint --next 2.0.0 --fail-on warning',
      'registry lint CHANGELOG.md --against none',
      'registry lint packages/core --pack acme-core-2.0.0.tgz --sarif',
    ],
    run: lint,
  }),
];

async function lint(session: Session): Promise<number> {
  const { args, flags, env, output, terminal, signal } = session;
  if (flags.sarif && (flags.json || flags.md)) throw new UsageError('--sarif excludes --json and --md');
  const { lintProject } = await import('../../../check/lint/lint-project.ts');
  const report = await lintProject(args.path ?? '.', {
    env,
    signal,
    isOffline: flags.offline === true,
    next: textFlag(flags, 'next')?.replace(/^v(?=\d)/, '') ?? null,
    against: textFlag(flags, 'against')?.replace(/^v(?=\d)/, '') ?? null,
    pack: textFlag(flags, 'pack') ?? null,
  }).catch((error) => {
    throw error.name === 'ProjectFault' ? new CommandFailure(error.message) : error;
  });
  if (flags.sarif) {
    const { lintSarif } = await import('../lint/lint-sarif.ts');
    terminal.out(JSON.stringify(lintSarif(report, readVersion())));
  } else {
    const { printLint } = await import('../lint/print-lint.ts');
    printLint(output, report);
  }
  const { failsLint } = await import('../../../check/lint/lint-report.ts');
  if (failsLint(report, choiceFlag(flags, 'fail-on', LINT_FAIL_LEVELS) ?? 'error')) return EXIT.failure;
  return report.incomplete.length > 0 && !flags['allow-incomplete'] ? EXIT.incomplete : EXIT.ok;
}
