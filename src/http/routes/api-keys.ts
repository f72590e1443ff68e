// API keys of an account. The bare path is an alias of the one under /me.
import { listApiKeys, mintApiKey, revokeApiKey } from '../../accounts/api-keys/manage.ts';
import { apiKeyInput, apiKeyList, mintedApiKey, success } from '../../contract/account.ts';
import { Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Account';
const BODY_LIMIT = 64 * 1024;

export const apiKeyRoutes: RouteDeclaration[] = ['/me/api-keys', '/api-keys'].flatMap((path) => [
  route({
    method: 'POST',
    path,
    summary: 'Mint a key that reads; its value is shown once',
    description:
      'Makes a user key with the scope `read`. Its value stands in this answer alone; a repeated call with the same idempotency key lacks it.',
    tag,
    access: 'account:session',
    body: apiKeyInput,
    refusesUnknown: true,
    bodyLimit: BODY_LIMIT,
    answers: { 201: mintedApiKey },
    errors: ['bad_request', 'forbidden', 'api_key_limit'],
    run: async (ctx, { body }) => {
      const { key, ...row } = await mintApiKey(ctx, body);
      return new Reply(201, { key, ...row }, { Location: `/v1${path}/${row.id}` }).repeatedAs(row);
    },
  }),
  route({
    method: 'GET',
    path,
    summary: 'Keys of the account, newest first',
    description: "Lists the account's keys with the time of their last use. The values of keys are never shown again.",
    tag,
    access: 'account',
    answers: { 200: apiKeyList },
    run: (ctx) => listApiKeys(ctx),
  }),
  route({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Revoke a key',
    description: 'Ends a key of the account at once. The next call with it is answered 401.',
    tag,
    access: 'account',
    answers: { 200: success },
    errors: ['forbidden', 'not_found'],
    run: async (ctx, { params }) => {
      await revokeApiKey(ctx, { id: params.id ?? '' });
      return { success: true };
    },
  }),
]);
