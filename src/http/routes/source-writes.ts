import { z } from 'zod';
import { field } from '../../contract/fields.ts';
import { param } from '../../contract/parameters.ts';
import { flag, text } from '../../contract/query.ts';
import { softDeleted } from '../../contract/scalars.ts';
import { sourceRow } from '../../contract/source.ts';
import { contentHashInput, metadataPatch, sourceCreate, sourcePatch } from '../../contract/source-input.ts';
import { sourcePath } from '../../entities/resolve.ts';
import { compareContentHash } from '../../entities/sources/content-hash.ts';
import { createSource } from '../../entities/sources/create.ts';
import { deleteSource, restoreSource } from '../../entities/sources/delete.ts';
import { patchMetadata, updateSource } from '../../entities/sources/update.ts';
import { clearSource } from '../../releases/write/clear-source.ts';
import { created } from '../kernel/reply.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';

export const sourceWriteRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/sources',
    summary: 'Track a source, under an org or on its own',
    description:
      'Adds an address that the registry reads from now on. Without `type` it is worked out from the address; a repository that a lookup found is taken over with its releases.',
    tag: 'Sources',
    access: 'write',
    body: sourceCreate,
    answers: { 201: sourceRow },
    errors: ['not_found', 'conflict', 'slug_reserved', 'bad_request'],
    run: async (ctx, { body }) => {
      const source = await createSource(ctx, body);
      return created(source, `/v1/sources/${source.id}`);
    },
  }),
  ...bothPaths('sources', '', {
    method: 'PATCH',
    summary: 'Change a source',
    description: 'Only the fields that are sent change; null clears one.',
    tag: 'Sources',
    access: 'write',
    body: sourcePatch,
    answers: { 200: sourceRow },
    errors: ['not_found', 'conflict', 'slug_reserved'],
    run: (ctx, { params, body }) => updateSource(ctx, sourcePath(params), body),
  }),
  ...bothPaths('sources', '/metadata', {
    method: 'PATCH',
    summary: 'Set or delete single settings of a source',
    description: 'Merges the sent settings into the stored ones; null deletes one.',
    tag: 'Sources',
    access: 'write',
    body: metadataPatch,
    answers: {
      200: z.object({ metadata: z.record(z.string(), z.unknown()).describe('Settings of the source as JSON.') }),
    },
    errors: ['not_found'],
    run: async (ctx, { params, body }) => ({ metadata: await patchMetadata(ctx, sourcePath(params), body) }),
  }),
  ...bothPaths('sources', '', {
    method: 'DELETE',
    summary: 'Delete a source; it can be restored for 30 days unless hard is set',
    description:
      'The source and its releases leave every public view at once. `hard=true` deletes them for good and needs the scope `admin`.',
    tag: 'Sources',
    access: 'write',
    query: { hard: param.hard },
    answers: { 200: softDeleted },
    errors: ['not_found', 'bad_request'],
    run: (ctx, { params, query }) => deleteSource(ctx, { path: sourcePath(params), hard: query.hard ?? false }),
  }),
  route({
    method: 'POST',
    path: '/sources/{src}/restore',
    summary: 'Bring a deleted source back',
    description: 'Undoes a deletion of the last 30 days, by id.',
    tag: 'Sources',
    access: 'write',
    answers: { 200: sourceRow },
    errors: ['not_found', 'conflict'],
    run: (ctx, { params }) => restoreSource(ctx, params.src ?? ''),
  }),
  ...bothPaths('sources', '/content-hash', {
    method: 'POST',
    summary: 'Compare a content hash with the last one, and keep it',
    description: 'For fetchers outside the service: tells whether the content changed since the last call.',
    tag: 'Ingest',
    access: 'write',
    query: { peek: flag().describe('true compares without storing the hash.') },
    body: contentHashInput,
    answers: { 200: z.object({ unchanged: z.boolean().describe('Whether nothing changed.') }) },
    errors: ['not_found'],
    run: (ctx, { params, query, body }) =>
      compareContentHash(ctx, sourcePath(params), {
        contentHash: body.contentHash,
        peek: body.peek ?? query.peek ?? false,
      }),
  }),
  ...bothPaths('sources', '/releases', {
    method: 'DELETE',
    summary: 'Suppress all releases of a source, or with hard delete them',
    description: 'Takes every release of the source out of public view. `hard=true` deletes them for good.',
    tag: 'Sources',
    access: 'write',
    query: { hard: param.hard, reason: text({ max: 500 }).describe('Why; stored with the change.') },
    answers: {
      200: z.union([
        z.object({ suppressed: z.int().min(0).describe('Number of releases that were taken out of public view.') }),
        z.object({
          deleted: field.deletedRows.min(0),
          hard: z.literal(true).describe('Always true: the deletion is final.'),
        }),
      ]),
    },
    errors: ['not_found'],
    run: (ctx, { params, query }) =>
      clearSource(ctx, sourcePath(params), { hard: query.hard ?? false, reason: query.reason }),
  }),
];
