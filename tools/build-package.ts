// Writes `dist/`, the program as plain JavaScript: Node strips no types from files below `node_modules`, so the package that
// others install cannot hold the sources. Run by npm before it packs; `dist/` is not part of the repository.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
// What only tests and readers of the sources use.
const LEFT_OUT = /\.(?:test|fixture|d)\.ts$|(?:^|\/)README\.md$|(?:^|\/)verdict-set\//;

// Returns how many files were written.
export function buildPackage({ source, target }: { source: string; target: string }): number {
  rmSync(target, { recursive: true, force: true });
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !LEFT_OUT.test(name) && statSync(join(source, name)).isFile());
  for (const name of files) {
    const [from, to] = [join(source, name), join(target, name.replace(/\.ts$/, '.js'))];
    mkdirSync(dirname(to), { recursive: true });
    if (name.endsWith('.ts')) writeFileSync(to, asJavaScript(readFileSync(from, 'utf8')));
    else copyFileSync(from, to);
  }
  return files.length;
}

// Lines and columns stay where they are, so that stack traces lead to the sources.
export function asJavaScript(text: string): string {
  return stripTypeScriptTypes(text).replace(
    /(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]+)\.ts\2/g,
    (_, keyword: string, quote: string, path: string) => `${keyword}${quote}${path}.js${quote}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const count = buildPackage({ source: join(ROOT, 'src'), target: join(ROOT, 'dist') });
  console.error(`dist: ${count} files`);
}
