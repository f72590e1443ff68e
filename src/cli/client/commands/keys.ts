import type { ApiKeyList, MintedApiKey } from '../../../contract/account.ts';
import { countFlag, EXIT } from '../../command.ts';
import { type Api, path } from '../api.ts';
import { ApiFailure } from '../api-failure.ts';
import { clientCommand, confirmed } from '../client-command.ts';
import { withDeviceSession } from '../device-login.ts';
import type { Field } from '../output.ts';
import { printList, wholeList } from '../paging.ts';
import { printRecord } from '../records.ts';
import type { Column } from '../table.ts';
import { day } from '../views.ts';

type ListedKey = ApiKeyList['apiKeys'][number];

const KEY_COLUMNS: readonly Column<ListedKey>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name, flexible: true },
  { title: 'BEGINS', value: ({ start }) => start },
  { title: 'CREATED', value: ({ createdAt }) => createdAt, short: ({ createdAt }) => day(createdAt) },
  { title: 'LAST USED', value: ({ lastRequest }) => lastRequest, short: ({ lastRequest }) => day(lastRequest) },
  { title: 'EXPIRES', value: ({ expiresAt }) => expiresAt, short: ({ expiresAt }) => day(expiresAt) },
];

const NO_BROWSER = { 'no-browser': { type: 'boolean', help: 'only print the address to open' } } as const;

export const keyCommands = [
  clientCommand({
    name: 'keys list',
    summary: 'Keys of the account',
    examples: ['registry keys list'],
    run: (session) =>
      printList(session, {
        read: wholeList<ListedKey>(session.api, { path: '/v1/me/api-keys', key: 'apiKeys' }),
        columns: KEY_COLUMNS,
        none: 'the account has no keys',
      }),
  }),
  clientCommand({
    name: 'keys create',
    summary: 'Make a key that reads; it is shown once. Needs an approval in the browser',
    arguments: [{ name: 'name', help: 'what the key is for' }],
    flags: {
      'expires-in-days': { type: 'string', value: 'n', help: 'days that it is valid; forever unless given' },
      ...NO_BROWSER,
    },
    examples: ['registry keys create "build server" --expires-in-days 90'],
    async run(session) {
      const { args, flags, output } = session;
      const body = { name: args.name, expiresInDays: countFlag(flags, 'expires-in-days', { most: 365 }) };
      const answer = await withDeviceSession(session, (api) =>
        api.send<MintedApiKey>({ method: 'POST', path: '/v1/me/api-keys', body }),
      );
      const fields: Field[] = [
        ['key', answer.key],
        ['id', answer.id],
        ['name', answer.name],
        ['expires', answer.expiresAt],
      ];
      printRecord(output, { answer, fields });
      output.note('the key is shown only now');
      return EXIT.ok;
    },
  }),
  clientCommand({
    name: 'keys revoke',
    summary: 'End a key at once. For another key than your own it needs an approval in the browser',
    arguments: [{ name: 'id', help: 'id of the key' }],
    flags: NO_BROWSER,
    confirms: true,
    examples: ['registry keys revoke 3f6c… --yes'],
    async run(session) {
      const { args, api, output } = session;
      if (!(await confirmed(session, `Revoke the key ${args.id}?`))) return EXIT.failure;
      const revoke = (by: Api) => by.send({ method: 'DELETE', path: path`/v1/me/api-keys/${args.id ?? ''}` });
      await revoke(api).catch((error) => {
        if (!(error instanceof ApiFailure) || error.status !== 403) throw error;
        return withDeviceSession(session, revoke);
      });
      if (output.mode === 'json') output.json({ revoked: args.id });
      else output.line(`revoked ${args.id}`);
      return EXIT.ok;
    },
  }),
];
