// Operator command that inserts releases: one from its fields, or many from a file.
import type { BatchResult } from '../../../../contract/release-input.ts';
import { isRecord } from '../../../../domain/records.ts';
import { CommandFailure, EXIT, type Flag, textFlag, UsageError } from '../../../command.ts';
import { clientCommand, type Session } from '../../client-command.ts';
import { readJsonFile, readTextFile } from '../../files.ts';
import { answerFields, bodyField, bodyOf, fieldFlags, switches } from '../../operator-command.ts';
import { printRecord } from '../../records.ts';
import { sourcePath } from '../../references.ts';
import { SOURCE } from './entities.ts';

const MOST_ROWS = 500;

export const SILENT = {
  silent: { type: 'boolean', help: 'tell nobody' },
  announce: { type: 'boolean', help: 'tell of it, also of old releases' },
} satisfies Record<string, Flag>;

export const RELEASE_FIELDS = [
  bodyField({ name: 'title', kind: 'text', help: 'title' }),
  bodyField({ name: 'version', kind: 'text', help: 'version' }),
  bodyField({ name: 'url', kind: 'text', help: 'address of the original note' }),
  bodyField({ name: 'publishedAt', kind: 'text', help: 'date or time of publication' }),
  bodyField({ name: 'type', kind: 'text', help: 'type', choices: ['feature', 'rollup'] }),
  bodyField({ name: 'prerelease', kind: 'switch', help: 'a pre-release' }),
];

export const CONTENT_FILE = {
  'content-file': { type: 'string', value: 'file', complete: 'file', help: 'file with the notes, in markdown' },
} satisfies Record<string, Flag>;

export const releaseAdd = clientCommand({
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
      help: `JSON file with a list of at most ${MOST_ROWS} releases`,
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
