// Declarations that nest deeper than a compiler is given them.
import { randomBytes } from 'node:crypto';

const LINKS = 2_000;

export const DEEP_DECLARATIONS: Readonly<Record<string, Record<string, string>>> = {
  brackets: { 'index.d.ts': `export declare const a: ${'['.repeat(20_000)}1${']'.repeat(20_000)};` },
  namespaces: { 'index.d.ts': `${'export declare namespace a {'.repeat(8_000)}${'}'.repeat(8_000)}` },
  literals: { 'index.d.ts': `export declare const a: ${'{a:'.repeat(20_000)}1${'}'.repeat(20_000)};` },
  'a chain of exports': Object.fromEntries(
    Array.from({ length: LINKS }, (_, at) => [
      at === 0 ? 'index.d.ts' : `${at}.d.ts`,
      at === LINKS - 1 ? 'export declare const a: 1;' : `export * from './${at + 1}';`,
    ]),
  ),
};

// The same without a bracket.
export const DEEP_OPERATORS = { 'index.d.ts': `export declare const a: ${'keyof '.repeat(20_000)}1;` };

// A package of such declarations; every one differs from the others. Noise keeps it from being refused for its ratio.
export function deepPackage(files: Record<string, string>, version: string): Record<string, string> {
  return {
    'package.json': JSON.stringify({ name: 'deep', version, types: 'index.d.ts' }),
    noise: randomBytes(50_000).toString('base64'),
    ...files,
    'index.d.ts': `${files['index.d.ts']}\nexport declare const v: '${version}';`,
  };
}
