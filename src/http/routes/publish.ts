import { param } from '../../contract/parameters.ts';
import { publishInput, publishResult } from '../../contract/publish.ts';
import { publishedSource, publishRelease } from '../../releases/write/publish.ts';
import { created } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const PUBLISH_BYTES = 4 * 1024 * 1024;

export const publishRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/publish',
    summary: 'Publish one release from the pipeline that made it',
    description:
      'Finds the release by source and version: the same content is answered 200 and changes nothing, other content makes a revision. With a bound token the release is marked as from its author, and later fetches leave its text alone. With `dryRun` nothing is written.',
    tag: 'Ingest',
    access: 'publish',
    query: { dryRun: param.dryRun },
    body: publishInput,
    refusesUnknown: true,
    bodyExample: { source: 'acme/cli', version: '2.0.0', content: '### Added\n- Faster builds' },
    bodyLimit: PUBLISH_BYTES,
    touchedSource: async (ctx, { body }) => (await publishedSource(ctx, body)).source.id,
    answers: { 200: publishResult, 201: publishResult },
    errors: ['not_found', 'payload_too_large'],
    run: async (ctx, { query, body }) => {
      const result = await publishRelease(ctx, { ...body, dryRun: body.dryRun ?? query.dryRun });
      const isNew = result.outcome === 'inserted' && !result.dryRun;
      return isNew ? created(result, `/v1/releases/${result.release?.id}`) : result;
    },
  }),
];
