// Listings of videos as sources. `address.ts` knows the address forms, `adapter.ts` is the adapter.
export { fetchVideo } from './adapter.ts';
