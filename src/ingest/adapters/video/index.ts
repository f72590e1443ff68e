// Listings of videos as sources. `address.ts` knows the address forms, `adapter.ts` is the adapter.
export { fetchVideo } from './adapter.ts';
export { readVideoAddress, type VideoAddress, type VideoProvider } from './address.ts';
export { type ListingFeed, listingFeed } from './listing-feed.ts';
