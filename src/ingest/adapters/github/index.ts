// The face of the folder: the adapter, and what others need to ask GitHub themselves.
export { fetchGithub } from './fetch-github.ts';
