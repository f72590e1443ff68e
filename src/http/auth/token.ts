// The token endpoint: exchanges codes and refresh tokens for access tokens. A second use of either may be theft and
// ends the grant.
import { identifyAccessToken } from '../../accounts/auth/access-token.ts';
import { noteClientUse } from '../../accounts/auth/clients.ts';
import { findRefreshToken, REMEMBERED_SECONDS, revokeGrant, storedForm } from '../../accounts/auth/grants.ts';
import { consumeSharedLimit, isCounted, takeBack } from '../../accounts/limits.ts';
import type { Context } from '../../context.ts';
import type { AuthCall } from './call.ts';
import { fieldsIn, oauthError } from './errors.ts';
import { claimedGrant, formOf, isRefused, resourcesIn } from './oauth.ts';
import type { AuthHandler, AuthParts } from './route.ts';

export const token: AuthHandler = async (call, parts) => {
  const form = formOf(call);
  if (form.has('client_assertion')) return oauthError('invalid_client', 'client assertions are not supported');
  const resources = resourcesIn(form);
  form.delete('resource');
  for (const resource of resources) form.append('resource', resource);
  const passed: AuthCall = { ...call, body: { form } };
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(passed, form, parts);
    case 'refresh_token':
      return refresh(passed, form, parts);
    default:
      return oauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
};

async function exchangeCode(call: AuthCall, form: URLSearchParams, parts: AuthParts): Promise<Response> {
  const code = form.get('code') ?? '';
  if (code === '') return oauthError('invalid_request', 'code is required');
  if (!form.get('code_verifier')) return oauthError('invalid_request', 'code_verifier is required');
  const grantId = storedForm(code);
  const redemption = await beginRedemption(call.ctx, grantId);
  if (redemption !== 'first') {
    // A code that is used again may have been stolen, so the tokens that it was exchanged for are revoked. Of several
    // that come at once, one gets them and keeps them.
    if (redemption === 'again') await revokeGrant(call.ctx, grantId);
    return oauthError('invalid_grant', 'the code was used before');
  }
  const response = asGrantError(await parts.pass(call));
  if (await isRefused(response, 'invalid_grant')) await revokeGrant(call.ctx, grantId);
  const answer = await onlyUsable(call, response, grantId);
  await endRedemption(call.ctx, { grantId, redeemed: answer.status === 200 });
  return answer;
}

const redeemedKey = (grantId: string) => `code:${grantId}`;
const answeredKey = (grantId: string) => `code-answered:${grantId}`;

// again: the code had been exchanged before this request came; meanwhile: another request is exchanging it.
async function beginRedemption(ctx: Context, grantId: string): Promise<'first' | 'again' | 'meanwhile'> {
  const isAnswered = await isCounted(ctx, answeredKey(grantId));
  const once = { limit: 1, windowSeconds: REMEMBERED_SECONDS };
  const { allowed } = await consumeSharedLimit(ctx, { key: redeemedKey(grantId), ...once });
  if (allowed) return 'first';
  return isAnswered ? 'again' : 'meanwhile';
}

// A request that was refused for its own faults does not use the code up.
async function endRedemption(
  ctx: Context,
  { grantId, redeemed }: { grantId: string; redeemed: boolean },
): Promise<void> {
  if (!redeemed) {
    await takeBack(ctx, redeemedKey(grantId));
    return;
  }
  await consumeSharedLimit(ctx, { key: answeredKey(grantId), limit: 1, windowSeconds: REMEMBERED_SECONDS });
}

async function refresh(call: AuthCall, form: URLSearchParams, parts: AuthParts): Promise<Response> {
  const presented = form.get('refresh_token') ?? '';
  const row = await findRefreshToken(call.ctx, presented);
  const grantId = row?.authorization_code_id ?? null;
  if (!row || grantId === null) return oauthError('invalid_grant', 'the refresh token is not valid');
  const response = await parts.pass(call);
  if (await isRefused(response, 'invalid_grant')) {
    // The token no longer exists or was replaced: its sender does not have the successor, which one of two owners must
    // have.
    const after = await findRefreshToken(call.ctx, presented);
    if (after === null || after.revoked !== null) await revokeGrant(call.ctx, grantId);
  }
  return onlyUsable(call, response, grantId);
}

// The library answers a wrong verifier with 401 `invalid_client`; RFC 7636 requires `invalid_grant`.
function asGrantError(response: Response): Response {
  return response.status === 401 && !response.headers.has('www-authenticate')
    ? oauthError('invalid_grant', 'the code and its verifier do not belong together')
    : response;
}

// A token that would be refused at once (disabled account or app, grant revoked meanwhile) is not issued.
async function onlyUsable({ ctx }: AuthCall, response: Response, grantId: string): Promise<Response> {
  if (response.status !== 200) return response;
  const issued = String((await fieldsIn(response)).access_token);
  if (await identifyAccessToken(ctx, issued)) {
    await noteClientUse(ctx, claimedGrant(issued)?.clientId ?? '');
    return response;
  }
  await revokeGrant(ctx, grantId);
  return oauthError('invalid_grant', 'the grant is not valid any more');
}
