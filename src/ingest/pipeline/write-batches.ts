// Writes drafts through the write path of the catalog, in batches that fit a transaction.
import { ownAddresses, type WriteDrafts, writeDrafts } from '../../catalog/releases/write-drafts.ts';
import type { WriteContext } from '../../context.ts';
import { type ItemKeys, identityKeySteps } from '../../domain/release-identity.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { inTurns } from '../../threads/turns.ts';

const MOST_IN_A_TRANSACTION = 500;

type IdentifiedDrafts = Pick<WriteDrafts, 'drafts'> & { keys: readonly ItemKeys[] };

// Batches in order. A document whose items can only be identified together is not split.
export async function inBatches({ drafts, keys }: IdentifiedDrafts, source: SourceRow): Promise<IdentifiedDrafts[]> {
  if (drafts.length <= MOST_IN_A_TRANSACTION) return [{ drafts, keys }];
  const batches: IdentifiedDrafts[] = [];
  for (let start = 0; start < drafts.length; start += MOST_IN_A_TRANSACTION) {
    const end = start + MOST_IN_A_TRANSACTION;
    batches.push({ drafts: drafts.slice(start, end), keys: keys.slice(start, end) });
  }
  const own = ownAddresses(source);
  const apart: ItemKeys[] = [];
  for (const batch of batches) apart.push(...(await inTurns(identityKeySteps(batch.drafts, own))));
  return keys.every(({ key }, index) => key === apart[index]?.key) ? batches : [{ drafts, keys }];
}

export class WriteTally {
  updated = 0;
  announced = 0;
  heldBack = false;
  insertedIds: string[] = [];

  copy(): WriteTally {
    return Object.assign(new WriteTally(), this, { insertedIds: [...this.insertedIds] });
  }
}

// Adds the results to the tally.
export async function writeBatch(ctx: WriteContext, write: WriteDrafts, tally: WriteTally): Promise<WriteTally> {
  const written = await writeDrafts(ctx, write);
  tally.insertedIds.push(...written.insertedIds);
  tally.updated += written.updated;
  tally.announced += written.announced;
  tally.heldBack ||= written.heldBack;
  return tally;
}
