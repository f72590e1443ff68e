// The person's own access to a code host, by the variables that jobs and tools of GitHub set.
import { type CodeHost, codeHostAt, GITHUB, plainAddress } from '../../domain/code-hosts/hosts.ts';
import type { Environment } from '../npmrc/settings.ts';

export function tokenOf({ GITHUB_TOKEN, GH_TOKEN }: Environment): string | null {
  const token = (GITHUB_TOKEN || GH_TOKEN || '').trim();
  // What would end the header is no token.
  return /^[\x21-\x7e]{1,500}$/.test(token) ? token : null;
}

// The GitHub whose token it is: `GITHUB_API_URL` names another than the public one.
export function ownGithub({ GITHUB_API_URL, GITHUB_SERVER_URL }: Environment): CodeHost & { isNamed: boolean } {
  const api = plainAddress(GITHUB_API_URL ?? '') ?? GITHUB.api;
  if (api === GITHUB.api) return { ...GITHUB, isNamed: false };
  const { origin } = new URL(api);
  const web = plainAddress(GITHUB_SERVER_URL ?? '') ?? origin.replace('://api.', '://');
  return { ...codeHostAt('github', web), api, isNamed: true };
}
