// What the compiler was not given, in words.
const MAX_SHOWN = 5;
const MAX_NAME_LENGTH = 100;

// Installed packages by name, files of the project by path.
export function unreadWords(all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const rest = all.length > MAX_SHOWN ? ` and ${all.length - MAX_SHOWN} more` : '';
  const names = all.slice(0, MAX_SHOWN).map((name) => name.slice(0, MAX_NAME_LENGTH));
  return [`the types of ${names.join(', ')}${rest}, nested too deeply for the compiler`];
}
