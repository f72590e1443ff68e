// The packages as a folder sees them: by the `.npmrc` of the folder and of the person, and the caches of the person.
import { type CheckCache, openCache } from '../cache.ts';
import { type Environment, type NpmSettings, readNpmSettings } from '../npmrc/settings.ts';
import { openPackageSource, type PackageSource } from './source.ts';

interface FolderInput {
  folder: string;
  env: Environment;
  signal: AbortSignal;
  isOffline: boolean;
  isDated?: boolean;
}

export interface FolderSource {
  source: PackageSource;
  settings: NpmSettings;
  cache: CheckCache;
}

export function openFolderSource({ folder, ...input }: FolderInput): FolderSource {
  const settings = readNpmSettings({ folder, env: input.env });
  const cache = openCache(input.env);
  return { settings, cache, source: openPackageSource({ settings, cache, ...input }) };
}
