import { exportManifest } from '../../catalog/manifest/export.ts';
import { manifest } from '../../contract/manifest.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { manifestExample } from './examples.ts';

export const manifestRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/orgs/{org}/manifest',
    summary: 'The domain manifest of an org, made from its live products and sources',
    description:
      'What the organization could publish at `/.well-known/releases.json`, in the form of the manifest schema.',
    tag: 'Orgs',
    access: 'public',
    answers: { 200: manifest },
    example: manifestExample,
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params }) => exportManifest(ctx, { org: params.org ?? '' }),
  }),
];
