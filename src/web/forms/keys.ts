// Creates and revokes the API keys of an account.
import { mintApiKey, revokeApiKey } from '../../accounts/api-keys/manage.ts';
import { createFeedToken, deleteFeedToken } from '../../accounts/following/feed-token.ts';
import { apiKeyInput } from '../../contract/account.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { showKeys } from '../pages/account/keys.ts';
import { accountForm, seeOther } from '../visit.ts';
import { onlyOnce } from './once.ts';
import { parsed, textsIn } from './parse.ts';
import { refusalOf } from './refusal.ts';

const LABELS = { name: 'The name', scope: 'What it may do', expiresInDays: 'The expiry' };

export const keyForms: RouteDeclaration[] = [
  accountForm({
    path: '/account/keys',
    summary: 'Create an API key',
    answer: async (visit) => {
      try {
        const { name = '', scope, expiresInDays } = textsIn(visit.form, ['name', 'scope', 'expiresInDays']);
        const input = parsed(apiKeyInput, {
          name,
          scope,
          ...(expiresInDays && { expiresInDays: Number(expiresInDays) }),
        });
        const minted = await onlyOnce(visit, (ctx) => mintApiKey(ctx, input));
        return await showKeys(visit, minted ? { minted } : { repeated: true });
      } catch (error) {
        return showKeys(visit, { refusal: refusalOf(error, LABELS) });
      }
    },
  }),
  accountForm({
    path: '/account/keys/{id}/revoke',
    summary: 'Revoke an API key',
    answer: async (visit) => {
      await revokeApiKey(visit.ctx, { id: visit.params.id ?? '' });
      return seeOther(visit, '/account/keys?done=revoked');
    },
  }),
];

// Creates and deletes the address of the private feed.

export const feedForms: RouteDeclaration[] = [
  accountForm({
    path: '/account/feed/new',
    summary: 'A new address for the private feed',
    answer: async (visit) => {
      await createFeedToken(visit.ctx);
      return seeOther(visit, '/account/feed?done=new');
    },
  }),
  accountForm({
    path: '/account/feed/remove',
    summary: 'Remove the private feed',
    answer: async (visit) => {
      await deleteFeedToken(visit.ctx);
      return seeOther(visit, '/account/feed?done=removed');
    },
  }),
];
