// What the rules have to know of a package ecosystem. A new one is a folder beside this file that fills these facts, and an
// entry in `table.ts`; the compiler then asks for its readers.
export interface EcosystemFacts {
  // Its name as people write it.
  words: string;
  // The key of a name, by which spellings of one package are the same. The name comes trimmed and in small letters.
  foldName(name: string): string;
  // What a name may look like as people spell it, and as the key of a package that is published.
  possibleName: RegExp;
  publishedName: RegExp;
  // Its registry finds a package by the capitals of its name alone.
  keepsCapitals: boolean;
  // Names may begin with the scope of their owner: `@acme/forms`. Private registries have whole scopes.
  hasScopes: boolean;
  // Where its registry shows a package to people. A scope and its name stay readable in the address.
  packagePage(name: string): string;
  versionPage(name: string, version: string): string;
  installCommand(name: string, version: string): string;
  // A listing has tags, which say what `latest` means; elsewhere that is the highest stable version that was not taken back.
  hasTags: boolean;
  // How the code of its packages, and of those who use them, is read.
  language: 'javascript' | 'python';
  // Two published versions are compared with each other.
  isCompared: boolean;
  // Installed packages are imported with the changelogs in them.
  isImported: boolean;
  // The file in which people name other registries; null where only the public one is asked.
  settingsFile: string | null;
  // Hosts that have what everybody may see.
  publicHosts: readonly string[];
  // The one of them that has the archives.
  archiveHost: string;
  // The formats of files that tell which versions a project has.
  lockfiles: readonly string[];
  // Files that tell under which name a repository publishes.
  manifests: readonly string[];
  // What advisories call it.
  advisories: string;
  // Negative, zero or positive; null where one of the two is no version of this ecosystem.
  compareVersions(one: string, other: string): number | null;
  isStableVersion(version: string): boolean;
  // Versions of one line are meant to fit each other: the same major, and below 1.0 the same minor.
  releaseLine(version: string): string | null;
  // What update bots call its registry.
  datasource: string;
}
