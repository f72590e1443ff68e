// Filters that drop incoming items: the block list, ignored URLs, patterns of the source.
import { type Context, queries } from '../../context.ts';
import type { SkipReason } from '../../contract/release-input.ts';
import type { SourceSettings } from '../../contract/source-settings.ts';
import { compilePatterns, type Pattern } from '../../domain/safe-pattern.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { blockedUrls } from '../../entities/blocked-urls.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { parseJson } from '../../store/json-text.ts';
import { together } from '../../store/pipeline.ts';

type Addressed = { title: string; url: string | null };

type ItemFilter = (item: Addressed) => SkipReason | null;

export async function itemFilter(
  ctx: Context,
  sourceInOrg: SourceInOrg,
  items: readonly Addressed[],
): Promise<ItemFilter> {
  const keyOf = new Map(items.flatMap(({ url }) => (url ? [[url, normalizeUrl(url)]] : [])));
  const keys = [...new Set(keyOf.values())].filter((key) => key !== null);
  const [blocked, ignored] = await together([
    blockedUrls(ctx, keys),
    sourceInOrg.org ? ignoredUrls(ctx, sourceInOrg.org.id, keys) : new Set<string>(),
  ]);
  const settings = parseJson(sourceInOrg.source.settings);
  warnOfUnreadable(ctx, sourceInOrg, settings);
  const { patterns: allow } = compilePatterns(settings.itemAllow);
  const { patterns: deny } = compilePatterns(settings.itemDeny);
  return (item) => {
    const key = item.url ? (keyOf.get(item.url) ?? null) : null;
    if (key && blocked.has(key)) return 'blocked_url';
    if (key && ignored.has(key)) return 'ignored_url';
    const matches = (pattern: Pattern) => pattern.test(item.title) || (item.url !== null && pattern.test(item.url));
    if (allow.length > 0 && !allow.some(matches)) return 'filtered';
    return deny.some(matches) ? 'filtered' : null;
  };
}

const PATTERN_SETTINGS = [
  'itemAllow',
  'itemDeny',
  'tagAllow',
  'tagDeny',
  'ignoreVersions',
  'prereleaseVersions',
] as const;

// New settings are validated when they are saved; older ones may contain patterns that are no longer accepted.
function warnOfUnreadable(ctx: Context, { source }: SourceInOrg, settings: SourceSettings): void {
  for (const setting of PATTERN_SETTINGS) {
    const { unreadable } = compilePatterns(settings[setting]);
    if (unreadable.length === 0) continue;
    ctx.log.warn({ source: source.id, setting, patterns: unreadable }, 'patterns that cannot be read are ignored');
  }
}

async function ignoredUrls(ctx: Context, orgId: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await queries(ctx)
    .selectFrom('ignored_urls')
    .select('url_key')
    .where('org_id', '=', orgId)
    .where('url_key', 'in', keys)
    .execute();
  return new Set(rows.map((row) => row.url_key));
}
