// `registry publish`: one release, from the pipeline that made it.
import type { PublishResult } from '../../../contract/publish.ts';
import { EXIT, textFlag, UsageError } from '../../command.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { readProjectFile } from '../files.ts';
import { bodyField, bodyOf, fieldFlags, switches } from '../operator-command.ts';
import { printRecord } from '../records.ts';

const FIELDS = [
  bodyField({ name: 'source', kind: 'text', help: 'the source (id or org/source)' }),
  bodyField({ name: 'ecosystem', kind: 'text', help: 'with --package, instead of --source' }),
  bodyField({ name: 'package', kind: 'text', help: 'name of the package' }),
  bodyField({ name: 'title', kind: 'text', help: 'title; the version unless given' }),
  bodyField({ name: 'url', kind: 'text', help: 'address of the original note' }),
  bodyField({ name: 'publishedAt', kind: 'text', help: 'date or time; that of the section, or now' }),
  bodyField({
    name: 'breaking',
    kind: 'text',
    help: 'what it breaks; raises what its notes say and never lowers it',
    choices: ['none', 'minor', 'major'],
  }),
  bodyField({ name: 'prerelease', kind: 'switch', help: 'a pre-release' }),
];

const WORDS = {
  inserted: 'published',
  updated: 'changed',
  unchanged: 'was published with the same text before',
  skipped: 'was skipped',
};
const DRY_WORDS = {
  inserted: 'would be published',
  updated: 'would be changed',
  unchanged: 'would stay as it is',
  skipped: 'would be skipped',
};

export const publishCommands = [
  clientCommand({
    name: 'publish',
    summary: 'Publish one release: the section of a changelog, or notes of their own',
    arguments: [{ name: 'version', help: 'version of the release' }],
    flags: {
      ...Object.fromEntries(FIELDS.flatMap(fieldFlags)),
      changelog: {
        type: 'string',
        value: 'file',
        complete: 'file',
        help: 'file whose section of the version is taken',
      },
      'content-file': { type: 'string', value: 'file', complete: 'file', help: 'file with the notes, in markdown' },
      'dry-run': { type: 'boolean', help: 'show what would be stored' },
    },
    examples: [
      'registry publish 2.0.0 --source acme/cli --changelog CHANGELOG.md',
      'registry publish 2.0.0 --ecosystem npm --package acme-cli --content-file notes.md --dry-run',
    ],
    async run(session) {
      const { args, flags, api, output } = session;
      const body = { ...bodyOf(flags, FIELDS), version: args.version, ...notesOf(session) };
      const query = switches(flags, 'dry-run');
      const answer = await api.send<PublishResult>({ method: 'POST', path: '/v1/publish', query, body });
      const { outcome, reason, dryRun, release } = answer;
      const words = (dryRun ? DRY_WORDS : WORDS)[outcome];
      printRecord(output, {
        answer,
        fields: [
          ['version', args.version],
          ['outcome', reason === undefined ? words : `${words}: ${reason}`],
          ['title', release?.title],
          ['breaking', release?.breaking],
          ['published', release?.publishedAt],
          ['page', dryRun ? undefined : release?.webUrl],
        ],
      });
      return outcome === 'skipped' ? EXIT.failure : EXIT.ok;
    },
  }),
];

function notesOf({ flags }: Session): { changelog?: string; content?: string } {
  const [changelog, notes] = [textFlag(flags, 'changelog'), textFlag(flags, 'content-file')];
  if ((changelog === undefined) === (notes === undefined)) throw new UsageError('add --changelog or --content-file');
  return changelog === undefined
    ? { content: readProjectFile(notes ?? '') }
    : { changelog: readProjectFile(changelog) };
}
