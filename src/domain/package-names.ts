export const ECOSYSTEMS = ['npm', 'pypi'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

// The spelling under which a package registry itself would find the package.
export function normalizePackageName(ecosystem: Ecosystem, name: string): string {
  const folded = name.trim().toLowerCase();
  return ecosystem === 'pypi' ? folded.replace(/[-_.]+/g, '-') : folded;
}

// The page of a package below the address of the site. The `@` and the slash of a scoped name stay readable.
export function packageAddress(ecosystem: string, name: string): string {
  return `/packages/${ecosystem}/${name.split('/').map(encodeURIComponent).join('/').replace('%40', '@')}`;
}
