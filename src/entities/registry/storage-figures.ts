// The disk space that the registry uses, and the free space on the disk of its files.
import { statfs } from 'node:fs/promises';
import { type Context, queries } from '../../context.ts';

interface StorageFigures {
  databaseBytes: number;
  // Null when the folder cannot be read.
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
