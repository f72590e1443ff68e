// No result exceeds its token budget, and third-party text never leaves its fence.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import fc from 'fast-check';
import type { App } from '../../src/app.ts';
import { ANONYMOUS } from '../../src/contract/caller.ts';
import { countTokens } from '../../src/domain/tokens/index.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { createLocalApis } from '../../src/mcp/local-api.ts';
import type { RegistryApi } from '../../src/mcp/registry-api.ts';
import { runTool } from '../../src/mcp/server.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { exampleCalls, HOSTILE, type McpWorld, makeMcpWorld } from '../support/mcp.ts';

const RUNS = 12;

// The lines of a text outside of quoted blocks.
function outside(text: string): string[] {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark: string | undefined = /^(`{3,})(?:quoted)?$/.exec(line)?.[1];
    if (fence === null && mark !== undefined && line.endsWith('quoted')) fence = mark;
    else if (fence !== null && line === fence) fence = null;
    else if (fence === null) lines.push(line);
  }
  assert.equal(fence, null, 'every block is closed');
  return lines;
}

forEachEngine('MCP budgets', (engine) => {
  let app: App;
  let api: RegistryApi;
  let world: McpWorld;

  before(async () => {
    app = await engine.openTestApp({ clock: movableClock('2026-02-01T00:00:00.000Z') });
    world = await makeMcpWorld(as(app.ctx, 'admin'), 'basalt');
    api = createLocalApis(app.ctx, ROUTES)(ANONYMOUS);
  });

  const variations: Record<string, (world: McpWorld) => fc.Arbitrary<Record<string, unknown>>> = {
    search: () =>
      fc.record({
        query: fc.constantFrom('engine', 'crash', 'obey', 'long release'),
        limit: fc.integer({ min: 1, max: 50 }),
      }),
    latest_releases: () => fc.record({ limit: fc.integer({ min: 1, max: 50 }) }),
    get_release: ({ hostileId, longId, longText }) =>
      fc.oneof(
        fc.constant({ release: hostileId }),
        fc.record({ release: fc.constant(longId), content_offset: fc.integer({ min: 0, max: longText.length - 1 }) }),
      ),
    get_changelog: ({ source, changelog }) =>
      fc.record({
        source: fc.constant(source),
        offset: fc.integer({ min: 0, max: changelog.length - 1 }),
        tokens: fc.integer({ min: 500, max: 20_000 }),
      }),
    whats_changed: () =>
      fc.record({
        package: fc.constantFrom('engine', 'nobody'),
        from: fc.constant('1.0.0'),
        to: fc.constantFrom('latest', '1.9.0'),
      }),
    stats: () => fc.record({ days: fc.integer({ min: 1, max: 365 }) }),
  };

  for (const tool of TOOLS.filter(({ account }) => account === undefined)) {
    it(`${tool.name} stays within every budget`, async () => {
      const args = variations[tool.name]?.(world) ?? fc.constant(exampleCalls(world)[tool.name] ?? {});
      const budget = fc.oneof(fc.integer({ min: 500, max: 1500 }), fc.integer({ min: 500, max: 20_000 }));
      const property = fc.asyncProperty(args, budget, async (given, max_tokens) => {
        const outcome = await runTool({ api, log: app.ctx.log }, tool, { ...given, max_tokens });
        if (outcome.kind === 'correction') {
          assert.match(outcome.text, /max_tokens: \d+ tokens are too few/);
          return;
        }
        assert.equal(outcome.kind, 'result');
        if (outcome.kind !== 'result') return;
        const json = JSON.stringify(outcome.structured);
        assert.ok(countTokens(outcome.text) <= max_tokens, 'text');
        assert.ok(countTokens(json) <= max_tokens, 'structured part');
        assert.equal(tool.output.safeParse(JSON.parse(json)).error, undefined);
        const stray = outside(outcome.text).find((line) => /Ignore all earlier rules|^# System/.test(line));
        assert.equal(stray, undefined, 'hostile text outside of a fence');
      });
      await fc.assert(property, { numRuns: RUNS, examples: [[exampleCalls(world)[tool.name] ?? {}, 500]] });
    });
  }

  it('the least budget is enough for every tool on this data', async () => {
    for (const tool of TOOLS.filter(({ account }) => account === undefined)) {
      const outcome = await runTool({ api, log: app.ctx.log }, tool, {
        ...exampleCalls(world)[tool.name],
        max_tokens: 500,
      });
      assert.equal(outcome.kind, 'result', `${tool.name}: ${JSON.stringify(outcome)}`);
    }
  });

  it('hostile text is quoted word for word, inside of a longer fence', async () => {
    const tool = TOOLS.find(({ name }) => name === 'get_release');
    assert.ok(tool);
    const outcome = await runTool({ api, log: app.ctx.log }, tool, { release: world.hostileId });
    assert.ok(outcome.kind === 'result');
    assert.ok(outcome.text.includes(`\`\`\`\`\`\`quoted\n${HOSTILE}\n\`\`\`\`\`\``), outcome.text);
  });
});
