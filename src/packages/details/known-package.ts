// A package by its name: what its registry said of it, the source that tells about it, and the part of the source that is its
// own.
import { type Context, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { isEcosystem, normalizePackageName, packageKey } from '../../domain/ecosystems/index.ts';
import { choosePart, lastSegment, type PackageName } from '../../domain/upgrade/requested-package.ts';
import type { PackageStateRow } from '../../store/schema/packages.ts';
import { visiblePackages } from '../whats-changed/listings.ts';
import {
  type PackageSource,
  packageSourceRows,
  partsOfSources,
  toPackageSource,
} from '../whats-changed/package-sources.ts';

export interface KnownPackage extends PackageName {
  // As its registry spells it.
  spelling: string;
  state: PackageStateRow | null;
  // Null while no visible source tells about it.
  notes: { source: PackageSource; part: string | null } | null;
}

const MAX_NAME_LENGTH = 214;

// Throws `not_found` for a name that is neither in the package map nor was ever read from a registry.
export async function knownPackage(ctx: Context, asked: { ecosystem: string; name: string }): Promise<KnownPackage> {
  const found = await findPackage(ctx, asked);
  if (!found) throw notFound('package', asked.name);
  return found;
}

export async function findPackage(
  ctx: Context,
  asked: { ecosystem: string; name: string },
): Promise<KnownPackage | null> {
  const named = packageNamed(asked);
  const [seen] = named ? await visiblePackages(ctx, [named]) : [];
  if (!seen) return null;
  const state = await queries(ctx)
    .selectFrom('package_states')
    .selectAll()
    .where('id', '=', packageKey(seen))
    .executeTakeFirst();
  const notes = await notesOf(ctx, seen);
  // A name that stands in a stack alone, and that no registry has listed, is nobody's business.
  const isPublic = state !== undefined && (state.listed_at !== null || state.wanted_at !== null);
  if (!isPublic && !notes) return null;
  return { ...seen, spelling: state?.spelling ?? seen.name, state: state ?? null, notes };
}

// Null for a name that no package can have.
export function packageNamed({ ecosystem, name }: { ecosystem: string; name: string }): PackageName | null {
  if (!isEcosystem(ecosystem) || name === '' || name.length > MAX_NAME_LENGTH) return null;
  return { ecosystem, name: normalizePackageName(ecosystem, name) };
}

async function notesOf(ctx: Context, { ecosystem, name }: PackageName): Promise<KnownPackage['notes']> {
  const entry = await queries(ctx)
    .selectFrom('packages')
    .select(['source_id', 'package_part'])
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!entry) return null;
  const row = await packageSourceRows(ctx).where('s.id', '=', entry.source_id).executeTakeFirst();
  const source = row && toPackageSource(ctx, row);
  if (!source?.visible) return null;
  const parts = (await partsOfSources(ctx, [source.id])).get(source.id) ?? { parts: [], hasBare: false };
  const names = [name, lastSegment(name)];
  const choice = choosePart(parts, { mapped: entry.package_part, names, inBounds: [], coordinate: source.coordinate });
  return { source, part: 'part' in choice ? choice.part : name };
}
