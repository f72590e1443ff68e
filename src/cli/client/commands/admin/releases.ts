// Operator commands for releases, and for fetching them.
import { type Argument, countFlag, textFlag, UsageError } from '../../../command.ts';
import { path } from '../../api.ts';
import type { Session } from '../../client-command.ts';
import { readTextFile } from '../../files.ts';
import { bodyField, changeOf, operatorCommand, switches } from '../../operator-command.ts';
import { parseReference, sourcePath } from '../../references.ts';
import { SOURCE } from './entities.ts';
import { CONTENT_FILE, RELEASE_FIELDS, releaseAdd, SILENT } from './release-add.ts';

const RELEASE: Argument = { name: 'release', help: 'id or web address of the release' };
const VERDICTS = ['unknown', 'none', 'minor', 'major'];

const JUDGED_FIELDS = [
  bodyField({ name: 'summary', kind: 'text', help: 'summary' }),
  bodyField({ name: 'breaking', kind: 'text', help: 'verdict', choices: VERDICTS }),
  bodyField({ name: 'migrationNotes', kind: 'text', help: 'what to do before an upgrade' }),
  bodyField({ name: 'importance', kind: 'number', help: 'importance, 1 to 5' }),
];

export const adminReleaseCommands = [
  releaseAdd,
  operatorCommand({
    name: 'admin release edit',
    summary: 'Correct a release; what is set here is no longer changed by fetches',
    arguments: [RELEASE],
    fields: [...RELEASE_FIELDS, ...JUDGED_FIELDS],
    clears: ['version', 'url', 'publishedAt', 'summary', 'migrationNotes', 'importance'],
    flags: { ...CONTENT_FILE, unpin: { type: 'boolean', help: 'let fetches change everything again' } },
    examples: ['registry admin release edit rel_… --breaking major --migration-notes "Use the new shell."'],
    call: (session, body) => {
      const content = textFlag(session.flags, 'content-file');
      return {
        method: 'PATCH',
        path: releasePath(session),
        body: changeOf({
          ...body,
          ...(content === undefined ? {} : { content: readTextFile(content) }),
          ...(session.flags.unpin ? { pinned: [] } : {}),
        }),
      };
    },
    done: ({ args }) => `changed ${args.release}`,
  }),
  operatorCommand({
    name: 'admin release delete',
    summary: 'Delete a release for good; fetches do not bring it back',
    arguments: [RELEASE],
    question: ({ args }) => `Delete ${args.release} for good?`,
    examples: ['registry admin release delete rel_… --yes'],
    call: (session) => ({ method: 'DELETE', path: releasePath(session) }),
    done: ({ args }) => `deleted ${args.release}`,
  }),
  operatorCommand({
    name: 'admin release suppress',
    summary: 'Take a release out of every public view',
    arguments: [RELEASE],
    fields: [bodyField({ name: 'reason', kind: 'text', help: 'why' })],
    examples: ['registry admin release suppress rel_… --reason "not a release"'],
    call: (session, body) => ({ method: 'POST', path: `${releasePath(session)}/suppress`, body }),
    done: ({ args }) => `suppressed ${args.release}`,
  }),
  operatorCommand({
    name: 'admin release unsuppress',
    summary: 'Bring a suppressed release back',
    arguments: [RELEASE],
    examples: ['registry admin release unsuppress rel_…'],
    call: (session) => ({ method: 'POST', path: `${releasePath(session)}/unsuppress`, body: {} }),
    done: ({ args }) => `back again: ${args.release}`,
  }),
  operatorCommand({
    name: 'admin release cover',
    summary: 'Say that other releases only cover this one',
    arguments: [RELEASE, { name: 'covering', help: 'ids of the others', many: true }],
    fields: [bodyField({ name: 'reason', kind: 'text', help: 'why' })],
    examples: ['registry admin release cover rel_… rel_… rel_…'],
    call: (session, body) => ({
      method: 'POST',
      path: `${releasePath(session)}/coverage`,
      body: { ...body, coverageIds: session.list.map((text) => releaseId(session, text)) },
    }),
  }),
  operatorCommand({
    name: 'admin release uncover',
    summary: 'Free a release that only covered another one',
    arguments: [RELEASE],
    examples: ['registry admin release uncover rel_…'],
    call: (session) => ({ method: 'DELETE', path: `${releasePath(session)}/coverage` }),
  }),
  operatorCommand({
    name: 'admin fetch',
    summary: 'Fetch a source now',
    arguments: [SOURCE],
    flags: {
      'dry-run': { type: 'boolean', help: 'show what would come, and store nothing' },
      max: { type: 'string', value: 'n', help: 'take only the newest n releases' },
      ...SILENT,
    },
    examples: ['registry admin fetch acme/cli', 'registry admin fetch acme/cli --dry-run --json'],
    call: async ({ args, api, flags }) => ({
      method: 'POST',
      path: `${await sourcePath(api, args.source ?? '')}/fetch`,
      query: { ...switches(flags, 'dry-run', 'silent', 'announce'), max: countFlag(flags, 'max', { most: 1000 }) },
      body: {},
    }),
  }),
];

function releasePath(session: Session): string {
  return path`/v1/releases/${releaseId(session, session.args.release ?? '')}`;
}

function releaseId({ api }: Session, text: string): string {
  const reference = parseReference(text, api.server);
  if (reference.by === 'id' && reference.entity === 'release') return reference.id;
  throw new UsageError(`"${text}" is no release; use its id or web address`);
}
