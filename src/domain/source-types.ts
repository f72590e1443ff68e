// The source types and what the rules have to know of each. Every rule that depends on the type asks here; the adapter in
// `ingest/adapters/<type>` knows how a type is read. A new type is an entry here and such a folder.

interface SourceTypeInfo {
  // The name that pages show; null when the type has no other name.
  label: string | null;
  // The source is a repository of the code host: it has a coordinate, tags and changelog files, and a version names one
  // release.
  isRepository: boolean;
  // A source of this type that has a feed address is read from the feed.
  mayReadFeed: boolean;
  // The field of a manifest that names where the source is read.
  locator: 'github' | 'feed' | 'appstore' | 'url';
  // The numbers of a version say how large the step from the version before is.
  hasVersionSteps: boolean;
  // The same entry may appear again under another address.
  mayRepeatEntries: boolean;
  // Most releases say nothing but "bugs fixed", and so resemble those of every other org.
  hasRoutineNotes: boolean;
  // Which other sources of the same type may report the same launch.
  sharesLaunchesWith: 'any source' | 'the same repository' | 'no source';
  // The most releases of one source that go into an overview.
  releasesInOverview: number;
  // It cannot be read while no model is configured.
  needsModel: boolean;
  // The object in the JSON of a release that describes a source of this type further.
  details: 'appStore' | 'video' | null;
  // What creates a source after an evaluation recommended this type, where the recommended address is not enough.
  creation(found: EvaluatedSource): { url?: string; metadata?: Record<string, unknown> };
}

interface EvaluatedSource {
  recommendedMethod: string;
  recommendedUrl: string;
  finalUrl: string;
  feedUrl: string | null;
  feedType: string | null;
  appStore: { appId: string; platform: string; storefront: string; iconUrl: string | null } | null;
  video: { provider: string; feedUrl: string } | null;
}

function sourceType(facts: Partial<SourceTypeInfo>): SourceTypeInfo {
  return {
    label: null,
    isRepository: false,
    mayReadFeed: false,
    locator: 'url',
    hasVersionSteps: true,
    mayRepeatEntries: false,
    hasRoutineNotes: false,
    sharesLaunchesWith: 'any source',
    releasesInOverview: 20,
    needsModel: false,
    details: null,
    creation: () => ({}),
    ...facts,
  };
}

const TYPES = {
  github: sourceType({
    label: 'GitHub',
    isRepository: true,
    locator: 'github',
    sharesLaunchesWith: 'the same repository',
    releasesInOverview: 10,
  }),
  scrape: sourceType({
    label: 'Web page',
    mayReadFeed: true,
    mayRepeatEntries: true,
    creation: ({ recommendedMethod, recommendedUrl, finalUrl }) =>
      recommendedMethod === 'markdown' ? { url: finalUrl, metadata: { markdownUrl: recommendedUrl } } : {},
  }),
  feed: sourceType({
    label: 'Feed',
    mayReadFeed: true,
    locator: 'feed',
    creation: ({ finalUrl, feedUrl, feedType }) => ({ url: finalUrl, metadata: { feedUrl, feedType } }),
  }),
  agent: sourceType({ label: 'Curated', needsModel: true }),
  appstore: sourceType({
    label: 'App store',
    locator: 'appstore',
    hasVersionSteps: false,
    hasRoutineNotes: true,
    sharesLaunchesWith: 'no source',
    details: 'appStore',
    creation({ appStore }) {
      if (!appStore) return {};
      const { appId, platform, storefront, iconUrl } = appStore;
      return { metadata: { appId, appPlatform: platform, appStorefront: storefront, appIconUrl: iconUrl } };
    },
  }),
  video: sourceType({
    label: 'Video',
    hasVersionSteps: false,
    details: 'video',
    creation: ({ video }) => (video ? { metadata: { videoProvider: video.provider, videoFeed: video.feedUrl } } : {}),
  }),
} satisfies Record<string, SourceTypeInfo>;

export type SourceType = keyof typeof TYPES;

export const SOURCE_TYPES = Object.keys(TYPES) as readonly SourceType[];

// The facts of a stored type. An unknown type throws, because only a fault of the program can store one.
export function factsOf(type: string): SourceTypeInfo {
  const facts = Object.hasOwn(TYPES, type) ? TYPES[type as SourceType] : undefined;
  if (!facts) throw new Error(`unknown source type ${type}`);
  return facts;
}

interface ReadableSource {
  type: string;
  github_coordinate: string | null;
  feed_url: string | null;
}

// The type whose adapter reads the source: a coordinate or a feed address comes before the type of the source itself.
export function readerOf({ type, github_coordinate, feed_url }: ReadableSource): SourceType {
  if (github_coordinate !== null) return 'github';
  return feed_url !== null && factsOf(type).mayReadFeed ? 'feed' : (type as SourceType);
}

// The type of a source that was created without one.
export function inferredType(source: Omit<ReadableSource, 'type'>): SourceType {
  return readerOf({ ...source, type: 'scrape' });
}
