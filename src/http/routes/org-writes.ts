import { z } from 'zod';
import { account, orgRow } from '../../contract/org.ts';
import {
  accountInput,
  ignoredUrlInput,
  ignoredUrls,
  orgChange,
  orgCreation,
  orgDependents as orgDependentsShape,
  stubRow,
} from '../../contract/org-input.ts';
import { param } from '../../contract/parameters.ts';
import { limitLike, pageNumber } from '../../contract/query.ts';
import { deleted, softDeleted } from '../../contract/scalars.ts';
import { stubCreation } from '../../contract/stub-input.ts';
import { addAccount, removeAccount } from '../../entities/orgs/accounts.ts';
import { createOrg } from '../../entities/orgs/create.ts';
import { deleteOrg } from '../../entities/orgs/delete.ts';
import { orgDependents } from '../../entities/orgs/dependents.ts';
import { findIgnoredUrl, ignoreUrl, listIgnoredUrls, unignoreUrl } from '../../entities/orgs/ignored-urls.ts';
import { labelIssues } from '../../entities/orgs/labels.ts';
import { restoreOrg } from '../../entities/orgs/restore.ts';
import { createStub } from '../../entities/orgs/stub.ts';
import { updateOrg } from '../../entities/orgs/update.ts';
import { created } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Orgs';

export const orgWriteRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/orgs',
    summary: 'Create an org',
    description:
      'Makes an organization that is tracked. A taken slug or domain is answered 409; without a slug one is made from the name.',
    tag,
    access: 'write',
    body: orgCreation,
    bodyIssues: labelIssues,
    answers: { 201: orgRow },
    errors: ['conflict', 'slug_reserved'],
    run: async (ctx, { body }) => {
      const org = await createOrg(ctx, body);
      return created(org, `/v1/orgs/${org.id}`);
    },
  }),
  route({
    method: 'POST',
    path: '/orgs/stub',
    summary: 'Create an org that is known by its locators and not tracked yet',
    description:
      'Makes a stub: an organization with known locations that is not read. `promote` makes sources of them.',
    tag,
    access: 'admin',
    body: stubCreation,
    bodyExample: { name: 'Acme', domain: 'acme.example', releases: [{ github: 'acme/cli' }] },
    answers: { 201: stubRow },
    errors: ['conflict', 'slug_reserved'],
    run: async (ctx, { body }) => {
      const org = await createStub(ctx, body);
      return created(org, `/v1/orgs/${org.id}`);
    },
  }),
  route({
    method: 'PATCH',
    path: '/orgs/{org}',
    summary: 'Change an org; tags and aliases are replaced',
    description: 'Only the fields that are sent change; null clears one. Lists replace what was there.',
    tag,
    access: 'write',
    body: orgChange,
    bodyIssues: labelIssues,
    answers: { 200: orgRow },
    errors: ['bad_request', 'not_found', 'conflict', 'slug_reserved'],
    run: (ctx, { params, body }) => updateOrg(ctx, { org: params.org ?? '', change: body }),
  }),
  route({
    method: 'DELETE',
    path: '/orgs/{org}',
    summary: 'Delete an org with its products and sources, for 30 days or for good',
    description:
      'Hides the organization and everything below it at once; it can be restored for 30 days. `hard=true` deletes for good and needs the scope `admin`.',
    tag,
    access: 'write',
    query: { hard: param.hard },
    answers: { 200: softDeleted },
    errors: ['bad_request', 'not_found'],
    run: (ctx, { params, query }) => deleteOrg(ctx, { org: params.org ?? '', hard: query.hard ?? false }),
  }),
  route({
    method: 'POST',
    path: '/orgs/{org}/restore',
    summary: 'Bring back a deleted org, by its id, with what was deleted along with it',
    description: 'Undoes a deletion of the last 30 days. A slug or domain that was taken meanwhile is answered 409.',
    tag,
    access: 'write',
    answers: { 200: orgRow },
    errors: ['bad_request', 'not_found', 'conflict'],
    run: (ctx, { params }) => restoreOrg(ctx, { org: params.org ?? '' }),
  }),
  route({
    method: 'GET',
    path: '/admin/orgs/{org}/dependents',
    summary: 'How much a final deletion of the org would take along',
    description: 'Counts by kind, for asking before a final deletion.',
    tag: 'Administration',
    access: 'admin',
    answers: { 200: orgDependentsShape },
    errors: ['not_found'],
    run: (ctx, { params }) => orgDependents(ctx, { org: params.org ?? '' }),
  }),
  route({
    method: 'POST',
    path: '/orgs/{org}/accounts',
    summary: 'Link an account of the org on another platform',
    description: 'Adds a handle on a platform. The same handle twice is answered 409.',
    tag,
    access: 'write',
    body: accountInput,
    answers: { 201: account },
    errors: ['not_found', 'conflict'],
    run: async (ctx, { params, body }) => {
      const org = params.org ?? '';
      return created(await addAccount(ctx, { org, account: body }), `/v1/orgs/${encodeURIComponent(org)}/accounts`);
    },
  }),
  route({
    method: 'DELETE',
    path: '/orgs/{org}/accounts/{platform}/{handle}',
    summary: 'Unlink an account of the org',
    description: "Removes the handle. The organization's sources stay.",
    tag,
    access: 'write',
    answers: { 200: deleted },
    errors: ['not_found'],
    run: async (ctx, { params: { org = '', platform = '', handle = '' } }) => {
      await removeAccount(ctx, { org, account: { platform, handle } });
      return { deleted: true };
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/ignored-urls',
    summary: 'Addresses that are never taken in for the org, or the row of one address',
    description: 'The ignore list of the organization. With `url` it answers the one row of this address, or null.',
    tag,
    access: 'write',
    query: { page: pageNumber(), limit: limitLike({ default: 500, max: 500 }), url: param.url },
    answers: { 200: ignoredUrls },
    errors: ['not_found'],
    run: (ctx, { params, query: { url, ...page } }) => {
      const org = params.org ?? '';
      return url === undefined ? listIgnoredUrls(ctx, { org, ...page }) : findIgnoredUrl(ctx, { org, url });
    },
  }),
  route({
    method: 'POST',
    path: '/orgs/{org}/ignored-urls',
    summary: 'Never take an address in for the org',
    description: 'Entries with this address are skipped by every fetch. Adding it again changes nothing.',
    tag,
    access: 'write',
    body: ignoredUrlInput,
    answers: { 201: z.object({ ignored: z.literal(true).describe('Always true: the address is ignored now.') }) },
    errors: ['not_found'],
    run: async (ctx, { params, body }) => {
      const org = params.org ?? '';
      return created(await ignoreUrl(ctx, { org, ...body }), `/v1/orgs/${encodeURIComponent(org)}/ignored-urls`);
    },
  }),
  route({
    method: 'DELETE',
    path: '/orgs/{org}/ignored-urls/{url}',
    summary: 'Take an address off the list',
    description: 'Entries with this address are taken in again by the next fetch.',
    tag,
    access: 'write',
    answers: { 200: deleted },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await unignoreUrl(ctx, { org: params.org ?? '', url: params.url ?? '' });
      return { deleted: true };
    },
  }),
];
