// The JSON or markdown form of a page is the response of the matching API route, byte for byte.
import type { Reply } from '../../http/kernel/reply.ts';
import type { PageFormat } from '../page.ts';

// The callback returns the path below `/v1`.
export function apiAnswer(pathOf: (params: Record<string, string>) => string): PageFormat {
  return async (_ctx, { params, request }): Promise<Reply> => (await request.forward(`/v1${pathOf(params)}`)).reply;
}

export const segment = encodeURIComponent;
