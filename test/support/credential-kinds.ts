// A client for each kind of credential, valid or not.
import type { Context } from '../../src/context.ts';
import { type Account, type OAuthAccess, signUp } from './accounts.ts';
import type { Client } from './client.ts';
import { createOrg, createSource } from './factories.ts';
import type { Service } from './service.ts';

const JWT_OF_NOBODY = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"usr_nobody"}')}.c2lnbmF0dXJl`.replaceAll('=', '');

export type Kind =
  | 'nothing'
  | 'unknown machine token'
  | 'unknown key'
  | 'unknown jwt'
  | 'unknown session'
  | 'read token'
  | 'write token'
  | 'admin token'
  | 'root key'
  | 'cookie'
  | 'session bearer'
  | 'user key'
  | 'app'
  | 'app with account scope';

export const INVALID: Kind[] = ['unknown machine token', 'unknown key', 'unknown jwt', 'unknown session'];
export const ACCOUNTS: Kind[] = ['cookie', 'session bearer', 'user key', 'app', 'app with account scope'];

export interface CredentialWorld {
  ctx: Context;
  service: Service;
  account: Account;
  clients: Record<Kind, Client>;
  key: { value: string; id: string; client: Client };
  otherKey: string;
  apps: Record<'app' | 'app with account scope', OAuthAccess>;
  orgId: string;
}

export async function openCredentialWorld(ctx: Context, service: Service): Promise<CredentialWorld> {
  const account = await signUp(service);
  const key = await account.key('the key');
  const otherKey = await account.key('another');
  const apps = { app: await account.oauth(), 'app with account scope': await account.oauth('openid read account') };
  const machine = async (scope: string) =>
    service.as((await service.root.post('/v1/tokens', { name: scope, scopes: [scope] })).body.token);
  const { id: orgId } = await createOrg(ctx);
  await createSource(ctx, { orgId });
  const clients: Record<Kind, Client> = {
    nothing: service.anonymous,
    'unknown machine token': service.as(`relk_${'a'.repeat(12)}_${'b'.repeat(32)}`),
    'unknown key': service.as(`relu_${'a'.repeat(64)}`),
    'unknown jwt': service.as(JWT_OF_NOBODY),
    'unknown session': service.as('a'.repeat(32)),
    'read token': await machine('read'),
    'write token': await machine('write'),
    'admin token': await machine('admin'),
    'root key': service.root,
    cookie: account.cookie,
    'session bearer': account.session,
    'user key': key.client,
    app: apps.app.client,
    'app with account scope': apps['app with account scope'].client,
  };
  return { ctx, service, account, clients, key, otherKey: otherKey.id, apps, orgId: String(orgId) };
}
