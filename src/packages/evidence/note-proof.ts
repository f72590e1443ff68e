// Marks the releases whose own step proves a break: the published package of their version, compared with the one before.

import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { type Ecosystem, packageKey } from '../../domain/ecosystems/index.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';
import { type NamedSpan, versionsOfPackages } from './package-versions.ts';

// Called whenever a comparison is stored, and whenever versions find their releases. A package of a private registry proves
// nothing in public.
export async function noteProofs(ctx: WriteContext, ecosystem: Ecosystem, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const ids = await provenReleases(ctx, await proofsOf(ctx, ecosystem, names));
  if (ids.length === 0) return;
  await ctx.tx.updateTable('releases').set({ proven: 1 }).where('id', 'in', ids).execute();
  await ctx.ports.webhooks.noteReclassified(ctx, ids);
}

interface Proof extends NamedSpan {
  from_version: string;
  to_version: string;
  release_id: string;
}

// Each table is looked up by its key, so there are at most as many rows as pairs.
async function proofsOf(ctx: WriteContext, ecosystem: Ecosystem, names: readonly string[]): Promise<Proof[]> {
  const { rows } = await sql<Proof>`SELECT p.ecosystem, p.name, p.from_version, p.to_version, r.id AS release_id,
      f.version_sort AS lowest, t.version_sort AS highest
    FROM evidence_pairs p CROSS JOIN package_states s CROSS JOIN package_versions f CROSS JOIN package_versions t
      CROSS JOIN releases r
    WHERE p.ecosystem = ${sql.lit(ecosystem)} AND ${ctx.store.dialect.amongIds('p.name', names)}
      AND p.rules = ${sql.lit(RULES_VERSION)} AND p.proven > 0
      AND s.ecosystem = p.ecosystem AND s.name = p.name AND s.registry IS NULL
      AND f.ecosystem = p.ecosystem AND f.name = p.name AND f.version = p.from_version AND f.integrity = p.from_integrity
      AND t.ecosystem = p.ecosystem AND t.name = p.name AND t.version = p.to_version AND t.integrity = p.to_integrity
      AND f.version_sort < t.version_sort AND r.id = t.release_id AND r.proven = 0`.execute(ctx.tx);
  return rows;
}

// Those of pairs without another version between.
async function provenReleases(ctx: WriteContext, proofs: readonly Proof[]): Promise<string[]> {
  const packages = await versionsOfPackages(ctx, proofs);
  const steps = proofs.filter(({ ecosystem, name, from_version, to_version }) => {
    const listed = packages.get(packageKey({ ecosystem, name }));
    const [from, to] = [listed?.find(from_version), listed?.find(to_version)];
    return listed && from && to && listed.isStep(from, to);
  });
  return [...new Set(steps.map(({ release_id }) => release_id))];
}
