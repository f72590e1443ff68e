import { parseVersion, versionInProse } from '../../../domain/versions/index.ts';

// The version that a title announces. A title that is one package and version is taken as written.
export function versionOfTitle(title: string, names: readonly string[]): string | null {
  const whole = /^\S+@v?\d[^\s@]*$/.test(title) ? parseVersion(title) : null;
  if (whole?.sortKey) return title;
  return versionInProse(title, names);
}
