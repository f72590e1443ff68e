// Copies of images in a folder, each under the hash of its bytes: the same picture is kept once.
import { createHash } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import type { ImageExtension } from '../../domain/net/image-type.ts';

/** The key of the copy: `media/<sha256>.<ext>` below the folder. */
export async function storeCopy(
  ctx: Pick<Context, 'randomBytes'>,
  folder: string,
  { bytes, extension }: { bytes: Uint8Array; extension: ImageExtension },
): Promise<string> {
  const key = `media/${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
  const path = join(folder, key);
  if (await exists(path)) return key;
  await mkdir(join(folder, 'media'), { recursive: true });
  // A reader never meets half a file, and two writers of the same one do not disturb each other.
  const draft = `${path}.${Buffer.from(ctx.randomBytes(6)).toString('hex')}`;
  await writeFile(draft, bytes);
  await rename(draft, path);
  return key;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
