// Works out what a batch of drafts needs to know of its texts, before the transaction that writes it opens. A thread reads
// the long ones; short ones are read here where they are certainly new.
import { type Context, queries } from '../../context.ts';
import { elementAt } from '../../domain/records.ts';
import { contentHash, type ItemKeys } from '../../domain/release-identity.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { MAX_INLINE_CHARS } from '../../threads/documents.ts';
import { withResults } from '../../threads/results.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { isLong } from '../release-columns.ts';
import type { Draft } from './draft.ts';
import { RowBuilder, storedHabits } from './row-builder.ts';

interface DraftBatch {
  sourceInOrg: SourceInOrg;
  drafts: readonly Draft[];
  keys: readonly ItemKeys[];
  // False for a draft that is certainly new, when the caller has read what is stored.
  mayBeStored?: (keys: ItemKeys) => boolean;
}

// Texts are copied for their threads in one turn, and only so many may wait there.
const AT_ONCE = 8;

// The context for the transaction. What changes in the registry before it opens costs a second computation, nothing else.
export async function prepareTexts(ctx: Context, batch: DraftBatch): Promise<Context> {
  const { sourceInOrg, drafts, keys, mayBeStored = () => true } = batch;
  const { id } = sourceInOrg.source;
  const ahead = withResults(ctx);
  const stored = await longTexts(ahead, id, keys.filter(mayBeStored));
  const isNewAndShort = (draft: Draft, index: number) => !isLong(draft) && !mayBeStored(elementAt(keys, index));
  const short = drafts.filter(isNewAndShort);
  if (stored.size === 0 && short.length === 0 && !drafts.some(isLong)) return ahead;
  const rows = new RowBuilder(ahead, sourceInOrg, await storedHabits(ahead, id));
  const prepare = (draft: Draft, index: number) => {
    const known = stored.get(elementAt(keys, index).key);
    if (known === undefined || known.source_hash !== contentHash(draft)) return rows.prepare(draft);
    // A draft that repeats the last fetch keeps the stored text; only the type of that is read again.
    return rows.typeOf({ type: draft.type, title: known.title, content: known.content });
  };
  for (let start = 0; start < drafts.length; start += AT_ONCE) {
    const part = drafts.slice(start, start + AT_ONCE);
    await Promise.all(part.map((draft, index) => prepare(draft, start + index)));
  }
  for (const draft of short) {
    await endLongTurn();
    await rows.prepareShort(draft);
  }
  return ahead;
}

// Stored releases with long texts, by their keys.
async function longTexts(ctx: Context, sourceId: string, keys: readonly ItemKeys[]) {
  if (keys.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['identity_key', 'source_hash', 'title', 'content'])
    .where('source_id', '=', sourceId)
    .where('identity_key', 'in', [...new Set(keys.map(({ key }) => key))])
    .where('content_chars', '>', MAX_INLINE_CHARS)
    .execute();
  return new Map(rows.map((row) => [row.identity_key, row]));
}
