// Commands for signing in and out, and for the current identity.
import { hostname } from 'node:os';
import type { MintedApiKey, Profile } from '../../../contract/account.ts';
import type { CallerDescription } from '../../../contract/token.ts';
import { CommandFailure, EXIT, UsageError } from '../../command.ts';
import type { Api } from '../api.ts';
import { ApiFailure } from '../api-failure.ts';
import { clientCommand, type Session } from '../client-command.ts';
import type { StoredKey } from '../config-files.ts';
import { withDeviceSession } from '../device-login.ts';
import { printableLine } from '../printable.ts';
import { printRecord } from '../records.ts';

const MAX_NAME_LENGTH = 32;

export const loginCommands = [
  clientCommand({
    name: 'login',
    summary: 'Sign in: approve a code in the browser, and a key for this machine is stored',
    flags: {
      'no-browser': { type: 'boolean', help: 'only print the address' },
      'with-key': { type: 'boolean', help: 'store a key that is given on standard input' },
    },
    examples: ['registry login --server https://registry.example', 'registry login --with-key < key.txt'],
    async run(session) {
      const { files, connection, output, env } = session;
      const replaced = files.keyOf(connection.server);
      const stored = session.flags['with-key'] ? await givenKey(session) : await grantedKey(session, replaced);
      files.setKey(connection.server, stored);
      files.setLastServer(connection.server);
      if (replaced && replaced.key !== stored.key) await revoke(session.apiWith(replaced.key));
      if (output.mode === 'json') output.json({ server: connection.server, account: stored.account ?? null });
      else
        output.line(`signed in to ${connection.server}${stored.account ? ` as ${printableLine(stored.account)}` : ''}`);
      if (env.REGISTRY_API_KEY) output.note('REGISTRY_API_KEY is set and is used instead of the stored key');
      return EXIT.ok;
    },
  }),
  clientCommand({
    name: 'logout',
    summary: 'Revoke the stored key of the server, and forget it',
    examples: ['registry logout'],
    async run(session) {
      const { files, connection, output } = session;
      const stored = files.keyOf(connection.server);
      if (!stored) throw new CommandFailure(`no key is stored for ${connection.server}`);
      const isRevoked = await revoke(session.apiWith(stored.key));
      files.setKey(connection.server, undefined);
      if (output.mode === 'json') output.json({ server: connection.server, revoked: isRevoked });
      else output.line(`signed out of ${connection.server}`);
      if (!isRevoked) output.note('the server did not revoke the key; it is only forgotten here');
      return EXIT.ok;
    },
  }),
  clientCommand({
    name: 'whoami',
    summary: 'The account, the server and the kind of credential that commands use',
    flags: { check: { type: 'boolean', help: 'exit with 1 when there is no valid credential' } },
    examples: ['registry whoami', 'registry whoami --check && registry feed'],
    async run(session) {
      const { connection, api, flags, output } = session;
      const { server, credential, credentialFrom } = connection;
      const caller = credential === undefined ? null : await callerOf(api, flags.check === true);
      const profile = caller?.userId ? await api.get<Profile>('/v1/me') : null;
      const answer = { server, credentialFrom, valid: caller !== null, caller, user: profile?.user ?? null };
      printRecord(output, {
        answer,
        fields: [
          ['server', server],
          ['credential', caller ? `${caller.kind} (from the ${credentialFrom})` : credential ? 'not valid' : 'none'],
          ['name', caller?.name],
          ['account', profile?.user.email],
          ['scope', caller?.scopes],
          ['expires', caller?.expiresAt],
        ],
      });
      return flags.check && caller === null ? EXIT.failure : EXIT.ok;
    },
  }),
];

// A refused credential is a result for `whoami` and an error for all other commands.
async function callerOf(api: Api, mayBeRefused: boolean): Promise<CallerDescription | null> {
  return api.get<CallerDescription>('/v1/tokens/me').catch((error) => {
    if (mayBeRefused && error instanceof ApiFailure && error.status === 401) return null;
    throw error;
  });
}

async function givenKey(session: Session): Promise<StoredKey> {
  const key = (await session.terminal.readInput?.())?.trim() ?? '';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('--with-key needs a key on standard input');
  const api = session.apiWith(key);
  const caller = await api.get<CallerDescription>('/v1/tokens/me');
  if (!caller.userId) return { key, account: caller.name };
  const { user } = await api.get<Profile>('/v1/me');
  return { key, account: user.email, ...(caller.tokenId ? { id: caller.tokenId } : {}) };
}

function grantedKey(session: Session, replaced: StoredKey | undefined): Promise<StoredKey> {
  return withDeviceSession(session, async (api) => {
    const { user } = await api.get<{ user: { email: string } }>('/api/auth/get-session');
    const name = `registry-cli (${hostname()})`.slice(0, MAX_NAME_LENGTH);
    const mint = () => api.send<MintedApiKey>({ method: 'POST', path: '/v1/api-keys', body: { name } });
    const minted = await mint().catch(async (error) => {
      // The account is at its limit of keys, and the key that is being replaced may be the one too many.
      const isFull = error instanceof ApiFailure && error.body?.code === 'api_key_limit';
      if (!isFull || !replaced || !(await revoke(session.apiWith(replaced.key)))) throw error;
      return mint();
    });
    return { key: minted.key ?? '', id: minted.id, account: user.email };
  });
}

// A key can always revoke itself. One that no longer exists counts as revoked.
async function revoke(api: Api): Promise<boolean> {
  try {
    await api.send({ method: 'DELETE', path: '/v1/tokens/me' });
    return true;
  } catch (error) {
    return error instanceof ApiFailure && error.status === 401;
  }
}
