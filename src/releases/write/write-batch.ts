// Operator writes of releases, many or one, with the shapes of the API.
import { type Context, now, transact } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { BATCH_ROWS, type BatchInput, type BatchResult, type ReleaseInput } from '../../contract/release-input.ts';
import { identityKeys } from '../../domain/release-identity.ts';
import { isPlaceholderVersion } from '../../domain/versions/index.ts';
import { recordAudit } from '../../entities/audit.ts';
import { lockSource, resolveSource, type SourcePath } from '../../entities/resolve.ts';
import { holdToEnd } from '../../store/pipeline.ts';
import { isLong } from '../release-columns.ts';
import type { Draft } from './draft.ts';
import { prepareTexts } from './prepare-texts.ts';
import { ownAddresses, writeDrafts } from './write-drafts.ts';

interface WriteReleases {
  path: SourcePath;
  rows: readonly ReleaseInput[];
  mode?: BatchInput['mode'];
  announce?: boolean;
  silent?: boolean;
}

export async function writeReleases(ctx: Context, input: WriteReleases): Promise<BatchResult> {
  if (input.rows.length > BATCH_ROWS) {
    throw new ApiError('payload_too_large', `a batch holds at most ${BATCH_ROWS} rows`, { limit: BATCH_ROWS });
  }
  if (input.announce && input.silent) {
    throw new ApiError('bad_request', 'announce and silent exclude each other', {
      field: 'silent',
      reason: 'announce and silent exclude each other',
    });
  }
  const drafts = input.rows.map(draftFromInput);
  const ahead = drafts.some(isLong) ? await prepareBatch(ctx, input.path, drafts) : ctx;
  return transact(ahead, async (ctx) => {
    const sourceInOrg = await lockSource(ctx, input.path);
    const { heldBack, ...result } = await writeDrafts(ctx, {
      sourceInOrg,
      isLocked: true,
      drafts,
      insertOnly: input.mode === 'insert-only',
      writtenBy: 'operator',
      announce: input.announce,
      silent: input.silent,
    });
    if (result.inserted + result.updated > 0) {
      const stamp = { releases_written_at: now(ctx) };
      holdToEnd(ctx.tx, [ctx.tx.updateTable('sources').set(stamp).where('id', '=', sourceInOrg.source.id).compile()]);
      await recordAudit(ctx, {
        action: 'releases.write',
        targetType: 'source',
        targetId: sourceInOrg.source.id,
        after: { inserted: result.inserted, updated: result.updated },
      });
    }
    return result;
  });
}

async function prepareBatch(ctx: Context, path: SourcePath, drafts: readonly Draft[]): Promise<Context> {
  const sourceInOrg = await resolveSource(ctx, path);
  return prepareTexts(ctx, { sourceInOrg, drafts, keys: identityKeys(drafts, ownAddresses(sourceInOrg.source)) });
}

export function draftFromInput(row: ReleaseInput): Draft {
  const version = row.version && !isPlaceholderVersion(row.version) ? row.version : null;
  const title = row.title || row.version || '';
  const { summary, titleGenerated, titleShort, breaking, migrationNotes, importance, composition } = row;
  return {
    title,
    content: row.content ?? '',
    version,
    url: row.url ?? null,
    guid: row.guid ?? row.id ?? null,
    publishedAt: row.publishedAt ?? firstOfNamedMonth(title),
    media: row.media,
    type: row.type,
    prerelease: row.prerelease,
    origin: 'api',
    given: { summary, titleGenerated, titleShort, breaking, migrationNotes, importance, composition },
  };
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

function firstOfNamedMonth(title: string): string | null {
  const match = /^([A-Za-z]+) (\d{4})$/.exec(title.trim());
  const month = MONTHS.indexOf(match?.[1]?.toLowerCase() ?? '');
  const year = Number(match?.[2]);
  if (month < 0 || year < 1970) return null;
  return new Date(Date.UTC(year, month, 1)).toISOString();
}
