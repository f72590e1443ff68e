// The repository that a package names, as an address that can be opened.
import { githubCoordinate } from '../urls.ts';
import { httpUrlOrNull } from './fields.ts';

const MAX_LENGTH = 2048;

export function repositoryUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null;
  const text = value.trim().replace(/#.*$/, '');
  const coordinate = githubCoordinate(text);
  // No owner has a dot: that is the host of another service.
  if (coordinate !== null && !coordinate.split('/', 1)[0]?.includes('.')) return `https://github.com/${coordinate}`;
  const short = /^(?<host>gitlab|bitbucket):(?<path>[\w.-]+(?:\/[\w.-]+)+)$/.exec(text)?.groups;
  if (short) return `https://${short.host}.${short.host === 'gitlab' ? 'com' : 'org'}/${short.path}`;
  const plain = text
    .replace(/^git\+/, '')
    .replace(/^(?:git|ssh):\/\/(?:[^@/]{1,100}@)?/, 'https://')
    .replace(/\.git$/, '');
  return httpUrlOrNull(plain);
}
