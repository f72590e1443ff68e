// The access of each kind of credential to each group of routes.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { PASSWORD } from '../support/accounts.ts';
import type { Answer, Client } from '../support/client.ts';
import {
  ACCOUNTS,
  type CredentialWorld,
  INVALID,
  type Kind,
  openCredentialWorld,
} from '../support/credential-kinds.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

// Status and code; kinds that are not listed get what the first line says for their group.
interface Family {
  name: string;
  call: (client: Client, world: CredentialWorld) => Promise<Answer>;
  expected: Partial<Record<Kind | 'invalid' | 'accounts' | 'machines', string>>;
}

let unique = 0;

const FAMILIES: Family[] = [
  {
    name: 'public read',
    call: (client) => client.get('/v1/orgs'),
    expected: { nothing: '200', invalid: '200', machines: '200', accounts: '200' },
  },
  {
    name: 'own credential',
    call: (client) => client.get('/v1/tokens/me'),
    expected: { nothing: '401 unauthorized', invalid: '401 unauthorized', machines: '200', accounts: '200' },
  },
  {
    name: 'private playbook',
    call: (client, { orgId }) => client.get(`/v1/orgs/${orgId}/playbook`),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '200',
      accounts: '200',
    },
  },
  {
    name: 'write',
    call: (client) => {
      unique += 1;
      return client.post('/v1/orgs', { name: `Written ${unique}` });
    },
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '201',
      'read token': '403 insufficient_scope write',
      accounts: '403 insufficient_scope write',
    },
  },
  {
    name: 'administration',
    call: (client) => client.get('/v1/tokens'),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '200',
      'read token': '403 insufficient_scope admin',
      'write token': '403 insufficient_scope admin',
      accounts: '403 insufficient_scope admin',
    },
  },
  {
    name: 'admin-only option of a public route',
    call: (client) => client.get('/v1/orgs?trackingRequested=true'),
    expected: {
      nothing: '403 forbidden',
      invalid: '403 forbidden',
      machines: '200',
      'read token': '403 forbidden',
      'write token': '403 forbidden',
      accounts: '403 forbidden',
    },
  },
  ...['/v1/me', '/v1/me/follows', '/v1/me/feed', '/v1/me/webhooks', '/v1/me/api-keys', '/v1/api-keys'].map((path) => ({
    name: `read ${path}`,
    call: (client: Client) => client.get(path),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      accounts: '200',
    },
  })),
  {
    name: 'change follows',
    call: (client, { orgId }) => client.post('/v1/me/follows', { targetType: 'org', targetId: orgId }),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      cookie: '201',
      accounts: '200',
      app: '403 insufficient_scope account',
    },
  },
  {
    name: 'make a feed token',
    call: (client) => client.post('/v1/me/feed/token'),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      accounts: '201',
      app: '403 insufficient_scope account',
    },
  },
  {
    name: 'change webhooks',
    call: (client) => client.delete('/v1/me/webhooks/whk_000000000000000000000'),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      accounts: '404 not_found',
      app: '403 insufficient_scope account',
    },
  },
  {
    name: 'mint a user key',
    call: (client) => client.post('/v1/me/api-keys', { name: 'minted' }),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      cookie: '201',
      'session bearer': '201',
      'user key': '403 forbidden session_required',
      app: '403 forbidden session_required',
      'app with account scope': '403 forbidden session_required',
    },
  },
  {
    name: 'revoke another user key',
    call: (client, { otherKey }) => client.delete(`/v1/me/api-keys/${otherKey}`),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      cookie: '200',
      'session bearer': '404 not_found',
      'user key': '403 forbidden session_required',
      app: '403 forbidden session_required',
      'app with account scope': '403 forbidden session_required',
    },
  },
  ...['/list-sessions'].map((path) => ({
    name: `account security: GET ${path}`,
    call: (client: Client) => client.get(`/api/auth${path}`),
    expected: { ...securityRefusals(), cookie: '200' },
  })),
  {
    name: 'account security: password',
    call: (client) =>
      client.post('/api/auth/change-password', {
        currentPassword: 'wrong password',
        newPassword: 'a wholly new sentence',
      }),
    expected: { ...securityRefusals(), cookie: '400 INVALID_PASSWORD' },
  },
  {
    name: 'account security: e-mail',
    call: (client) => client.post('/api/auth/change-email', { newEmail: 'not an address', password: PASSWORD }),
    expected: { ...securityRefusals(), cookie: '400 VALIDATION_ERROR' },
  },
  {
    name: 'account security: deletion',
    call: (client) => client.post('/api/auth/delete-user', { password: 'wrong password' }),
    expected: { ...securityRefusals(), cookie: '400 bad_request' },
  },
];

// Under /api/auth only sessions are accepted; all other credentials are ignored.
function securityRefusals(): Family['expected'] {
  return {
    nothing: '401 unauthorized',
    invalid: '401 unauthorized',
    machines: '401 unauthorized',
    accounts: '401 unauthorized',
    'session bearer': '403 forbidden session_required',
  };
}

function expectedOf({ expected }: Family, kind: Kind): string {
  const group = INVALID.includes(kind) ? 'invalid' : ACCOUNTS.includes(kind) ? 'accounts' : 'machines';
  return expected[kind] ?? expected[group as 'invalid'] ?? 'not said';
}

function seen({ status, body }: Answer): string {
  const error = body?.error ?? (status >= 400 ? body : undefined);
  if (!error) return String(status);
  const detail = error.details?.required ?? error.details?.reason;
  const known = ['insufficient_scope', 'forbidden'].includes(error.code) ? detail : undefined;
  return [status, error.code, known].filter((part) => part !== undefined).join(' ');
}

forEachEngine('credentials', (engine) => {
  let world: CredentialWorld;
  before(async () => {
    const app = await engine.openTestApp();
    world = await openCredentialWorld(app.ctx, await startService(app));
  });

  for (const family of FAMILIES) {
    it(family.name, async () => {
      const reported: Record<string, string> = {};
      const wanted: Record<string, string> = {};
      for (const [kind, client] of Object.entries(world.clients) as [Kind, Client][]) {
        reported[kind] = seen(await family.call(client, world));
        wanted[kind] = expectedOf(family, kind);
      }
      assert.deepEqual(reported, wanted);
    });
  }
});
