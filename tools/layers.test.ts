import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkLayers } from './layers.ts';

function findings(files: Record<string, string>): string[] {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  return checkLayers(sources).map(({ path, line }) => `${path}:${line}`);
}

describe('layers', () => {
  const allowed: [file: string, text: string][] = [
    ['src/ingest/pipeline/a.ts', "import { b } from '../queue/b.ts';"],
    ['src/http/server.ts', "import { a } from '../catalog/a.ts';"],
    ['src/http/server.ts', "import type { a } from '../accounts/a.ts';\nimport { b } from '../context.ts';"],
    ['src/web/page.ts', "import { a } from '../http/kernel/a.ts';\nimport { b } from '../http/caching/b.ts';"],
    ['src/mcp/tools/list.ts', "import { a } from '../../http/kernel/a.ts';"],
    ['src/http/server.ts', "import { a } from './kernel/a.ts';\nimport { b } from './routes/b.ts';"],
    ['src/http/kernel/a.ts', "import { b } from '../caching/b.ts';"],
    ['src/ingest/run.ts', "import { a } from '../catalog/a.ts';\nimport { b } from '../webhooks/b.ts';"],
    ['src/store/open.ts', "import { a } from '../domain/a.ts';"],
    ['src/contract/org.ts', "import { a } from '../domain/a.ts';"],
    ['src/main.ts', "import { a } from './app.ts';\nimport { b } from './cli/b.ts';"],
    ['src/app.ts', "import { a } from './search/a.ts';\nimport { b } from './config.ts';"],
    ['src/context.ts', "import type { Ports } from './ports.ts';\nimport type { Store } from './store/store.ts';"],
    ['src/config.ts', 'const env = process.env;'],
    ['src/store/open.ts', "if (dialect.name === 'postgres') open();"],
    ['src/domain/ecosystems/index.ts', "if (ecosystem === 'npm') open();"],
    ['src/web/page.ts', "const example = { ecosystem: 'npm', name: 'lamp' };"],
    ['src/entities/orgs/list.ts', "import { a } from '../resolve.ts';\nimport { z } from 'zod';"],
    ['src/entities/a.test.ts', "import { b } from '../app.ts';"],
    ['src/domain/a.ts', "// import { b } from '../store/b.ts';"],
    ['src/domain/a.ts', "/* a note\nimport { b } from '../store/b.ts';\n*/"],
  ];
  for (const [file, text] of allowed) {
    it(`allows in ${file}: ${text.split('\n').join(' ')}`, () => {
      assert.deepEqual(findings({ [file]: text }), []);
    });
  }

  const refused: [file: string, text: string, line: number][] = [
    ['src/domain/a.ts', "import { b } from '../store/b.ts';", 1],
    ['src/entities/a.ts', "import { b } from '../http/b.ts';", 1],
    ['src/entities/a.ts', "import type { b } from '../search/b.ts';", 1],
    ['src/entities/a.ts', "import {\n  b,\n  c,\n} from '../search/b.ts';", 1],
    ['src/search/a.ts', "\nexport * from '../ingest/b.ts';", 2],
    ['src/search/a.ts', "const late = await import('../ingest/b.ts');", 1],
    ['src/search/a.ts', "import '../webhooks/b.ts';", 1],
    ['src/ingest/queue/a.ts', "import { b } from '../pipeline/b.ts';", 1],
    ['src/ingest/pipeline/a.ts', "import { b } from '../stray/b.ts';", 1],
    ['src/store/a.ts', "import type { Context } from '../context.ts';", 1],
    ['src/http/a.ts', "import { createApp } from '../app.ts';", 1],
    ['src/app.ts', "import { a } from './http/a.ts';", 1],
    ['src/config.ts', "import { a } from './store/a.ts';", 1],
    ['src/web/page.ts', "import { a } from '../http/routes/a.ts';", 1],
    ['src/mcp/tools/list.ts', "import { a } from '../../http/server.ts';", 1],
    ['src/http/kernel/a.ts', "import type { b } from '../../web/b.ts';", 1],
    ['src/http/server.ts', "import { b } from '../mcp/b.ts';", 1],
    ['src/http/kernel/a.ts', "import { b } from '../routes/b.ts';", 1],
    ['src/http/caching/a.ts', "import { b } from '../auth/b.ts';", 1],
    ['src/helpers/a.ts', 'export const a = 1;', 1],
    ['src/cli/a.ts', 'export const port = process.env.PORT;', 1],
    ['src/entities/a.ts', "\nif (ctx.store.dialect.name === 'sqlite') skip();", 2],
    ['src/web/page.ts', "const words = ecosystem === 'npm' ? 'npm' : 'PyPI';", 1],
    ['src/web/page.ts', "if ('pypi' !== ecosystem) skip();", 1],
    ['src/entities/a.ts', "\nsql`WHERE ecosystem = 'npm'`;", 2],
    ['src/cli/a.ts', 'const KEY = /^(?:npm|pypi):/;', 1],
    ['src/cli/a.ts', "type Ecosystem = 'npm' | 'pypi';", 1],
    ['src/cli/a.ts', "for (const one of ['npm', 'pypi']) ask(one);", 1],
    ['src/cli/a.ts', "switch (ecosystem) { case 'npm': ask(); }", 1],
  ];
  for (const [file, text, line] of refused) {
    it(`refuses in ${file}: ${text.trim().split('\n').join(' ')}`, () => {
      assert.ok(findings({ [file]: text }).includes(`${file}:${line}`));
    });
  }

  it('finds what leads from the client to the service, by whatever way', () => {
    const found = findings({
      'src/check/a.ts': "import { b } from '../net/b.ts';\nimport { r } from '../runtime/r.ts';",
      'src/cli/client/a.ts': "import { c } from '../c.ts';\nimport { v } from '../../version.ts';",
      'src/cli/c.ts': "export const late = () => import('../ingest/d.ts');",
      'src/cli/serve.ts': "import { d } from '../ingest/d.ts';",
      'src/net/b.ts': "\nimport type { e } from '../store/e.ts';",
      'src/ingest/d.ts': "import { e } from '../store/e.ts';",
    });

    assert.deepEqual(found, ['src/cli/c.ts:1', 'src/net/b.ts:2']);
  });

  it('finds a circle between folders of one layer', () => {
    const found = findings({
      'src/worker/a.ts': "import { b } from '../web/b.ts';",
      'src/web/b.ts': "import { c } from '../mcp/c.ts';",
      'src/mcp/c.ts': "import { a } from '../worker/a.ts';",
      'src/demo/d.ts': "import { a } from '../worker/a.ts';",
    });

    assert.deepEqual(found, ['src/worker/a.ts:1', 'src/web/b.ts:1', 'src/mcp/c.ts:1']);
  });
});
