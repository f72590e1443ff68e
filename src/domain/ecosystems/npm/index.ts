import type { EcosystemFacts } from '../facts.ts';
import { compareSemanticVersions, readSemanticVersion } from './compare-versions.ts';

const packagePage = (name: string) => `https://www.npmjs.com/package/${name}`;

export const NPM = {
  words: 'npm',
  foldName: (name: string) => name,
  // Old names have capital letters and are found by them alone.
  possibleName: /^(?:@[a-z0-9~][\w.~-]*\/)?[\w~][\w.~!'()*-]*$/i,
  publishedName: /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/,
  keepsCapitals: true,
  hasScopes: true,
  packagePage,
  versionPage: (name, version) => `${packagePage(name)}/v/${encodeURIComponent(version)}`,
  installCommand: (name, version) => `npm install ${name}@${version}`,
  hasTags: true,
  language: 'javascript',
  isCompared: true,
  isImported: true,
  settingsFile: '.npmrc',
  publicHosts: ['registry.npmjs.org', 'registry.yarnpkg.com'],
  archiveHost: 'registry.npmjs.org',
  lockfiles: ['package.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'],
  manifests: ['package.json'],
  advisories: 'npm',
  compareVersions: compareSemanticVersions,
  isStableVersion: (version: string) => readSemanticVersion(version)?.pre.length === 0,
  releaseLine: (version: string) => {
    const [major, minor] = readSemanticVersion(version)?.numbers ?? [];
    return major === undefined ? null : major === 0n ? `0.${minor}` : String(major);
  },
  datasource: 'npm',
} as const satisfies EcosystemFacts;
