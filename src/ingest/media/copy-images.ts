import { createHash } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import type { MediaItem } from '../../contract/release.ts';
import { type ImageExtension, imageExtension } from '../../domain/net/image-type.ts';
import type { AdapterContext } from '../adapters/contract.ts';
import { type Failure, mayPass, readableAnswer } from '../adapters/outcomes.ts';

const MAX_BYTES = 8 * 1024 * 1024;

interface ImagesToCopy {
  outside: Pick<AdapterContext, 'fetch' | 'now'>;
  folder: string;
  media: readonly MediaItem[];
}

// Returns the same media with the addresses of their copies. An image that cannot be fetched, or is none, has no copy.
export async function copyImages(
  ctx: Context,
  { outside, folder, media }: ImagesToCopy,
): Promise<MediaItem[] | Failure> {
  const result: MediaItem[] = [];
  for (const item of media) {
    if (item.type === 'video' || item.r2Key !== undefined) {
      result.push(item);
      continue;
    }
    const answer = readableAnswer(await outside.fetch({ url: item.url, limits: { maxBytes: MAX_BYTES } }), outside.now);
    const failed = 'outcome' in answer;
    if (failed && mayPass(answer)) return answer;
    const extension = failed ? null : imageExtension(answer.body);
    if (failed || extension === null) result.push(item);
    else {
      const r2Key = await storeCopy(ctx, folder, { bytes: answer.body, extension });
      result.push({ ...item, r2Key, r2Url: `${ctx.config.baseUrl}/${r2Key}` });
    }
  }
  return result;
}

// A copy is stored under the hash of its bytes, so that each image is stored once. Returns its key, `media/<sha256>.<ext>`.
async function storeCopy(
  ctx: Pick<Context, 'randomBytes'>,
  folder: string,
  { bytes, extension }: { bytes: Uint8Array; extension: ImageExtension },
): Promise<string> {
  const key = `media/${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
  const path = join(folder, key);
  if (await exists(path)) return key;
  await mkdir(join(folder, 'media'), { recursive: true });
  // Written to a temporary name first, so that readers never see half a file and concurrent writers do not collide.
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
