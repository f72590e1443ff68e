// What a lookup needs from the rest of ingest.
import type { Context, WriteContext } from '../../context.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { Proofs } from '../adapters/proofs.ts';

export interface LookupPorts {
  repository: Proofs['repository'];
  // Reads the source now and stores what it finds, without events; what is left is a later job's. False: the code host
  // did not let itself be read.
  read(ctx: Context, source: SourceRow): Promise<boolean>;
  // Orders another reading, in the transaction of the caller.
  refresh(ctx: WriteContext, source: SourceRow): Promise<void>;
  // Resolves when a caller has waited long enough.
  patience(): { over: Promise<void>; cancel(): void };
}

export type LookupContext = Context & { lookups: LookupPorts };
