// Where package registries show a package to people.
import type { PackageName } from './upgrade/asked.ts';

// A scope and its name stay readable in the address.
export function packagePage({ ecosystem, name }: PackageName): string {
  return ecosystem === 'npm' ? `https://www.npmjs.com/package/${name}` : `https://pypi.org/project/${name}/`;
}

export function versionPage(named: PackageName, version: string): string {
  const page = packagePage(named);
  const encoded = encodeURIComponent(version);
  return named.ecosystem === 'npm' ? `${page}/v/${encoded}` : `${page}${encoded}/`;
}
