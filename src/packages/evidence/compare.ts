// The comparison of two versions of a package, for who asks for it by name.
import { type Context, queries } from '../../context.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import type { ComparedPackages } from '../../contract/evidence.ts';
import {
  type Ecosystem,
  isComparedEcosystem,
  isEcosystem,
  normalizePackageName,
  packageKey,
} from '../../domain/ecosystems/index.ts';
import { type Bound, isBelow, readBound } from '../../domain/upgrade/bounds.ts';
import { type DistTags, distTagWords, taggedVersion } from '../../domain/upgrade/dist-tags.ts';
import { packageRows } from '../../entities/packages/list.ts';
import { packageViewer, seenPackages } from '../../entities/packages/viewer.ts';
import { visibleSource } from '../../entities/visible.ts';
import { parseJson } from '../../store/json-text.ts';
import { compareVersions, notCompared } from './evidence-of-ranges.ts';

interface AskedComparison {
  ecosystem: string;
  name: string;
  from: string;
  // A version, or a tag.
  to: string;
}

const MAX_NAME_LENGTH = 214;

export async function comparePackages(ctx: Context, asked: AskedComparison): Promise<ComparedPackages> {
  const { ecosystem, name, tags } = await listedPackage(ctx, asked);
  const [lower, upper] = [asked.from, asked.to].map((text) => readBound(taggedVersion(tags, text) ?? text)) as [
    Bound,
    Bound,
  ];
  if (lower.key === null || upper.key === null) {
    const field = lower.key === null ? 'from' : 'to';
    const words = distTagWords(tags);
    const known = words === '' ? '' : ` and no tag; the package has the tags ${words}`;
    throw new ApiError('bad_request', `\`${field}\` is no version${known}`, { field });
  }
  if (!isBelow(lower.key, upper.key))
    throw new ApiError('bad_request', '`from` must be older than `to`', { field: 'from' });
  const range = { from: lower.version, to: upper.version };
  return isComparedEcosystem(ecosystem) ? compareVersions(ctx, { ecosystem, name, ...range }) : notCompared(range);
}

interface ListedPackage {
  ecosystem: Ecosystem;
  name: string;
  tags: DistTags;
}

// Only packages that were listed once or that the package map has, and that the caller may see.
async function listedPackage(ctx: Context, asked: AskedComparison): Promise<ListedPackage> {
  const { ecosystem } = asked;
  if (!isEcosystem(ecosystem) || asked.name.length > MAX_NAME_LENGTH) throw notFound('package', asked.name);
  const named = { ecosystem, name: normalizePackageName(ecosystem, asked.name) };
  const [seen] = seenPackages(ctx, await packageViewer(ctx), [named]);
  if (!seen) throw notFound('package', asked.name);
  const state = await queries(ctx)
    .selectFrom('package_states')
    .select(['name', 'latest', 'dist_tags'])
    .where('id', '=', packageKey(seen))
    .executeTakeFirst();
  if (state) {
    const { latest, dist_tags } = state;
    const tags = { ...(latest === null ? {} : { latest }), ...(dist_tags === null ? {} : parseJson(dist_tags)) };
    return { ecosystem, name: state.name, tags };
  }
  const entries = packageRows(ctx).where(visibleSource()).where('m.ecosystem', '=', ecosystem);
  const mapped = await entries.where('m.name', '=', seen.name).select('m.name').executeTakeFirst();
  if (!mapped) throw notFound('package', asked.name);
  return { ecosystem, name: mapped.name, tags: {} };
}
