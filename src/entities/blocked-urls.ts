import { type Context, queries } from '../context.ts';

// Returns those of the normalized URLs that the block list covers, exactly or by domain.
export async function blockedUrls(ctx: Context, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const suffixes = new Set(keys.flatMap((key) => domainSuffixes(hostOf(key))));
  const rows = await queries(ctx)
    .selectFrom('blocked_urls')
    .select(['type', 'pattern_key'])
    .where('pattern_key', 'in', [...new Set([...keys, ...suffixes])])
    .execute();
  const exact = new Set(rows.filter((row) => row.type === 'exact').map((row) => row.pattern_key));
  const domains = new Set(rows.filter((row) => row.type === 'domain').map((row) => row.pattern_key));
  return new Set(
    keys.filter((key) => exact.has(key) || domainSuffixes(hostOf(key)).some((suffix) => domains.has(suffix))),
  );
}

function hostOf(key: string): string {
  return key.split(/[/?#:]/, 1)[0] ?? '';
}

// docs.acme.dev → docs.acme.dev, acme.dev, dev
function domainSuffixes(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}
