// How much room the registry takes, and how much is left where it keeps its files.
import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';

interface StorageFigures {
  databaseBytes: number;
  // Null where the folder cannot be looked at.
  freeBytes: number | null;
}

export async function storageFigures(ctx: Context): Promise<StorageFigures> {
  const size =
    ctx.store.dialect.name === 'sqlite'
      ? sql<{ bytes: number }>`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`;
  const [{ rows }, free] = await Promise.all([
    size.execute(queries(ctx)),
    statfs(ctx.config.dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
  ]);
  return { databaseBytes: Number(rows[0]?.bytes ?? 0), freeBytes: free };
}
