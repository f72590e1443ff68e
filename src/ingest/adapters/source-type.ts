// The descriptor that the folder of a source type exports: how a source of the type is read, whose host that takes, and how
// an address is recognised. What the rules know of the type stands in `domain/source-types.ts`.
import type { Config } from '../../config.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { Adapter, AdapterContext, AdapterInput, Item } from './contract.ts';
import type { Findings } from './findings.ts';
import type { ProvingContext, Unproven } from './proofs.ts';

export type Upstream = Config['upstream'];

export type LocatedSource = Pick<SourceRow, 'type' | 'url' | 'github_coordinate' | 'feed_url' | 'video_provider'>;

export interface SourceTypeDescriptor {
  // Imports the rest of the folder when the first source of the type is read.
  fetch: Adapter;
  // The address that a fetch requests first; the host queue is that of its host.
  address(source: LocatedSource, upstream: Upstream): string;
  // Only for types that are recognised by their address alone; every other address is evaluated as a page.
  evaluation?: {
    recognizes(url: string, upstream: Upstream): boolean;
    evaluate(ctx: ProvingContext, url: string): Promise<Findings | Unproven>;
  };
  // All sources of the type share one quota, so throttling is no failure of a single source.
  sharesBudget?: boolean;
  // Shown entries are whole, although older releases are no longer listed.
  showsWholeEntries?: boolean;
  // Whether the items only announce articles, whose text is then read from their pages.
  onlyAnnounces?(items: readonly Item[]): boolean;
  // Finds the address that the source has moved to after it failed for good.
  rediscover?(
    ctx: AdapterContext,
    input: Pick<AdapterInput, 'source' | 'names' | 'known'> & { newestStored: string | null },
  ): Promise<Rediscovery | null>;
}

export interface Rediscovery {
  sourceChanges: Partial<SourceRow>;
  note: string;
}
