// Whether a typed version is the version of a release, as people write it: with or without `v`, with or without the package.
export function isSameVersion(stored: string, typed: string): boolean {
  const [a, b] = [normal(stored), normal(typed)];
  return a === b || (!b.includes('@') && numberOf(a) === b);
}

function normal(version: string): string {
  return numberWithoutV(version.trim().toLowerCase());
}

function numberOf(version: string): string {
  return numberWithoutV(version.slice(version.lastIndexOf('@') + 1));
}

function numberWithoutV(version: string): string {
  return version.replace(/^v(?=\d)/, '');
}
