// What an upgrade changes: for one package, for the difference of two lockfiles, for a manifest.
import { UPGRADE_ECOSYSTEMS } from '../../../domain/ecosystems/index.ts';
import { NOTES_LEVELS } from '../../../domain/upgrade/report/fail-on.ts';
import { type Command, textFlag, UsageError } from '../../command.ts';
import { clientCommand } from '../client-command.ts';
import type { OfflineRegistry } from '../upgrade/judge-changes.ts';

export const whatsChangedCommands = (withOfflineRegistry: OfflineRegistry | null): Command[] => [
  clientCommand({
    name: 'whats-changed',
    summary: 'What changed between two versions of a package, or in all packages of a lockfile',
    arguments: [
      { name: 'package', help: 'name of the package, owner/repo with --ecosystem github, or a source', optional: true },
      { name: 'from', help: 'version in use', optional: true },
      { name: 'to', help: 'version to go to, or a tag such as latest', optional: true },
    ],
    positionals: '<package> <from> <to> | --lockfile <old> <new> | --manifest <file>',
    flags: {
      ecosystem: { type: 'string', choices: [...UPGRADE_ECOSYSTEMS], help: 'where the package is published' },
      lockfile: {
        type: 'boolean',
        help: 'the two arguments are an old and a new lockfile; names and versions are sent',
      },
      manifest: {
        type: 'string',
        value: 'file',
        complete: 'file',
        help: 'what the newest versions would bring to this manifest, from the lockfile beside it or its ranges',
      },
      'fail-on': { type: 'string', choices: NOTES_LEVELS, help: 'exit with 1 when a change is at least so bad' },
      'no-wait': { type: 'boolean', help: 'answer with what is known now, and do not wait for what is being read' },
      'breaking-only': { type: 'boolean', help: 'only what breaks' },
      offline: {
        type: 'boolean',
        help: 'with --lockfile: ask the changelogs in node_modules beside it, and no server',
      },
    },
    hasMarkdown: true,
    examples: [
      'registry whats-changed acme-cli 1.4.0 latest',
      'registry whats-changed react 18.2.0 19.0.0 --ecosystem npm',
      'registry whats-changed --lockfile base/package-lock.json package-lock.json --md --fail-on major',
      'registry whats-changed --manifest package.json --breaking-only',
    ],
    run: async (session) => {
      const { args, flags } = session;
      // The readers of lockfiles and notes are loaded by nobody else.
      const { askLockfile, askManifest, askOne } = await import('../upgrade/ask.ts');
      if (flags.lockfile && flags.manifest) throw new UsageError('--lockfile and --manifest exclude each other');
      if (flags.offline && !flags.lockfile) throw new UsageError('--offline needs --lockfile');
      if (flags.manifest !== undefined) {
        if (args.package !== undefined) throw new UsageError('--manifest takes no further arguments');
        return askManifest(session, textFlag(flags, 'manifest') ?? '');
      }
      if (!flags.lockfile) {
        if (args.to === undefined) throw new UsageError('give a package and two versions, --lockfile or --manifest');
        return askOne(session);
      }
      if (args.from === undefined || args.to !== undefined)
        throw new UsageError('--lockfile needs an old and a new file');
      return askLockfile(session, { before: args.package ?? '', after: args.from, withOfflineRegistry });
    },
  }),
];
