// Every tool through SDK clients of both protocol generations: its result in both forms, and its next steps.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { App } from '../../src/app.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import {
  connectLegacy,
  connectModern,
  exampleCalls,
  type McpClient,
  type McpWorld,
  makeMcpWorld,
  type ToolAnswer,
} from '../support/mcp.ts';
import { type Service, startService } from '../support/service.ts';

const NAMES = TOOLS.map(({ name }) => name);
const OPEN = TOOLS.filter(({ account }) => account === undefined);

forEachEngine('MCP tools', (engine) => {
  let app: App;
  let service: Service;
  let world: McpWorld;
  let modern: McpClient;
  let legacy: McpClient;

  before(async () => {
    app = await engine.openTestApp({ clock: movableClock('2026-02-01T00:00:00.000Z') });
    world = await makeMcpWorld(as(app.ctx, 'admin'));
    service = await startService(app);
    modern = await connectModern(service.url);
    legacy = await connectLegacy(service.url);
  });

  it('are listed in one order with strict inputs, described fields and hints', async () => {
    for (const client of [modern, legacy]) {
      const tools = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        NAMES,
      );
      for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
        assert.equal(inputSchema.additionalProperties, false, name);
        assert.ok(description.length > 20, name);
        const { account } = TOOLS.find((tool) => tool.name === name) ?? {};
        assert.deepEqual(
          [annotations.readOnlyHint, annotations.idempotentHint, annotations.openWorldHint],
          [account !== 'write', true, false],
          name,
        );
        for (const [field, schema] of Object.entries<{ description?: string }>(inputSchema.properties)) {
          assert.ok(schema.description, `${name}.${field} is described`);
        }
        assert.ok(outputSchema.properties.truncation && inputSchema.properties.max_tokens, name);
      }
    }
  });

  it('the example calls name every tool', () => {
    assert.deepEqual(
      Object.keys(exampleCalls(world)),
      OPEN.map(({ name }) => name),
    );
  });

  for (const { name, output } of OPEN) {
    it(`${name}: both generations get the same valid result`, async () => {
      const args = exampleCalls(world)[name];
      const answers = [await modern.call(name, args), await legacy.call(name, args)];
      const listed = (await modern.listTools()).find((tool) => tool.name === name);
      const isListed = new Ajv2020({ strict: false }).compile(listed?.outputSchema);
      for (const { isError, structured, text } of answers) {
        assert.equal(isError, false, text);
        assert.equal(output.safeParse(structured).error, undefined);
        assert.ok(isListed(structured), JSON.stringify(isListed.errors));
        assert.ok(text.startsWith('# '), text);
      }
      assert.equal(answers[0]?.text, answers[1]?.text);
      assert.deepEqual(answers[0]?.structured, answers[1]?.structured);
    });
  }

  describe('answers', () => {
    const call = (name: string, args: Record<string, unknown>) => modern.call(name, args);

    it('search: sections of the asked types, hits of the API', async () => {
      const all = await call('search', { query: 'engine' });
      assert.deepEqual(
        all.structured.orgs.map((org: { slug: string }) => org.slug),
        [],
      );
      assert.equal(all.structured.products[0].product, world.product);
      assert.equal(all.structured.sources[0].source, world.source);
      const rest = await service.anonymous.get('/v1/search?q=engine&limit=10');
      const ids = rest.body.releases.map((hit: { id: string }) => hit.id);
      assert.deepEqual(
        all.structured.releases.map((hit: { id: string }) => hit.id),
        ids,
      );
      const some = await call('search', { query: 'lumen', types: ['orgs'] });
      assert.equal(some.structured.orgs[0].slug, world.org);
      assert.deepEqual([some.structured.releases, some.structured.passages], [[], []]);
    });

    it('search: pages give every hit once', async () => {
      const ids: string[] = [];
      let args: Record<string, unknown> | null = { query: 'engine', types: ['releases'], limit: 7, max_tokens: 1500 };
      while (args !== null) {
        const { structured }: ToolAnswer = await call('search', args);
        ids.push(...structured.releases.map((hit: { id: string }) => hit.id));
        args = structured.truncation.next;
      }
      const rest = await service.anonymous.get('/v1/search/releases?q=engine&limit=100');
      assert.deepEqual(new Set(ids), new Set(rest.body.releases.map((hit: { id: string }) => hit.id)));
      assert.equal(ids.length, new Set(ids).size);
    });

    it('latest_releases: pages cut to a small budget give the feed without a gap', async () => {
      const ids: string[] = [];
      const reasons = new Set<string>();
      let args: Record<string, unknown> | null = { org: world.org, limit: 20, max_tokens: 700 };
      while (args !== null) {
        const { structured, text }: ToolAnswer = await call('latest_releases', args);
        assert.ok(structured?.releases.length > 0, text);
        ids.push(...structured.releases.map((item: { id: string }) => item.id));
        reasons.add(structured.truncation.reason);
        args = structured.truncation.next;
      }
      const rest = await service.anonymous.get('/v1/releases/latest?org=lumen&count=100');
      assert.deepEqual(
        ids,
        rest.body.releases.map((item: { id: string }) => item.id),
      );
      assert.ok(reasons.has('token_budget'));
    });

    it('latest_releases: filters', async () => {
      const { structured } = await call('latest_releases', {
        product: 'engine',
        breaking: 'major',
        until: '2026-01-20',
      });
      assert.ok(structured.releases.length > 0);
      for (const item of structured.releases) {
        assert.equal(item.breaking, 'major');
        assert.equal(item.product, world.product);
        assert.ok(item.publishedAt < '2026-01-21' && item.summary.length <= 300);
      }
    });

    it('get_release: parts of a long text join to the whole', async () => {
      let content = '';
      let args: Record<string, unknown> | null = { release: world.longId, max_tokens: 900 };
      for (let part = 0; args !== null; part += 1) {
        const { structured, text }: ToolAnswer = await call('get_release', args);
        assert.ok(structured, text);
        assert.equal(structured.contentOffset, content.length);
        content += structured.content;
        args = structured.truncation.next;
        assert.ok(part < 200);
      }
      assert.equal(content, world.longText);
    });

    it('get_release: by the address of its page', async () => {
      const { structured } = await call('get_release', { release: `http://other.example/release/${world.longId}-x` });
      assert.equal(structured.release.id, world.longId);
    });

    it('get_release: by the version of a source', async () => {
      for (const release of [`${world.source}@1.8.0`, `${world.source}@v1.8.0`]) {
        const { structured, text } = await call('get_release', { release });
        assert.equal(structured?.release.id, world.longId, text);
      }
      const { text } = await call('get_release', { release: `${world.source}@99.0.0` });
      assert.match(text, /release not found/);
    });

    it('get_changelog: slices join to the whole file, within a section too', async () => {
      let content = '';
      let args: Record<string, unknown> | null = { source: world.source, tokens: 500, max_tokens: 1200 };
      while (args !== null) {
        const { structured, text }: ToolAnswer = await call('get_changelog', args);
        assert.ok(structured, text);
        assert.equal(structured.offset, content.length);
        assert.ok(structured.content.length > 0);
        content += structured.content;
        args = structured.truncation.next;
      }
      assert.equal(content, world.changelog);
    });

    it('whats_changed: the newest entries, then the older ones, each once', async () => {
      const versions: string[] = [];
      let args: Record<string, unknown> | null = { package: 'engine', from: '1.0.0', to: 'latest', max_tokens: 1500 };
      while (args !== null) {
        const { structured, text }: ToolAnswer = await call('whats_changed', args);
        assert.equal(structured?.status, 'resolved', text);
        versions.unshift(...structured.entries.map((entry: { version: string }) => entry.version));
        args = structured.continue ? { ...args, ...structured.continue } : null;
      }
      assert.deepEqual(
        versions,
        Array.from({ length: 29 }, (_, index) => `1.${index + 1}.0`),
      );
    });

    it('whats_changed: names every break that is left out before the newest entries, at every budget', async () => {
      const range = { package: 'engine', from: '1.0.0', to: 'latest' };
      const broken = ['1.5.0', '1.10.0', '1.15.0', '1.20.0', '1.25.0'];
      for (const max_tokens of [1000, 1500, 3000]) {
        const { structured, text } = await call('whats_changed', { ...range, max_tokens });
        const { entries, omittedBreaking = [], summary, truncation } = structured;
        const breaks = entries.filter((entry: { breaking: string }) => entry.breaking === 'major');
        const named = [...omittedBreaking, ...breaks].map((one: { version: string }) => one.version);
        assert.deepEqual([named, summary.breaking.major], [broken, broken.length], `${max_tokens}`);
        assert.ok(text.indexOf('left out below') < text.indexOf(`- ${entries[0].id}`), text);
        if (truncation.next?.breaking_only) {
          const alone = (await call('whats_changed', truncation.next)).structured;
          assert.deepEqual([alone.truncated, alone.count], [false, broken.length]);
        } else assert.deepEqual(truncation.next, { ...range, max_tokens, ...structured.continue });
      }
      const wide = await call('whats_changed', { ...range, max_tokens: 3000 });
      assert.deepEqual(wide.structured.truncation.next, { ...range, max_tokens: 3000, breaking_only: true });
    });

    it('whats_changed: only breaks with the least budget', async () => {
      const range = { package: 'engine', from: '1.0.0', to: 'latest', breaking_only: true, max_tokens: 500 };
      const { structured, text, isError } = await call('whats_changed', range);

      assert.equal(isError, false, text);
      const { entries, omittedBreaking = [], summary } = structured;
      const named = [...omittedBreaking, ...entries].map(({ version }: { version: string }) => version);
      assert.equal(summary.breaking.major, 5);
      assert.ok(named.length > 0 && named.includes('1.25.0'), text);
    });

    it('whats_changed: only breaks when asked, and unknown says what to try', async () => {
      const range = { package: 'engine', from: '1.3.0', to: '1.12.0' };
      const { structured } = await call('whats_changed', { ...range, breaking_only: true });
      assert.deepEqual(
        structured.entries.map((entry: { version: string }) => entry.version),
        ['1.5.0', '1.10.0'],
      );
      const unknown = await call('whats_changed', { ...range, package: 'engin' });
      assert.equal(unknown.isError, false);
      assert.equal(unknown.structured.status, 'unknown');
      assert.match(unknown.text, /reason not_tracked[\s\S]*Similar names: engine/);
    });

    it('get_source: state of its checks and its files', async () => {
      const { structured, text } = await call('get_source', { source: world.source });
      assert.equal(structured.source.state, 'never_fetched');
      assert.deepEqual(
        structured.changelogFiles.map((file: { path: string }) => file.path),
        ['CHANGELOG.md'],
      );
      assert.match(text, /never fetched/);
    });

    it('get_org: only the parts that were asked for', async () => {
      const { structured } = await call('get_org', { org: world.org, include: ['products'] });
      assert.deepEqual(Object.keys(structured), ['org', 'products', 'truncation']);
    });

    it('lookup_domain: an unknown domain is an answer', async () => {
      const { structured, isError } = await call('lookup_domain', { domain: 'nobody.example' });
      assert.equal(isError, false);
      assert.deepEqual(
        { ...structured, truncation: null },
        { domain: 'nobody.example', org: null, products: [], matchedVia: null, truncation: null },
      );
      const known = await call('lookup_domain', { domain: `https://www.${world.domain}/blog` });
      assert.equal(known.structured.matchedVia, 'primary');
    });

    it('stats: the figures of the API', async () => {
      const rest = await service.anonymous.get('/v1/stats');
      const { structured } = await call('stats', {});
      assert.deepEqual(structured.totals, rest.body.totals);
    });

    it('related_releases: without an index it says so', async () => {
      const { structured, text } = await call('related_releases', { release: world.longId });
      assert.equal(structured.degraded, true);
      assert.match(text, /does not mean that there are none/);
    });
  });
});
