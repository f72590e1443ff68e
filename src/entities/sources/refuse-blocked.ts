import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { blockedUrls } from '../blocked-urls.ts';

// Refuses a blocked or ignored URL before anything is created from it.
export async function refuseBlocked(ctx: Context, url: string, org: OrgRow | null): Promise<void> {
  const key = normalizeUrl(url) ?? '';
  const blocked = await blockedUrls(ctx, [key]);
  const ignored =
    org &&
    (await (ctx.tx ?? ctx.store.read)
      .selectFrom('ignored_urls')
      .select('id')
      .where('org_id', '=', org.id)
      .where('url_key', '=', key)
      .executeTakeFirst());
  if (blocked.size > 0 || ignored) {
    throw new ApiError('bad_request', 'url: this address is blocked', { field: 'url', reason: 'blocked' });
  }
}
