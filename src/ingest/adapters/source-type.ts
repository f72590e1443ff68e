// The descriptor that the folder of a source type exports: how a source of the type is read, whose host that takes, and how
// an address is recognised. What the rules know of the type stands in `domain/source-types.ts`.
import type { Config } from '../../config.ts';
import type { Evaluation } from '../../contract/evaluate.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { Adapter, AdapterContext, AdapterInput, Item } from './contract.ts';
import type { Findings } from './findings.ts';
import type { ProvingContext, Unproven } from './proofs.ts';

export type Upstream = Config['upstream'];

export type LocatedSource = Pick<SourceRow, 'type' | 'url' | 'github_coordinate' | 'feed_url' | 'video_provider'>;

export interface SourceTypeDescriptor {
  // Loads the rest of the folder when the first source of the type is read.
  fetch: Adapter;
  // The address that a fetch asks first: the fetch takes the turn of its host.
  address(source: LocatedSource, upstream: Upstream): string;
  // For types that are known by their addresses alone; every other address is looked at as a page.
  evaluation?: {
    recognizes(url: string, upstream: Upstream): boolean;
    evaluate(ctx: ProvingContext, url: string): Promise<Findings | Unproven>;
  };
  // With what a source is created after an evaluation recommended this type; without it the recommended address is enough.
  creation?(found: Evaluation): { url?: string; metadata?: Record<string, unknown> };
  // All sources of the type are read under one quota, so a refusal is no fault of the single source.
  sharesBudget?: boolean;
  // Whatever the document shows is whole, although older releases have left it.
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
