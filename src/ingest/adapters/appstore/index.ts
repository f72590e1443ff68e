// The face of the folder: the adapter, and how an app is named.
export { fetchAppstore } from './fetch-appstore.ts';
