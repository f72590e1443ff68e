// Writes drafts through the one write path, in pieces that a transaction can bear.
import { changeListing } from '../../catalog/releases/change-listing.ts';
import { type WriteDrafts, writeDrafts } from '../../catalog/releases/write-drafts.ts';
import type { WriteContext } from '../../context.ts';
import { identityKeys } from '../../domain/identity.ts';
import type { SourceRow } from '../../store/schema.ts';
import { type FetchedDraft, ownAddresses } from './prepare.ts';

export const MOST_IN_A_TRANSACTION = 500;

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
  const shown = drafts.filter((draft) => draft.suppressedReason === undefined);
  const hidden = drafts.filter((draft) => draft.suppressedReason !== undefined);
  if (shown.length > 0) count(tally, await writeDrafts(ctx, { ...how, drafts: shown }));
  if (hidden.length === 0) return tally;
  // Nobody is told of what is never shown. Later sights leave the decision of an operator alone.
  const written = await writeDrafts(ctx, { ...how, drafts: hidden, announce: false, silent: true });
  count(tally, written);
  for (const { index, id, outcome } of written.items) {
    if (outcome !== 'inserted' || id === null) continue;
    await changeListing(ctx, id, { suppressed: 1, suppressed_reason: hidden[index]?.suppressedReason ?? null });
  }
  return tally;
}

function count(tally: Tally, written: Awaited<ReturnType<typeof writeDrafts>>): void {
  tally.insertedIds.push(...written.insertedIds);
  tally.updated += written.updated;
  tally.announced += written.announced;
  tally.heldBack ||= written.heldBack;
}
