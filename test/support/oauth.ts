// A service with an account and an app that registered itself, and the steps of an OAuth login that tests repeat.
import assert from 'node:assert/strict';
import type { Context } from '../../src/context.ts';
import {
  type Account,
  type App,
  authorizationRequest,
  exchangeCode,
  grantAccess,
  registerApp,
  signUp,
  tokenRequest,
} from './accounts.ts';
import type { Answer } from './client.ts';
import type { TestEngine } from './engines.ts';
import { type Service, startService } from './service.ts';

interface OAuthWorld {
  ctx: Context;
  service: Service;
  account: Account;
  app: App;
}

export async function openOAuthWorld(engine: TestEngine): Promise<OAuthWorld> {
  const opened = await engine.openTestApp();
  const service = await startService(opened);
  return { ctx: opened.ctx, service, account: await signUp(service), app: await registerApp(service) };
}

// `world` is asked at each call, because it is opened before the first test.
export function oauthSteps(world: () => Pick<OAuthWorld, 'service' | 'account' | 'app'>) {
  return {
    authorize: (query: URLSearchParams) => world().account.cookie.get(`/api/auth/oauth2/authorize?${query}`),
    whoami: (token: string) => world().service.as(token).get('/v1/tokens/me'),
    // New tokens, with the code and the verifier that brought them.
    async fresh(scope = 'openid read offline_access', who: App = world().app) {
      const { service, account } = world();
      const request = authorizationRequest(who.clientId, { scope });
      const { code } = await grantAccess(account.cookie, request.query);
      const answer = await exchangeCode(service, who, { code, verifier: request.verifier });
      assert.equal(answer.status, 200, answer.text);
      return { ...answer.body, code, verifier: request.verifier };
    },
    refresh: (refreshToken: string, more: Record<string, string> = {}) =>
      tokenRequest(world().service, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: world().app.clientId,
        ...more,
      }),
  };
}

export function assertRefused(answer: Answer, error: string, status = 400): void {
  assert.deepEqual([answer.status, answer.body.error], [status, error], answer.text);
  assert.equal(typeof answer.body.error_description, 'string');
  assert.equal(answer.headers.get('cache-control'), 'private, no-store');
}

export function withQuery(query: URLSearchParams, change: Record<string, string | null>): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}
