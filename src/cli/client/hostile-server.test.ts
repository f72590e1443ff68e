// A server whose texts contain terminal control sequences: none of them reaches the terminal.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '../../main.ts';

const EVIL = '\u001b]0;owned\u0007\u001b[2J\u009b1m\u202eevil\r\nsecond line';

const release = {
  id: `rel_${EVIL}`,
  version: EVIL,
  title: EVIL,
  titleGenerated: null,
  publishedAt: EVIL,
  breaking: EVIL,
  summary: EVIL,
  migrationNotes: EVIL,
  content: EVIL,
  url: EVIL,
  webUrl: EVIL,
  importance: null,
  prerelease: false,
  source: { slug: EVIL, orgSlug: EVIL },
};

// One response with all fields that the commands below read.
const ANSWER = {
  ...release,
  slug: EVIL,
  name: EVIL,
  tags: [EVIL],
  products: [{ slug: EVIL, name: EVIL, orgSlug: EVIL }],
  sources: [{ slug: EVIL, type: EVIL, latestVersion: EVIL }],
  trackingSince: EVIL,
  notice: { message: EVIL },
  releases: [release],
  items: [{ ...release, slug: EVIL, name: EVIL, domain: EVIL, lastActivity: EVIL, description: EVIL }],
  pagination: { nextCursor: EVIL, page: 1, hasMore: false },
  domain: EVIL,
  org: { slug: EVIL, name: EVIL, id: EVIL, matchedVia: EVIL },
  token: { feedUrl: EVIL },
  package: EVIL,
  ecosystem: null,
  status: 'resolved',
  worst: 'major',
  total: 1,
  history: { lowest: EVIL, highest: EVIL, complete: false },
  from: EVIL,
  to: EVIL,
  entries: [release],
  hint: EVIL,
  suggestions: [EVIL],
  omittedPrereleases: 0,
  truncated: true,
  nextOffset: 4,
  totalChars: 9,
};
const COUNTS = { breaking: { major: 1, minor: 0, none: 0, unknown: 0 }, firstBreaking: EVIL };

describe('what a hostile server says', () => {
  let server: Server;
  let url = '';

  before(async () => {
    server = createServer((request, response) => {
      const isRefused = request.url?.includes('refused');
      const error = { code: EVIL, type: EVIL, message: EVIL };
      const isUpgrade = request.url?.includes('whats-changed');
      response.writeHead(isRefused ? 404 : 200, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify(isRefused ? { error } : isUpgrade ? { ...ANSWER, source: null, summary: COUNTS } : ANSWER),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
  });

  const calls = [
    ['latest'],
    ['org', 'get', 'acme'],
    ['org', 'get', 'refused'],
    ['org', 'list'],
    ['org', 'manifest', 'acme'],
    ['org', 'overview', 'acme'],
    ['get', 'rel_0123456789abcdefghijK'],
    ['changelog', 'acme/cli'],
    ['collection', 'list'],
    ['lookup', 'acme.example'],
    ['lookup', 'npm:acme'],
    ['whats-changed', 'a', '1', '2'],
    ['feed', 'url'],
    ['admin', 'org', 'edit', 'acme', '--name', 'x'],
  ];
  for (const args of calls) {
    for (const mode of [[], ['--json'], ['--verbose']]) {
      it([...args, ...mode].join(' '), async () => {
        for (const isTTY of [false, true]) {
          const printed: string[] = [];
          const terminal = {
            out: (line: string) => void printed.push(line),
            err: (line: string) => void printed.push(line),
            isTTY,
          };
          const env = { REGISTRY_API_URL: url, REGISTRY_API_KEY: 'key', NO_COLOR: '1' };
          const code = await runCommand({ args: [...args, ...mode], env }, terminal);

          assert.match(printed.join('\n'), /evil/);
          assert.equal(code, args.includes('refused') ? 1 : 0, printed.join('\n'));
          assert.doesNotMatch(printed.join('\n'), /[^\P{Cc}\t\n]|[\u202a-\u202e]/u);
        }
      });
    }
  }
});
