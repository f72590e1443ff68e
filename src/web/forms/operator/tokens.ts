// Forms that mint and revoke tokens of the API.
import type { MintedToken } from '../../../contract/token.ts';
import { html } from '../../components/html.ts';
import type { OperatorForm } from '../../operator/visit.ts';
import { createdToken, tokensPage } from '../../pages/operator/tokens.ts';
import { given } from './fields.ts';

export const tokenForms: OperatorForm[] = [
  {
    path: '/admin/tokens/create',
    summary: 'mint a token',
    access: 'admin',
    page: tokensPage,
    run: async ({ api, form }) => {
      const ends = given(form, 'expiresAt');
      const boundType = given(form, 'boundType');
      const row = await api.send<MintedToken>('POST', '/tokens', {
        body: {
          name: given(form, 'name'),
          scopes: [form.get('scope') ?? ''],
          ...(ends && { expiresAt: `${ends}T00:00:00.000Z` }),
          ...(boundType && { [boundType]: given(form, 'boundName') ?? '' }),
        },
      });
      return { body: html`${createdToken(row)}` };
    },
  },
  {
    path: '/admin/tokens/{id}/revoke',
    summary: 'revoke a token',
    access: 'admin',
    page: tokensPage,
    run: async ({ api, params }) => {
      await api.send('POST', '/tokens/{id}/revoke', { params, body: {} });
      return { to: '/admin/tokens?done=revoked' };
    },
  },
];
