import { revokeOwnKey } from '../../accounts/api-keys/manage.ts';
import { describeCaller } from '../../accounts/describe-caller.ts';
import { createToken, getToken, listTokens, revokeToken, updateToken } from '../../accounts/tokens.ts';
import { flag } from '../../contract/query.ts';
import {
  callerDescription,
  mintedToken,
  tokenChange,
  tokenCreation,
  tokenList,
  tokenRow,
} from '../../contract/token.ts';
import { noContent, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Tokens';

export const tokenRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/tokens/me',
    summary: 'The credential of this call',
    description: 'Who the caller is, what the credential may do and when it ends.',
    tag,
    access: 'credential',
    answers: { 200: callerDescription },
    run: (ctx) => describeCaller(ctx),
  }),
  route({
    method: 'DELETE',
    path: '/tokens/me',
    summary: 'A user key revokes itself',
    description: 'Ends the key that makes the call. Other credentials are answered 403.',
    tag,
    access: 'credential',
    answers: { 204: null },
    errors: ['forbidden'],
    async run(ctx) {
      await revokeOwnKey(ctx);
      return noContent();
    },
  }),
  route({
    method: 'POST',
    path: '/tokens',
    summary: 'Mint a machine token; its value is shown once',
    description: 'Makes a token for a program, with scopes of its own. Its value stands in this answer alone.',
    tag,
    access: 'admin',
    body: tokenCreation,
    refusesUnknown: true,
    answers: { 201: mintedToken },
    async run(ctx, { body }) {
      const { token, ...row } = await createToken(ctx, body);
      return new Reply(201, { ...row, token }, { Location: `/v1/tokens/${row.id}` }).repeatedAs(row);
    },
  }),
  route({
    method: 'GET',
    path: '/tokens',
    summary: 'Machine tokens, newest first',
    description: 'All tokens with their scopes and the time of their last use. Values are never shown again.',
    tag,
    access: 'admin',
    query: { active: flag().describe('true: only tokens that can be used now.') },
    answers: { 200: tokenList },
    run: (ctx, { query }) => listTokens(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/tokens/{id}',
    summary: 'One machine token',
    description: "The token's name, scopes and times. Its value is never shown again.",
    tag,
    access: 'admin',
    answers: { 200: tokenRow },
    errors: ['not_found'],
    run: (ctx, { params }) => getToken(ctx, { id: params.id ?? '' }),
  }),
  route({
    method: 'PATCH',
    path: '/tokens/{id}',
    summary: 'Change name, scopes or expiry of a machine token',
    description: 'Only the fields that are sent change. The value of the token stays the same.',
    tag,
    access: 'admin',
    body: tokenChange,
    answers: { 200: tokenRow },
    errors: ['not_found'],
    run: (ctx, { params, body }) => updateToken(ctx, { id: params.id ?? '', change: body }),
  }),
  route({
    method: 'POST',
    path: '/tokens/{id}/revoke',
    summary: 'Revoke a machine token; a second call changes nothing',
    description: 'Ends the token at once. It stays in the list for the audit log.',
    tag,
    access: 'admin',
    answers: { 200: tokenRow },
    errors: ['not_found'],
    run: (ctx, { params }) => revokeToken(ctx, { id: params.id ?? '' }),
  }),
];
