import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Access } from '../kernel/caller.ts';
import type { HttpMethod } from '../kernel/route.ts';
import { ROUTES } from './index.ts';

// The required access is repeated here by resource, so that a mistake in one declaration is noticed.
const BY_NAME: Record<string, Access> = {
  'GET /tokens/me': 'credential',
  'DELETE /tokens/me': 'credential',
  'GET /orgs/{org}/playbook': 'credential',
  'POST /lookups': 'public',
  'POST /changelog/lint': 'public',
  'POST /feedback': 'public',
  'POST /recommendations': 'public',
  'POST /whats-changed/batch': 'public',
  // Made by anybody, and deleted by whoever made it: by account, or by the token that was told then.
  'POST /reports': 'public',
  'DELETE /reports/{id}': 'public',
  'PUT /site-notice': 'admin',
  'POST /orgs/stub': 'admin',
  'POST /orgs/stub-from-domain': 'admin',
  'POST /orgs/{org}/promote': 'admin',
  'GET /orgs/{org}/ignored-urls': 'write',
  'GET /orgs/{org}/overview/inputs': 'write',
  // The address stays valid after the app's grant has ended, so reading it needs more than read access.
  'GET /me/feed/token': 'account:write',
  'GET /me/stacks/{name}/feed': 'account:write',
  // A key that may push lists says nothing of what was done with them.
  'PUT /me/stacks/{name}/marks': 'account:write',
  // Less than writing: a token that may publish may do nothing else.
  'POST /publish': 'publish',
};

// An app changes nothing of its account without the grant; API keys have their own rules.
function accessOf(method: HttpMethod, path: string): Access {
  const named = BY_NAME[`${method} ${path}`];
  if (named) return named;
  const [, family, second] = path.split('/');
  const reads = method === 'GET';
  if (family === 'api-keys' || (family === 'me' && second === 'api-keys')) {
    return method === 'POST' ? 'account:session' : 'account';
  }
  if (family === 'me' && second === 'stacks' && (reads || method === 'PUT')) return reads ? 'stacks' : 'stacks:push';
  if (family === 'me') return reads ? 'account' : 'account:write';
  if (['admin', 'tokens', 'webhooks', 'evaluate'].includes(family ?? '')) return 'admin';
  if (['feedback', 'recommendations'].includes(family ?? '')) return 'admin';
  return reads ? 'public' : 'write';
}

describe('every route', () => {
  it('is open to those who may call it, and to nobody else', () => {
    const wrong = ROUTES.filter(({ method, path, access }) => access !== accessOf(method, path));
    assert.deepEqual(
      wrong.map(({ method, path, access }) => `${method} ${path}: ${access}, not ${accessOf(method, path)}`),
      [],
    );
    const names = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    assert.deepEqual(
      Object.keys(BY_NAME).filter((name) => !names.has(name)),
      [],
    );
  });
});
