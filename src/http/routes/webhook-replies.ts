// Replies with a signing key. They are stored for repeated calls without the key.
import type { RotatedKey, SavedWebhook } from '../../contract/webhooks.ts';
import { Reply } from '../kernel/reply.ts';

export function savedReply(status: 200 | 201, saved: SavedWebhook, headers: Record<string, string> = {}): Reply {
  const { signingKey: _hex, standardSecret: _standard, ...repeatable } = saved;
  return new Reply(status, saved, headers).repeatedAs(repeatable);
}

export function rotatedReply(rotated: RotatedKey): Reply {
  const { signingKey: _hex, standardSecret: _standard, ...repeatable } = rotated;
  return new Reply(200, rotated).repeatedAs(repeatable);
}
