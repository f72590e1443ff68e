// What newer versions, or a pull request, would break in the project of a folder. Needs no server.
import type { ProjectUpgrades } from '../../../domain/upgrade/lockfiles/upgrades.ts';
import { FAIL_LEVELS as FAIL_ON, failsOn } from '../../../domain/upgrade/report/fail-on.ts';
import { NOTES_FROM } from '../../../domain/upgrade/report/notes-told.ts';
import { readVersion } from '../../../version.ts';
import { CommandFailure, choiceFlag, EXIT, textFlag, UsageError } from '../../command.ts';
import { printShared, shareReport } from '../check/share.ts';
import { clientCommand, type Session } from '../client-command.ts';

export const checkCommands = [
  clientCommand({
    name: 'check',
    summary: 'What newer versions, or a pull request, would break in the project of this folder; needs no server',
    arguments: [{ name: 'package', help: 'only this package, to its latest version or name@version', optional: true }],
    flags: {
      folder: {
        type: 'string',
        value: 'path',
        complete: 'file',
        help: 'project folder, or its lockfile; else this one',
      },
      sbom: {
        type: 'string',
        value: 'file',
        complete: 'file',
        help: 'check the packages of this bill of materials (CycloneDX, SPDX) instead of a lockfile',
      },
      base: { type: 'string', value: 'ref', help: 'compare the lockfile with the one at this git commit' },
      to: {
        type: 'string',
        choices: ['latest', 'wanted'],
        help: 'wanted: the newest version that the manifest allows',
      },
      indirect: { type: 'boolean', help: 'also compare packages that only other packages need' },
      include: { type: 'string', value: 'dev,optional', help: 'also dependencies of these kinds' },
      ignore: {
        type: 'string',
        value: 'names',
        help: 'ignore these packages too; .registry-check.json has the others',
      },
      advisories: {
        type: 'string',
        value: 'path',
        complete: 'file',
        help: 'folder or archive of OSV records: which installed versions are affected, and what clears them',
      },
      'fail-on': { type: 'string', choices: FAIL_ON, help: 'exit with 1 when a package is at least so bad' },
      'allow-incomplete': { type: 'boolean', help: 'exit with 0 although a registry could not be asked' },
      offline: { type: 'boolean', help: 'ask nobody: only what is installed and cached' },
      notes: {
        type: 'string',
        choices: NOTES_FROM,
        help: 'where notes are read: repository (and package), package alone, none',
      },
      prove: { type: 'boolean', help: 'compile the project (TypeScript) with each new version; may take minutes' },
      'no-wait': { type: 'boolean', help: 'do not wait for what the server is reading' },
      share: { type: 'boolean', help: 'also make a report with an address, on the server that is named' },
      details: { type: 'boolean', help: 'findings and steps of each package, with file and line' },
      sarif: { type: 'boolean', help: 'answer as SARIF, for code scanning' },
    },
    hasMarkdown: true,
    examples: [
      'registry check',
      'registry check --base origin/main --md --fail-on used',
      'registry check zod@4.0.0 --details',
      'registry check --to wanted --include dev',
      'registry check --sbom bom.cdx.json --share',
    ],
    run: check,
  }),
];

async function check(session: Session): Promise<number> {
  const { args, flags, env, output, terminal, signal } = session;
  if (flags.sarif && (flags.json || flags.md)) throw new UsageError('--sarif excludes --json and --md');
  if (flags.base !== undefined && args.package !== undefined) throw new UsageError('--base takes no package');
  if (flags.base !== undefined && flags.sbom !== undefined) throw new UsageError('--base excludes --sbom');
  if (flags.share) expectServer(session);
  const include = includedKinds(textFlag(flags, 'include') ?? '');
  const only = args.package === undefined ? null : namedPackage(args.package);
  const { createStages, NO_STAGES } = await import('../check/stages.ts');
  const stages = output.mode === 'json' || flags.sarif ? NO_STAGES : createStages();
  if (flags.prove) output.note(PROVING);
  stages.update({ name: 'project', done: 0, total: 1, detail: '' });
  const { checkProject } = await import('../../../check/check-project.ts');
  const notes = await notesOf(session);
  const bill = textFlag(flags, 'sbom');
  let packages: ProjectUpgrades | null = null;
  const report = await checkProject(textFlag(flags, 'folder') ?? '.', {
    env,
    signal,
    to: choiceFlag(flags, 'to', ['latest', 'wanted']) ?? 'latest',
    base: textFlag(flags, 'base') ?? null,
    ignore: textFlag(flags, 'ignore') ?? '',
    advisories: textFlag(flags, 'advisories') ?? null,
    isOffline: flags.offline === true,
    isProved: flags.prove === true,
    isIndirect: flags.indirect === true,
    include,
    only,
    notes,
    notesFrom: choiceFlag(flags, 'notes', NOTES_FROM) ?? 'repository',
    ...(bill === undefined ? {} : { bill }),
    onPackages: (known) => {
      packages = known;
    },
    onStage: stages.update,
  })
    .catch((error) => {
      throw error.name === 'ProjectFault' ? new CommandFailure(error.message) : error;
    })
    .finally(stages.finish);
  const level = choiceFlag(flags, 'fail-on', FAIL_ON);
  const failed = failsOn(report.rows, level);
  const shared = flags.share && packages ? await shareReport(session.api, packages) : null;
  if (flags.sarif) {
    const { sarifOf } = await import('../check/sarif.ts');
    terminal.out(JSON.stringify(sarifOf(report, readVersion())));
  } else {
    const { printCheck } = await import('../check/print.ts');
    printCheck(output, report, {
      server: notes?.server ?? null,
      isDetailed: flags.details === true,
      isAlone: only !== null,
      level,
      failed,
      shared: shared && 'made' in shared ? shared.made : null,
    });
  }
  if (shared) printShared(output, session.api, shared);
  if (failed.length > 0) {
    output.note(`registry: ${failed.length} of ${report.rows.length} packages fail the check --fail-on ${level}`);
    return EXIT.failure;
  }
  return report.incomplete.length > 0 && !flags['allow-incomplete'] ? EXIT.incomplete : EXIT.ok;
}

const PROVING =
  'Your code will be compiled with each new version, which may take minutes. Ctrl-C then stops it and keeps the rest of the report.';

function includedKinds(text: string): Set<string> {
  const kinds = text.split(',').filter(Boolean);
  const strange = kinds.find((kind) => kind !== 'dev' && kind !== 'optional');
  if (strange !== undefined) throw new UsageError(`--include takes dev and optional, not "${strange}"`);
  return new Set(kinds);
}

function namedPackage(text: string): { name: string; version: string | null } {
  const [, name, version] = /^(@?[^@\s]{1,214})(?:@(\S{1,100}))?$/.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`"${text}" is no package`);
  return { name, version: version === undefined || version === 'latest' ? null : version };
}

function isServerNamed({ flags, env, files }: Session): boolean {
  return flags.server !== undefined || Boolean(env.REGISTRY_API_URL) || files.lastServer() !== undefined;
}

// A report with an address is on a server that somebody chose.
function expectServer(session: Session): void {
  if (session.flags.offline) throw new UsageError('--offline excludes --share');
  if (isServerNamed(session)) return;
  throw new UsageError('--share makes a report on a server, and none is named: --server <url>, or registry login');
}

// The notes of a server, where one is named by flag, variable or login; nobody is asked by default.
async function notesOf(session: Session) {
  const { flags } = session;
  if (!isServerNamed(session) || flags.offline || flags.notes === 'none') return null;
  const { serverNotes } = await import('../check/server-notes.ts');
  return serverNotes(session);
}
