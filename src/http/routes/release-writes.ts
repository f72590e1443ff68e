import { z } from 'zod';
import { coverageLinks } from '../../contract/coverage.ts';
import { field } from '../../contract/fields.ts';
import { param } from '../../contract/parameters.ts';
import { releaseRow } from '../../contract/release.ts';
import { batchInput, batchResult } from '../../contract/release-input.ts';
import { releasePatch } from '../../contract/release-patch.ts';
import {
  batchDelete,
  batchSuppress,
  singleReleaseInput,
  singleReleaseResult,
  suppressInput,
} from '../../contract/release-writes.ts';
import { deleted } from '../../contract/scalars.ts';
import { sourcePath } from '../../entities/resolve.ts';
import { releaseRowShape } from '../../releases/detail.ts';
import { linkCoverage, unlinkCoverage } from '../../releases/write/coverage.ts';
import { deleteRelease, deleteReleases } from '../../releases/write/delete.ts';
import { patchRelease } from '../../releases/write/patch.ts';
import { suppressRelease, suppressReleases } from '../../releases/write/suppress.ts';
import { writeReleases } from '../../releases/write/write-batch.ts';
import { created, Reply } from '../kernel/reply.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';
import { releaseBody } from './examples.ts';

const BATCH_BYTES = 8 * 1024 * 1024;
const RELEASE_BYTES = 2 * 1024 * 1024;
const eventFlags = { announce: param.announce, silent: param.silent };

export const releaseWriteRoutes: RouteDeclaration[] = [
  ...bothPaths('sources', '/releases/batch', {
    method: 'POST',
    summary: 'Insert or update up to 500 releases of a source in one transaction',
    description:
      'Takes releases in as a fetch would: duplicates are recognized, derived fields are worked out, and events are sent. All or nothing is written.',
    tag: 'Ingest',
    access: 'write',
    query: eventFlags,
    body: batchInput,
    bodyExample: { releases: [releaseBody], mode: 'upsert' },
    bodyLimit: BATCH_BYTES,
    answers: { 200: batchResult },
    errors: ['not_found', 'payload_too_large'],
    run: (ctx, { params, query, body }) =>
      writeReleases(ctx, {
        path: sourcePath(params),
        rows: body.releases,
        mode: body.mode,
        announce: body.announce ?? query.announce,
        silent: body.silent ?? query.silent,
      }),
  }),
  ...bothPaths('sources', '/releases', {
    method: 'POST',
    summary: 'Insert or update one release of a source',
    description:
      'Takes one release in as a fetch would. `outcome` says whether it was new, changed, unchanged or skipped.',
    tag: 'Ingest',
    access: 'write',
    query: eventFlags,
    body: singleReleaseInput,
    bodyExample: releaseBody,
    bodyLimit: RELEASE_BYTES,
    answers: { 200: singleReleaseResult, 201: releaseRow },
    errors: ['not_found'],
    run: async (ctx, { params, query, body }) => {
      const { announce, silent, ...row } = body;
      const result = await writeReleases(ctx, {
        path: sourcePath(params),
        rows: [row],
        announce: announce ?? query.announce,
        silent: silent ?? query.silent,
      });
      const [item] = result.items;
      if (!item?.id) return { skipped: true, reason: item?.reason };
      const release = await releaseRowShape(ctx, item.id);
      if (item.outcome === 'inserted') return created(release, `/v1/releases/${item.id}`);
      return { ...release, outcome: item.outcome };
    },
  }),
  route({
    method: 'PATCH',
    path: '/releases/{rel}',
    summary: 'Correct a release; every field set is pinned against later fetches',
    description:
      'Only the fields that are sent change, and fetches leave them alone afterwards. Send `pinned` to release them again.',
    tag: 'Releases',
    access: 'write',
    body: releasePatch,
    bodyLimit: RELEASE_BYTES,
    answers: { 200: releaseRow },
    errors: ['not_found', 'conflict'],
    run: async (ctx, { params, body }) => {
      await patchRelease(ctx, params.rel ?? '', body);
      return releaseRowShape(ctx, params.rel ?? '');
    },
  }),
  route({
    method: 'DELETE',
    path: '/releases/batch',
    summary: 'Delete releases for good; unknown ids are ignored',
    description: 'Removes up to 500 releases in one write and answers how many there were.',
    tag: 'Releases',
    access: 'write',
    body: batchDelete,
    answers: { 200: z.object({ deleted: field.deletedRows.min(0) }) },
    run: async (ctx, { body }) => ({ deleted: await deleteReleases(ctx, { ids: body.releaseIds }) }),
  }),
  route({
    method: 'DELETE',
    path: '/releases/{rel}',
    summary: 'Delete a release for good',
    description: 'Removes the release; a later fetch does not bring it back.',
    tag: 'Releases',
    access: 'write',
    answers: { 200: deleted },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await deleteRelease(ctx, { id: params.rel ?? '' });
      return { deleted: true };
    },
  }),
  route({
    method: 'POST',
    path: '/releases/batch-suppress',
    summary: 'Suppress or restore many releases',
    description: 'Takes up to 500 releases out of every public view, or brings them back.',
    tag: 'Releases',
    access: 'write',
    body: batchSuppress,
    answers: { 200: z.object({ updated: field.updated.min(0) }) },
    run: async (ctx, { body }) => ({ updated: await suppressReleases(ctx, body.releaseIds, body) }),
  }),
  route({
    method: 'POST',
    path: '/releases/{rel}/suppress',
    summary: 'Take a release out of every public view',
    description: 'Feeds, search and counts leave it out at once. It stays stored and can be brought back.',
    tag: 'Releases',
    access: 'write',
    body: suppressInput,
    answers: {
      200: z.object({ suppressed: z.literal(true).describe('Whether it is taken out of every public view.') }),
    },
    errors: ['not_found'],
    run: async (ctx, { params, body }) => {
      await suppressRelease(ctx, params.rel ?? '', { suppressed: true, reason: body.reason });
      return { suppressed: true };
    },
  }),
  route({
    method: 'POST',
    path: '/releases/{rel}/unsuppress',
    summary: 'Bring a suppressed release back',
    description: 'The release is public again in feeds, search and counts.',
    tag: 'Releases',
    access: 'write',
    answers: { 200: z.object({ unsuppressed: z.literal(true).describe('Always true: it is public again.') }) },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await suppressRelease(ctx, params.rel ?? '', { suppressed: false });
      return { unsuppressed: true };
    },
  }),
  route({
    method: 'POST',
    path: '/releases/{rel}/coverage',
    summary: 'Name releases that only cover this one',
    description: 'Marks other releases as telling of the same launch, so that feeds show this one alone.',
    tag: 'Releases',
    access: 'write',
    body: coverageLinks,
    answers: {
      201: z.object({
        canonicalId: field.canonicalId,
        coverageIds: field.coverageIds,
        linked: z.int().min(0).describe('Number of links that were made.'),
      }),
    },
    errors: ['not_found', 'conflict'],
    run: async (ctx, { params, body }) => {
      const id = params.rel ?? '';
      return new Reply(201, await linkCoverage(ctx, id, body), { Location: `/v1/releases/${id}/coverage` });
    },
  }),
  route({
    method: 'DELETE',
    path: '/releases/{rel}/coverage',
    summary: 'Free a coverage-side release from its canonical one',
    description: 'The release stands for itself again in feeds.',
    tag: 'Releases',
    access: 'write',
    answers: { 200: z.object({ unlinked: z.boolean().describe('Whether there was a link.') }) },
    errors: ['not_found'],
    run: (ctx, { params }) => unlinkCoverage(ctx, params.rel ?? ''),
  }),
];
