import {
  addClient,
  changeClient,
  deleteClient,
  getClient,
  listClients,
  rotateClientSecret,
} from '../../accounts/auth/manage-clients.ts';
import {
  oauthClient,
  oauthClientChange,
  oauthClientCreation,
  oauthClientDeleted,
  oauthClientList,
  oauthClientWithSecret,
} from '../../contract/oauth-client.ts';
import { Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'OAuth apps';
const path = '/admin/oauth/clients';

export const oauthClientRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path,
    summary: 'Register an app; its secret is shown once',
    description:
      'Makes an OAuth client. `scopes` names the only ones that it may ask for; its secret stands in this answer alone.',
    tag,
    access: 'admin',
    body: oauthClientCreation,
    answers: { 201: oauthClientWithSecret },
    async run(ctx, { body }) {
      const { clientSecret, ...client } = await addClient(ctx, body);
      return new Reply(201, { ...client, clientSecret }, { Location: `/v1${path}/${client.clientId}` }).repeatedAs(
        client,
      );
    },
  }),
  route({
    method: 'GET',
    path,
    summary: 'Apps, newest first',
    description: 'All OAuth clients, those that registered themselves included.',
    tag,
    access: 'admin',
    answers: { 200: oauthClientList },
    run: (ctx) => listClients(ctx),
  }),
  route({
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'One app',
    description: 'The OAuth client with its redirect addresses and scopes. Its secret is never shown again.',
    tag,
    access: 'admin',
    answers: { 200: oauthClient },
    errors: ['client_not_found'],
    run: (ctx, { params }) => getClient(ctx, { id: params.id ?? '' }),
  }),
  route({
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Disable an app, or let its users skip the consent page',
    description:
      'Changes the two marks that operators set. A disabled app can neither sign users in nor use its tokens.',
    tag,
    access: 'admin',
    body: oauthClientChange,
    answers: { 200: oauthClient },
    errors: ['client_not_found'],
    run: (ctx, { params, body }) => changeClient(ctx, { id: params.id ?? '', change: body }),
  }),
  route({
    method: 'POST',
    path: `${path}/{id}/rotate-secret`,
    summary: 'Give an app a new secret; the old one ends at once',
    description: 'The new secret stands in this answer alone. A public client has none and is answered 409.',
    tag,
    access: 'admin',
    answers: { 200: oauthClientWithSecret },
    errors: ['client_not_found', 'conflict'],
    async run(ctx, { params }) {
      const { clientSecret, ...client } = await rotateClientSecret(ctx, { id: params.id ?? '' });
      return new Reply(200, { ...client, clientSecret }).repeatedAs(client);
    },
  }),
  route({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Remove an app and all that it was granted',
    description: 'Its tokens and grants end at once. It cannot be undone.',
    tag,
    access: 'admin',
    answers: { 200: oauthClientDeleted },
    errors: ['client_not_found'],
    run: (ctx, { params }) => deleteClient(ctx, { id: params.id ?? '' }),
  }),
];
