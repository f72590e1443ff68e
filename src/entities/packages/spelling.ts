// Old packages of npm have capitals in their names, and their registry knows them by no other spelling. Here names are compared
// without case, so the spelling is written down where the package is first heard of.
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { factsOfEcosystem, type PackageName, packageKey } from '../../domain/ecosystems/index.ts';

// A listing knows the spelling best, and is not contradicted.
export async function noteSpelling(ctx: WriteContext, named: PackageName, spelling: string): Promise<void> {
  const { ecosystem, name } = named;
  if (!factsOfEcosystem(ecosystem).keepsCapitals || spelling === name || spelling.toLowerCase() !== name) return;
  await sql`INSERT INTO package_states (id, ecosystem, name, spelling, validators, outcome)
    VALUES (${packageKey(named)}, ${ecosystem}, ${name}, ${spelling}, 'null', 'never_read')
    ON CONFLICT (id) DO UPDATE SET spelling = excluded.spelling WHERE package_states.listed_at IS NULL`.execute(ctx.tx);
}
