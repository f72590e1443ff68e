import type { Context } from '../../context.ts';
import type { MediaItem } from '../../contract/release.ts';
import { imageExtension } from '../../domain/net/image-type.ts';
import type { AdapterContext } from '../adapters/contract.ts';
import { type Failure, mayPass, readableAnswer } from '../adapters/outcomes.ts';
import { storeCopy } from './media-folder.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** The same media, with the addresses of their copies. A picture that cannot be had, or is none, stays where it is. */
export async function copyImages(
  ctx: Context,
  outside: Pick<AdapterContext, 'fetch' | 'now'>,
  folder: string,
  media: readonly MediaItem[],
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
