export const ECOSYSTEMS = ['npm', 'pypi'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

// The spelling under which a package registry itself would find the package.
export function normalizePackageName(ecosystem: Ecosystem, name: string): string {
  const folded = name.trim().toLowerCase();
  return ecosystem === 'pypi' ? folded.replace(/[-_.]+/g, '-') : folded;
}
