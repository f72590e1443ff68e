// Operator commands for releases, and for fetching them.

import type { BatchResult } from '../../../../contract/release-input.ts';
import { isRecord } from '../../../../domain/records.ts';
import { type Argument, CommandFailure, countFlag, EXIT, type Flag, textFlag, UsageError } from '../../../command.ts';
import { path } from '../../api.ts';
import { clientCommand, type Session } from '../../client-command.ts';
import { readJsonFile, readTextFile } from '../../files.ts';
import {
  answerFields,
  bodyField,
  bodyOf,
  changeOf,
  fieldFlags,
  operatorCommand,
  switches,
} from '../../operator-command.ts';
import { printRecord } from '../../records.ts';
import { parseReference, sourcePath } from '../../references.ts';
import { SOURCE } from './entities.ts';

// Operator command that inserts releases: one from its fields, or many from a file.

const MAX_ROWS = 500;

const SILENT = {
  silent: { type: 'boolean', help: 'tell nobody' },
  announce: { type: 'boolean', help: 'tell of it, also of old releases' },
} satisfies Record<string, Flag>;

const RELEASE_FIELDS = [
  bodyField({ name: 'title', kind: 'text', help: 'title' }),
  bodyField({ name: 'version', kind: 'text', help: 'version' }),
  bodyField({ name: 'url', kind: 'text', help: 'address of the original note' }),
  bodyField({ name: 'publishedAt', kind: 'text', help: 'date or time of publication' }),
  bodyField({ name: 'type', kind: 'text', help: 'type', choices: ['feature', 'rollup'] }),
  bodyField({ name: 'prerelease', kind: 'switch', help: 'a pre-release' }),
];

const CONTENT_FILE = {
  'content-file': { type: 'string', value: 'file', complete: 'file', help: 'file with the notes, in markdown' },
} satisfies Record<string, Flag>;

const releaseAdd = clientCommand({
  name: 'admin release add',
  summary: 'Insert or update a release of a source, or all of a JSON file',
  arguments: [SOURCE],
  flags: {
    ...Object.fromEntries(RELEASE_FIELDS.flatMap(fieldFlags)),
    ...CONTENT_FILE,
    file: {
      type: 'string',
      value: 'file',
      complete: 'file',
      help: `JSON file with a list of at most ${MAX_ROWS} releases`,
    },
    ...SILENT,
  },
  examples: [
    'registry admin release add acme/cli --version 2.0.0 --title "Acme CLI 2" --content-file notes.md',
    'registry admin release add acme/cli --file releases.json --silent',
  ],
  async run({ args, api, flags, output }) {
    const where = `${await sourcePath(api, args.source ?? '')}/releases`;
    const query = switches(flags, 'silent', 'announce');
    const file = textFlag(flags, 'file');
    const call =
      file === undefined
        ? { method: 'POST' as const, path: where, query, body: oneRelease(flags) }
        : { method: 'POST' as const, path: `${where}/batch`, query, body: { releases: rowsIn(file) } };
    const answer = await api.send<BatchResult>(call);
    printRecord(output, { answer, fields: answerFields(answer) });
    return EXIT.ok;
  },
});

function oneRelease(flags: Session['flags']): object {
  const content = textFlag(flags, 'content-file');
  const body = bodyOf(flags, RELEASE_FIELDS);
  if (body.title === undefined && body.version === undefined)
    throw new UsageError('--title or --version is required, or --file');
  return { title: body.version, ...body, ...(content === undefined ? {} : { content: readTextFile(content) }) };
}

function rowsIn(file: string): unknown[] {
  const value = readJsonFile(file);
  const rows = isRecord(value) && !Array.isArray(value) ? value.releases : value;
  if (!Array.isArray(rows)) throw new CommandFailure(`${file} holds no list of releases`);
  return rows;
}

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
