// The text of an answer. Long ones are decoded on a thread: bytes of no known encoding are looked at one by one.
import { decodeText } from '../../domain/html/decode.ts';
import type { FetchSuccess } from '../../net/result.ts';
import { onThread } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';

// Decoded in a millisecond or two.
const SHORT = 128_000;

export async function documentText({ body, headers }: Pick<FetchSuccess, 'body' | 'headers'>): Promise<string> {
  const document = { body, contentType: headers['content-type'] };
  return body.length <= SHORT ? decodeDocument(document) : onThread(DECODING, document);
}

export function decodeDocument({ body, contentType }: { body: Uint8Array; contentType?: string | undefined }): string {
  return decodeText(body, { contentType });
}

const DECODING = threadTask(import.meta.url, decodeDocument);
