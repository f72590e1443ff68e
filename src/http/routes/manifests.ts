// Domain manifests: the export of an organization, and organizations and sources that are created from manifests.

import { manifest } from '../../contract/manifest.ts';
import {
  dryRunInput,
  manifestSync,
  promotion,
  stubFromDomain,
  stubFromDomainInput,
  syncInput,
} from '../../contract/manifest-sync.ts';
import { param } from '../../contract/parameters.ts';
import { flag } from '../../contract/query.ts';
import { exportManifest } from '../../entities/manifest/export.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { manifestExample } from './examples.ts';

const tag = 'Orgs';

export const manifestRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/orgs/{org}/manifest',
    summary: 'The domain manifest of an org, made from its live products and sources',
    description:
      'What the organization could publish at `/.well-known/releases.json`, in the form of the manifest schema.',
    tag,
    access: 'public',
    answers: { 200: manifest },
    example: manifestExample,
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params }) => exportManifest(ctx, { org: params.org ?? '' }),
  }),
  route({
    method: 'POST',
    path: '/orgs/stub-from-domain',
    summary: 'Create a stub from the manifest that a domain serves',
    description:
      'Reads the manifest of the domain and makes an untracked organization of it. With `dryRun` the plan is answered and nothing is written.',
    tag,
    access: 'admin',
    query: { dryRun: param.dryRun },
    body: stubFromDomainInput,
    answers: { 200: stubFromDomain },
    outbound: true,
    async run(ctx, { query, body }) {
      const ingest = await import('../../ingest/on-request.ts');
      return ingest.stubFromDomain(ctx, { ...body, dryRun: body.dryRun ?? query.dryRun });
    },
  }),
  route({
    method: 'POST',
    path: '/orgs/{org}/promote',
    summary: 'Follow a stub: its places are proven and become sources',
    description:
      'Checks the known locations of a stub, makes sources of them and tracks the organization. A second call meanwhile is answered 409.',
    tag,
    access: 'admin',
    query: { dryRun: param.dryRun },
    body: dryRunInput,
    answers: { 200: promotion },
    errors: ['not_found', 'busy'],
    outbound: true,
    async run(ctx, { params, query, body }) {
      const { promoteStub, withProofs } = await import('../../ingest/on-request.ts');
      return promoteStub(withProofs(ctx), { org: params.org ?? '', dryRun: body.dryRun ?? query.dryRun });
    },
  }),
  route({
    method: 'POST',
    path: '/orgs/{org}/sync-well-known',
    summary: 'Read the manifest of the org now',
    description:
      "Reads the manifest of the organization's domain and applies what changed. A manifest that lost most of its entries needs `confirm`.",
    tag,
    access: 'write',
    query: {
      dryRun: param.dryRun,
      confirm: flag().describe('true lets a manifest that lost most of its entries through, once.'),
    },
    body: syncInput,
    answers: { 200: manifestSync },
    errors: ['not_found', 'busy'],
    outbound: true,
    async run(ctx, { params, query, body }) {
      const { syncManifest, withProofs } = await import('../../ingest/on-request.ts');
      return syncManifest(withProofs(ctx), {
        org: params.org ?? '',
        dryRun: body.dryRun ?? query.dryRun,
        confirm: body.confirm ?? query.confirm,
      });
    },
  }),
];
