// The source types as adapters. Every type of `domain/source-types.ts` has its entry here, or the program does not compile.
import { readerOf, type SourceType } from '../../domain/source-types.ts';
import { agent } from './agent/index.ts';
import { appstore } from './appstore/index.ts';
import { NO_HOST } from './contract.ts';
import { feed } from './feed/index.ts';
import { github } from './github/index.ts';
import { scrape } from './scrape/index.ts';
import type { LocatedSource, SourceTypeDescriptor, Upstream } from './source-type.ts';
import { video } from './video/index.ts';

export const SOURCE_TYPE_DESCRIPTORS: Readonly<Record<SourceType, SourceTypeDescriptor>> = {
  github,
  scrape,
  feed,
  agent,
  appstore,
  video,
};

// The host that a fetch of the source talks to, and whose turn it therefore takes.
export function hostOf(source: LocatedSource, upstream: Upstream): string {
  const { address } = SOURCE_TYPE_DESCRIPTORS[readerOf(source)];
  return URL.parse(address(source, upstream))?.host ?? NO_HOST;
}
