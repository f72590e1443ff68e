// The comparison of two versions of a package, for who asks for it by name.
import { type Context, queries } from '../../context.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import type { ComparedPackages } from '../../contract/evidence.ts';
import { ECOSYSTEMS, normalizePackageName, packageKey } from '../../domain/published-package.ts';
import { isBelow, readBound } from '../../domain/upgrade/bounds.ts';
import { packageRows } from '../packages/list.ts';
import { packageViewer, seenPackages } from '../packages/viewer.ts';
import { visibleSource } from '../visible.ts';
import { compareVersions } from './evidence-of-ranges.ts';

interface AskedComparison {
  ecosystem: string;
  name: string;
  from: string;
  // A version, or `latest`.
  to: string;
}

const MAX_NAME_LENGTH = 214;

export async function comparePackages(ctx: Context, asked: AskedComparison): Promise<ComparedPackages> {
  const { name, latest } = await listedPackage(ctx, asked);
  const to = asked.to.trim().toLowerCase() === 'latest' && latest !== null ? latest : asked.to;
  const [lower, upper] = [readBound(asked.from), readBound(to)];
  if (lower.key === null || upper.key === null) {
    const field = lower.key === null ? 'from' : 'to';
    throw new ApiError('bad_request', `\`${field}\` is no version`, { field });
  }
  if (!isBelow(lower.key, upper.key))
    throw new ApiError('bad_request', '`from` must be older than `to`', { field: 'from' });
  return compareVersions(ctx, { name, from: lower.version, to: upper.version });
}

// Only packages that were listed once or that the package map has, and that the caller may see; those of other ecosystems are
// never compared.
async function listedPackage(ctx: Context, asked: AskedComparison): Promise<{ name: string; latest: string | null }> {
  const ecosystem = ECOSYSTEMS.find((one) => one === asked.ecosystem);
  if (ecosystem !== 'npm' || asked.name.length > MAX_NAME_LENGTH) throw notFound('package', asked.name);
  const named = { ecosystem, name: normalizePackageName(ecosystem, asked.name) };
  const [seen] = seenPackages(ctx, await packageViewer(ctx), [named]);
  if (!seen) throw notFound('package', asked.name);
  const state = await queries(ctx)
    .selectFrom('package_states')
    .select(['name', 'latest'])
    .where('id', '=', packageKey(seen))
    .executeTakeFirst();
  if (state) return state;
  const entries = packageRows(ctx).where(visibleSource()).where('m.ecosystem', '=', ecosystem);
  const mapped = await entries.where('m.name', '=', seen.name).select('m.name').executeTakeFirst();
  if (!mapped) throw notFound('package', asked.name);
  return { name: mapped.name, latest: null };
}
