// Writes drafts through the one write path, in pieces that a transaction can bear.
import { type WriteDrafts, writeDrafts } from '../../catalog/releases/write-drafts.ts';
import type { WriteContext } from '../../context.ts';
import { identityKeys } from '../../domain/identity.ts';
import type { SourceRow } from '../../store/schema.ts';
import { type FetchedDraft, ownAddresses } from './prepare.ts';

const MOST_IN_A_TRANSACTION = 500;

/** In order. A document whose items are told apart only by looking at all of them is not split. */
export function inBatches(drafts: readonly FetchedDraft[], source: SourceRow): FetchedDraft[][] {
  if (drafts.length <= MOST_IN_A_TRANSACTION) return [[...drafts]];
  const batches: FetchedDraft[][] = [];
  for (let start = 0; start < drafts.length; start += MOST_IN_A_TRANSACTION) {
    batches.push(drafts.slice(start, start + MOST_IN_A_TRANSACTION));
  }
  const own = ownAddresses(source);
  const together = identityKeys(drafts, own);
  const apart = batches.flatMap((batch) => identityKeys(batch, own));
  return together.every((keys, index) => keys.key === apart[index]?.key) ? batches : [[...drafts]];
}

export class Tally {
  updated = 0;
  announced = 0;
  heldBack = false;
  insertedIds: string[] = [];

  copy(): Tally {
    return Object.assign(new Tally(), this, { insertedIds: [...this.insertedIds] });
  }
}

export async function writeBatch(
  ctx: WriteContext,
  drafts: readonly FetchedDraft[],
  how: Omit<WriteDrafts, 'drafts'>,
  tally: Tally,
): Promise<Tally> {
  const written = await writeDrafts(ctx, { ...how, drafts });
  tally.insertedIds.push(...written.insertedIds);
  tally.updated += written.updated;
  tally.announced += written.announced;
  tally.heldBack ||= written.heldBack;
  return tally;
}
