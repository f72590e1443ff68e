// Entries whose notes are judged to break nothing while a stored comparison of the packages proves a break: where the rules
// of reading notes may learn. The verdict itself is never changed by it.
import { sql } from 'kysely';
import type { Context } from '../../src/context.ts';
import { type Finding, RULES_VERSION } from '../../src/domain/evidence/finding.ts';
import { type JsonText, parseJson } from '../../src/store/json-text.ts';

interface SilentNotes {
  package: string;
  from: string;
  to: string;
  proven: number;
  // The first of them.
  findings: string[];
  // The releases between the two versions, all of them judged `none`.
  entries: { id: string; version: string; title: string }[];
}

const SHOWN_FINDINGS = 5;

interface Row {
  name: string;
  from_version: string;
  to_version: string;
  proven: number;
  findings: JsonText<Finding[]>;
  id: string | null;
  version: string;
  title: string | null;
  breaking: string | null;
}

// A pair counts when every version after the older one has notes and none of them speaks of a break.
export async function silentNotes(ctx: Context): Promise<SilentNotes[]> {
  const { rows } = await sql<Row>`SELECT p.name, p.from_version, p.to_version, p.proven, p.findings,
      r.id, v.version, r.title, r.breaking
    FROM evidence_pairs p
    JOIN package_versions f ON f.ecosystem = p.ecosystem AND f.name = p.name AND f.version = p.from_version
      AND f.integrity = p.from_integrity
    JOIN package_versions t ON t.ecosystem = p.ecosystem AND t.name = p.name AND t.version = p.to_version
      AND t.integrity = p.to_integrity
    JOIN package_versions v ON v.ecosystem = p.ecosystem AND v.name = p.name
      AND v.version_sort > f.version_sort AND v.version_sort <= t.version_sort
    LEFT JOIN releases r ON r.id = v.release_id
    WHERE p.proven > 0 AND p.rules = ${sql.lit(RULES_VERSION)}
    ORDER BY p.name, t.version_sort, f.version_sort DESC, v.version_sort`.execute(ctx.store.read);
  const pairs = Map.groupBy(rows, ({ name, from_version, to_version }) => `${name} ${from_version} ${to_version}`);
  return [...pairs.values()].flatMap((entries) => {
    const [pair] = entries;
    if (!pair || entries.some(({ breaking }) => breaking !== 'none')) return [];
    const findings = parseJson(pair.findings).filter(({ certainty }) => certainty === 'proven');
    return {
      package: pair.name,
      from: pair.from_version,
      to: pair.to_version,
      proven: Number(pair.proven),
      findings: findings.slice(0, SHOWN_FINDINGS).map(({ text }) => text),
      entries: entries.map(({ id, version, title }) => ({ id: id ?? '', version, title: title ?? '' })),
    };
  });
}

export function silentNotesReport(found: readonly SilentNotes[]): string {
  const lines = found.flatMap(({ package: name, from, to, proven, findings, entries }) => [
    `${name} ${from} to ${to}: ${proven} proven, judged none by its notes`,
    ...entries.map(({ id, version, title }) => `  ${version} ${id} ${title}`),
    ...findings.map((text) => `    ${text}`),
  ]);
  return [...lines, `${found.length} pairs prove a break of which no note speaks`].join('\n');
}
