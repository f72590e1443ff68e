// A package with a thousand published versions, of which some hundred pairs were compared.
import { type Context, transact } from '../../src/context.ts';
import type { EvidenceFinding } from '../../src/contract/evidence.ts';
import { RULES_VERSION } from '../../src/domain/evidence/finding.ts';
import { insertMany } from '../../src/store/insert-many.ts';
import { toJson } from '../../src/store/json-text.ts';
import type { EvidencePairRow } from '../../src/store/schema/evidence.ts';
import { listPublished } from './published.ts';

export const VERSIONS = 1_000;

export function numbered(minor: number): string {
  return `1.${minor}.0`;
}

const integrityOf = (name: string, version: string) => `sha512-${Buffer.from(`${name} ${version}`).toString('base64')}`;

// Somebody follows the package, so that comparisons may be ordered.
export async function publishLargePackage(ctx: Context, name: string, versions = VERSIONS): Promise<void> {
  const listed = Array.from({ length: versions }, (_, index) => {
    const version = numbered(index + 1);
    const tarballUrl = `https://npm.example/${name}/-/${version}.tgz`;
    return { version, tarballUrl, integrity: integrityOf(name, version) };
  });
  await listPublished(ctx, name, listed);
  await transact(ctx, ({ tx }) =>
    tx
      .updateTable('package_states')
      .set({ next_read_at: ctx.clock().toISOString() })
      .where('name', '=', name)
      .execute(),
  );
}

// By the numbers of the versions.
export async function comparePairs(
  ctx: Context,
  name: string,
  pairs: readonly (readonly [number, number])[],
): Promise<void> {
  const found = Array.from({ length: 3 }, (_, at) => removedExport(`open${at}`));
  const rows = pairs.map(([from, to]): EvidencePairRow => {
    const [older, newer] = [numbered(from), numbered(to)];
    return {
      from_integrity: integrityOf(name, older),
      to_integrity: integrityOf(name, newer),
      beside: '',
      rules: RULES_VERSION,
      ecosystem: 'npm',
      name,
      from_version: older,
      to_version: newer,
      status: 'compared',
      types: 'own',
      findings: toJson(found),
      further: null,
      more: 0,
      proven: found.length,
      likely: 0,
      beside_names: toJson([]),
      reason: null,
      bytes: 0,
      compared_at: ctx.clock().toISOString(),
    };
  });
  await transact(ctx, ({ tx }) => insertMany(tx, 'evidence_pairs', rows));
}

function removedExport(name: string): EvidenceFinding {
  const text = `\`${name}\` is no longer exported`;
  return { kind: 'export_removed', name, subpath: '.', certainty: 'proven', was: 'function', is: null, text };
}

// A hundred ranges that all end at the newest version, each with the pairs that its questions had compared: the whole, one of
// its halves and one step.
export const RANGES = Array.from({ length: 100 }, (_, index) => ({ from: index + 1, to: VERSIONS }));

export const PAIRS = RANGES.flatMap(({ from, to }): [number, number][] => [
  [from, to],
  [from, Math.floor((from + to) / 2)],
  [from * 9, from * 9 + 1],
]);
