// When a credential was last used, written at most once a minute for each. A request never waits for the note, nor fails
// with it.
import type { Context } from '../context.ts';
import type { Tx } from '../store/schema/index.ts';

const EVERY_MS = 60_000;
// Far more credentials than are used within a minute; beyond it the map is cleared, and a few times are written early.
const MAX_KEPT = 50_000;

interface Use {
  // Names the credential among all of them.
  key: string;
  lastUsedAt: string | null;
  write(tx: Tx, at: string): Promise<unknown>;
}

export interface UseNotes {
  note(use: Use): void;
  // Waits for the notes that are still being written.
  settle(): Promise<void>;
}

export function createUseNotes(ctx: Context): UseNotes {
  const notedAt = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  async function write(use: Use, at: Date): Promise<void> {
    try {
      await ctx.store.transaction((tx) => use.write(tx, at.toISOString()), 'bookkeeping');
    } catch (error) {
      ctx.log.warn({ err: error, credential: use.key }, 'use of a credential could not be noted');
    }
  }

  return {
    note(use) {
      const at = ctx.clock();
      const last = Math.max(notedAt.get(use.key) ?? 0, use.lastUsedAt === null ? 0 : Date.parse(use.lastUsedAt));
      if (at.getTime() - last < EVERY_MS) return;
      if (notedAt.size >= MAX_KEPT) notedAt.clear();
      notedAt.set(use.key, at.getTime());
      const note = write(use, at).finally(() => writing.delete(note));
      writing.add(note);
    },
    async settle() {
      await Promise.all(writing);
    },
  };
}
