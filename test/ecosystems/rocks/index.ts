// An ecosystem that nobody has, to see that one folder and one entry are enough.

import type { EcosystemFacts } from '../../../src/domain/ecosystems/facts.ts';
import { compareSemanticVersions } from '../../../src/domain/ecosystems/npm/compare-versions.ts';

export const ROCKS = {
  words: 'Rockpile',
  foldName: (name: string) => name.replace(/:+/g, '-'),
  possibleName: /^[a-z]+(?:(?:-|::)[a-z]+)*$/i,
  publishedName: /^[a-z]+(?:-[a-z]+)*$/,
  keepsCapitals: false,
  hasScopes: false,
  packagePage: (name: string) => `https://rocks.example/${name}`,
  versionPage: (name, version) => `https://rocks.example/${name}#${version}`,
  installCommand: (name, version) => `rock add ${name} ${version}`,
  hasTags: false,
  language: 'python',
  isCompared: false,
  isImported: false,
  settingsFile: null,
  publicHosts: ['rocks.example'],
  archiveHost: 'rocks.example',
  lockfiles: ['rocks.lock'],
  manifests: ['rocks.toml'],
  advisories: 'Rockpile',
  compareVersions: compareSemanticVersions,
  isStableVersion: (version: string) => !version.includes('-'),
  releaseLine: (version: string) => version.split('.')[0] ?? null,
  datasource: 'rockpile',
} as const satisfies EcosystemFacts;
