// What one request with a long body blocks, over HTTP.

import { warmUp } from '../../src/cli/warm-up.ts';
import { openWebServer } from '../../src/cli/web-server.ts';
import type { Context } from '../../src/context.ts';
import { MAX_FILE_CHARACTERS } from '../../src/domain/upgrade/lockfiles/upgrades.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import type { Figure } from '../figures.ts';
import { longestBlock } from './event-loop.ts';
import { type Block, blockFigures } from './figures.ts';
import type { Outside } from './outside.ts';

const FILES_LIMIT = MAX_FILE_CHARACTERS - 1_000;
const BATCH_LIMIT = 8 * 1024 * 1024 - 1_000;
const TOOL_LIMIT = 256 * 1024 - 1_000;

function filled(size: number, head: string, unit: (index: number) => string, tail: string): string {
  const parts: string[] = [];
  let length = head.length + tail.length;
  for (let index = 0; ; index += 1) {
    const part = unit(index);
    length += part.length;
    if (length > size) break;
    parts.push(part);
  }
  return head + parts.join('') + tail;
}

// The text of a file up to a size.
const FILES: Record<string, (size: number, version: number) => string> = {
  'package-lock.json': (size, version) =>
    filled(
      size,
      '{"lockfileVersion":3,"packages":{',
      (at) => `"node_modules/p${at}":{"version":"${version}.0.0"},`,
      '"":{}}}',
    ),
  'package.json': (size) => filled(size, '{"dependencies":{', (at) => `"p${at}":"^1.0.0",`, '"p":"1"}}'),
  'pnpm-lock.yaml': (size, version) =>
    filled(
      size,
      "lockfileVersion: '9.0'\n\npackages:\n",
      (at) => `\n  p${at}@${version}.0.0:\n    resolution: {integrity: a}\n`,
      '',
    ),
  'yarn.lock': (size, version) =>
    filled(size, '# yarn lockfile v1\n\n', (at) => `p${at}@^1.0.0:\n  version "${version}.0.0"\n\n`, ''),
  'bun.lock': (size, version) =>
    filled(size, '{"lockfileVersion":1,"packages":{', (at) => `"p${at}":["p${at}@${version}.0.0"],`, '}}'),
  'requirements.txt': (size, version) => filled(size, '', (at) => `p${at}==${version}.0.0\n`, ''),
  'poetry.lock': (size, version) =>
    filled(size, '', (at) => `[[package]]\nname = "p${at}"\nversion = "${version}.0.0"\n\n`, ''),
  'empty lists': (size) => filled(size, '{"lockfileVersion":3,"packages":{"a":[', () => '[],', '[]]}}'),
  'not closed': (size) => filled(size, '{"lockfileVersion":3,"packages":', () => '{"a":', ''),
  spaces: (size) => filled(size, '', () => ' \n', 'a'),
};

const DIFF_HEAD = 'diff --git a/yarn.lock b/yarn.lock\n--- a/yarn.lock\n+++ b/yarn.lock\n@@ -1,1 +1,1 @@\n';
const DIFFS: Record<string, (size: number) => string> = {
  'a diff': (size) => filled(size, DIFF_HEAD, (at) => ` p${at}@^1.0.0:\n-  version "1.0.0"\n+  version "2.0.0"\n`, ''),
  'a diff of many files': (size) =>
    filled(
      size,
      '',
      (at) =>
        `diff --git a/${at}/yarn.lock b/${at}/yarn.lock\n--- a/${at}/yarn.lock\n+++ b/${at}/yarn.lock\n@@ -1,1 +1,1 @@\n-a\n+b\n`,
      '',
    ),
};

// Calls that find something: the releases of the batches are of this source.
const CALLS: Record<string, (at: number, sourceId: string) => Record<string, unknown>> = {
  search: (at) => ({ query: `bug in the cache ${at}` }),
  latest_releases: (_, source) => ({ source, limit: 20 }),
  whats_changed: (at, source) => ({ package: source, from: `1.${at}.0`, to: '1.499.0' }),
};

interface Sent {
  name: string;
  kind: string;
  path: string;
  type: string;
  body: string;
  // Sent with the root key, because a visitor may not send it, or only a few of it in a minute.
  asOperator?: boolean;
}

const FORM_PATH = '/whats-changed';
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

export async function benchRequests(ctx: Context, outside: Outside): Promise<Figure[]> {
  const server = await openWebServer(ctx);
  try {
    // Of a service that has just started, it would come in the middle of some request.
    await warmUp(0).done;
    const { id } = await createSource(ctx, { name: 'Requests', url: 'https://acme.example/requests', type: 'feed' });
    const short = Map.groupBy(requests(id, 0.05), ({ name }) => name);
    const figures: Figure[] = [];
    for (const [name, long] of Map.groupBy(requests(id, 1), ({ name }) => name)) {
      // Right before, because code that was not run for a while is compiled again.
      await blocksOf(
        server,
        outside,
        (short.get(name) ?? []).filter((_, index) => long.length < 10 || index % 5 === 0),
      );
      figures.push(blockFigures(name, await blocksOf(server, outside, long)));
    }
    return figures;
  } finally {
    await server.close({ drain: false });
  }
}

type WebServer = Awaited<ReturnType<typeof openWebServer>>;

async function blocksOf({ url, rootKey }: WebServer, outside: Outside, sent: readonly Sent[]): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const [index, { kind, path, type, body, asOperator }] of sent.entries()) {
    const headers = {
      // Another client each time, because one may send a few forms a minute.
      'X-Forwarded-For': `203.0.113.${index % 250}`,
      'Content-Type': type,
      Accept: 'application/json, text/event-stream',
      ...(asOperator ? { Authorization: `Bearer ${rootKey?.value ?? ''}` } : {}),
    };
    const request = { url: url + path, method: 'POST', headers, body: Buffer.from(body) };
    const { result: status, ...block } = await longestBlock(() => outside.send(request));
    blocks.push({ ...block, kind: `${kind}, answered with ${status}` });
  }
  return blocks;
}

// `share` of the largest body that each route takes.
function requests(sourceId: string, share: number): Sent[] {
  const files: Omit<Sent, 'name' | 'path'>[] = [];
  for (const [kind, make] of Object.entries(FILES)) {
    const [before, after] = [make((share * FILES_LIMIT) / 2, 1), make((share * FILES_LIMIT) / 2, 2)];
    files.push({ kind: `two of ${kind}`, type: FORM, body: formOf({ old_text: before, new_text: after }) });
    const none = make(100, 1);
    files.push({
      kind: `${kind} out of nothing`,
      type: FORM,
      body: formOf({ old_text: none, new_text: make(share * FILES_LIMIT - 200, 2) }),
    });
    files.push({
      kind: `${kind} as JSON`,
      type: JSON_TYPE,
      body: JSON.stringify({ text: make(share * FILES_LIMIT, 1) }),
    });
  }
  for (const [kind, make] of Object.entries(DIFFS)) {
    files.push({ kind, type: FORM, body: formOf({ text: make(share * FILES_LIMIT) }) });
  }
  const read = filled(
    share * FILES_LIMIT,
    '{"kind":"diff","upgrades":[],"omitted":0,"others":[',
    (at) => `{"ecosystem":"npm","name":"p${at}","from":null,"to":"1.0.0","reason":"added"},`,
    '{}]}',
  );
  files.push({ kind: 'a report sent back', type: FORM, body: formOf({ read }) });
  const filesLimit = share * 3 * FILES_LIMIT;
  files.push({ kind: 'many fields', type: FORM, body: filled(filesLimit, '', (at) => `f${at}=a&`, 'text=a') });
  files.push({ kind: 'nested JSON', type: JSON_TYPE, body: filled(filesLimit, '{"text":[', () => '[],', '[]]}') });
  const boundary = 'b';
  files.push({
    kind: 'many parts',
    type: `multipart/form-data; boundary=${boundary}`,
    body: filled(
      filesLimit,
      '',
      (at) => `--${boundary}\r\nContent-Disposition: form-data; name="f${at}"\r\n\r\na\r\n`,
      `--${boundary}--\r\n`,
    ),
  });

  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      version: `1.${at}.0`,
      content: filled((share * BATCH_LIMIT) / count - 200, '', () => '- Fixed a bug in the cache of the server\\n', ''),
    }));
  const batches = [
    ...[1, 8, 500].map((count) => ({ kind: `${count} releases`, body: JSON.stringify({ releases: rows(count) }) })),
    { kind: 'empty lists', body: filled(share * BATCH_LIMIT, '{"releases":[', () => '[],', '[]]}') },
    { kind: 'empty rows', body: filled(share * BATCH_LIMIT, '{"releases":[', () => '{},', '{}]}') },
  ];
  const calls = [
    { kind: 'a long argument', body: JSON.stringify(toolCall({ query: 'a '.repeat((share * TOOL_LIMIT) / 2) })) },
    {
      kind: 'nested lists',
      body: filled(
        share * TOOL_LIMIT,
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":[',
        () => '[],',
        '[]]}}}',
      ),
    },
    {
      kind: 'many calls',
      body: filled(share * TOOL_LIMIT, '[', () => '{"jsonrpc":"2.0","id":1,"method":"ping"},', '{}]'),
    },
  ];
  const manyCalls = Object.entries(CALLS).map(([tool, args]) => ({
    kind: tool,
    body: JSON.stringify(
      Array.from({ length: Math.ceil(100 * share) }, (_, at) => toolCall(args(at, sourceId), tool, at)),
    ),
  }));
  const toTools = { path: '/mcp', type: JSON_TYPE };
  const toBatch = { path: `/v1/sources/${sourceId}/releases/batch`, type: JSON_TYPE, asOperator: true };
  return [
    ...files.map((file) => ({ ...file, name: 'files of a project in a form', path: FORM_PATH })),
    ...batches.map((batch) => ({ ...batch, ...toBatch, name: 'a batch of releases by an operator, 8 MB' })),
    ...calls.map((call) => ({ ...call, ...toTools, name: 'a call of a tool' })),
    ...calls.map((call) => ({ ...call, ...toTools, name: 'a call of a tool by an operator', asOperator: true })),
    ...manyCalls.map((call) => ({ ...call, ...toTools, name: '100 calls of a tool in a batch', asOperator: true })),
  ];
}

function formOf(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

function toolCall(args: Record<string, unknown>, tool = 'search', id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: args } };
}
