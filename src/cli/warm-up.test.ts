import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { warmUp } from './warm-up.ts';

it('what a start leaves out is loaded later, unless the service stops before', async () => {
  const loaded: string[] = [];
  const early = warmUp(0, [() => loaded.push('early')]);
  const late = warmUp(1, [() => loaded.push('first'), () => loaded.push('second')]);
  early.stop();
  await late.done;
  assert.deepEqual(loaded, ['first', 'second']);
  await warmUp(0).done;
});

it('the start of the web server leaves out the SDK of MCP, sign-in, public suffixes, fetching and migrations', () => {
  const { files, packages } = loadedWith(new URL('web-server.ts', import.meta.url).href);
  assert.ok(files.size > 500 && packages.has('zod'), 'the imports are followed');
  const late = [...packages].filter((name) => /^(?:@modelcontextprotocol|better-auth|tldts)\b/.test(name));
  assert.deepEqual(late, []);
  // What is needed only to fetch, and statements that were applied long ago.
  const fetching = [...files].filter((file) => /\/ingest\/(?:pipeline|lookups)\/|\/migrations\/\d/.test(file));
  assert.deepEqual(fetching, []);
});

// All that is loaded before the first line of a module runs. Imports of types alone are not.
function loadedWith(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const code = readFileSync(fileURLToPath(file), 'utf8');
    for (const [, names = '', path = ''] of code.matchAll(/^(?:im|ex)port\b([^'";]*?)\bfrom '([^']+)';$/gm)) {
      const isOfTypes = /^ type\b/.test(names) || /^ \{(?:\s*type \w+(?: as \w+)?,?)+\s*\} $/.test(names);
      if (isOfTypes) continue;
      if (path.startsWith('.')) files.add(new URL(path, file).href);
      else packages.add(path);
    }
  }
  return { files, packages };
}
