// The face of the folder: the adapter, and what others need to ask GitHub themselves.
export { createGithubApi, type GithubApi } from './api.ts';
export { isBudgetLow } from './budget.ts';
export { fetchGithub } from './fetch-github.ts';
