import type { EcosystemFacts } from '../facts.ts';
import { comparePythonVersions, readPythonVersion } from './compare-versions.ts';

const packagePage = (name: string) => `https://pypi.org/project/${name}/`;

export const PYPI = {
  words: 'PyPI',
  foldName: (name: string) => name.replace(/[-_.]+/g, '-'),
  possibleName: /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i,
  publishedName: /^(?:[a-z0-9]|[a-z0-9][a-z0-9-]*[a-z0-9])$/,
  keepsCapitals: false,
  hasScopes: false,
  packagePage,
  versionPage: (name, version) => `${packagePage(name)}${encodeURIComponent(version)}/`,
  installCommand: (name, version) => `pip install ${name}==${version}`,
  hasTags: false,
  language: 'python',
  isCompared: true,
  isImported: false,
  settingsFile: null,
  publicHosts: ['pypi.org', 'files.pythonhosted.org'],
  archiveHost: 'files.pythonhosted.org',
  lockfiles: ['requirements.txt', 'poetry.lock', 'pdm.lock', 'uv.lock'],
  manifests: ['pyproject.toml', 'setup.cfg'],
  advisories: 'PyPI',
  compareVersions: comparePythonVersions,
  isStableVersion: (version: string) => readPythonVersion(version)?.isPrerelease === false,
  releaseLine: (version: string) => {
    const { epoch, release } = readPythonVersion(version) ?? {};
    if (epoch === undefined || release === undefined) return null;
    const [major = 0n, minor = 0n] = release;
    return [epoch, major, ...(major === 0n ? [minor] : [])].join('.');
  },
  datasource: 'pypi',
} as const satisfies EcosystemFacts;
