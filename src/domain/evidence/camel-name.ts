// The name that most people give to what a package exports: `reactQuery` for `@tanstack/react-query`.
export function camelName(packageName: string): string {
  return packageName
    .replace(/^@[^/]+\//, '')
    .replace(/\.js$/, '')
    .replace(/[-._]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
