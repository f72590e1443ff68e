// The path of an entry below the folder that every package has at its top (`package/`, `name-1.0/`); null for what lies
// nowhere inside of it. Names are only ever keys of a map, but a caller may compare or show them, so none leaves the archive.
export function memberPath(name: string): string | null {
  if (/[\0\\]/.test(name) || name.startsWith('/') || /^[A-Za-z]:/.test(name)) return null;
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..') || segments.length < 2) return null;
  return segments.slice(1).join('/');
}
