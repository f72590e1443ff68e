// How much disk space the registry takes, and how much is free where its files are stored.
import { statfs } from 'node:fs/promises';
import { type Context, queries } from '../../context.ts';

interface StorageFigures {
  databaseBytes: number;
  // Null where the folder cannot be looked at.
  freeBytes: number | null;
}

export async function storageFigures(ctx: Context): Promise<StorageFigures> {
  const [{ rows }, free] = await Promise.all([
    ctx.store.dialect.databaseBytes.execute(queries(ctx)),
    statfs(ctx.config.dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
  ]);
  return { databaseBytes: Number(rows[0]?.bytes ?? 0), freeBytes: free };
}
