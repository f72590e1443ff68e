// Many upgrades in one call: by risk, within the budget, from a list or from the text of a lockfile.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { countTokens } from '../../src/domain/tokens/index.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { connectLegacy, HOSTILE, type McpClient, makeMcpWorld } from '../support/mcp.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('MCP check_upgrades', (engine) => {
  let app: App;
  let service: Service;
  let client: McpClient;

  before(async () => {
    app = await engine.openTestApp({ clock: movableClock('2026-02-01T00:00:00.000Z') });
    await makeMcpWorld(as(app.ctx, 'admin'), 'shale');
    service = await startService(app);
    client = await connectLegacy(service.url);
    const source = (await service.anonymous.get('/v1/orgs/shale/sources/engine')).body;
    await service.root.put('/v1/packages', { ecosystem: 'npm', name: 'shale-engine', sourceId: source.id });
  });

  const names = (packages: { package: string }[]) => packages.map((row) => row.package);

  it('items by risk, each with its reason, strangers’ words fenced', async () => {
    const items = [
      { package: 'nobody', ecosystem: 'npm', from: '1.0.0', to: '2.0.0' },
      { package: 'shale-engine', ecosystem: 'npm', from: '1.6.0', to: '1.7.0' },
      { package: 'shale-engine', ecosystem: 'npm', from: '1.2.0', to: '1.9.0' },
    ];
    const { structured, text, isError } = await client.call('check_upgrades', { items });
    assert.equal(isError, false, text);
    assert.equal(structured.packages[0].group, 'breaks');
    assert.match(structured.summary, /^1 of 3 changed packages breaks/);
    assert.deepEqual(names(structured.packages).slice(0, 1), ['shale-engine']);
    assert.match(structured.packages[0].steps[0], /Removed the option mode5/);
    assert.match(text, /^# 1 of 3 changed packages breaks/);
    assert.match(text, /```quoted\nRemoved the option mode5/);
    assert.doesNotMatch(text.replaceAll(/(`{3,})quoted\n[\s\S]*?\n\1/g, ''), /Ignore all earlier rules|System/);
    assert.ok(HOSTILE.includes('Ignore all earlier rules'));
  });

  it('a lockfile alone, and with the one before', async () => {
    const lock = (version: string) =>
      JSON.stringify({
        lockfileVersion: 3,
        packages: {
          '': { dependencies: { 'shale-engine': '^1.0.0' } },
          'node_modules/shale-engine': { version },
          'node_modules/theme': { version: '1.0.0', resolved: `git+https://x.example/theme#${version}aaaaaa` },
        },
      });
    const alone = await client.call('check_upgrades', { lockfile: lock('1.2.0') });
    assert.deepEqual(names(alone.structured.packages), ['shale-engine'], alone.text);
    assert.equal(alone.structured.summary, '1 update breaks, a direct dependency');
    const both = await client.call('check_upgrades', { lockfile: lock('1.9.0'), previous: lock('1.2.0') });
    assert.deepEqual(
      both.structured.packages.map((row: { package: string; group: string }) => [row.package, row.group]),
      [
        ['shale-engine', 'breaks'],
        ['theme', 'elsewhere'],
      ],
    );
    assert.equal(both.structured.packages[0].direct, true);
  });

  it('a small budget names everything that breaks before it tells of the rest', async () => {
    const broken = Array.from({ length: 12 }, (_, index) => ({
      package: 'shale-engine',
      ecosystem: 'npm',
      from: `1.${index}.1`,
      to: '1.29.0',
    }));
    const unknown = Array.from({ length: 60 }, (_, index) => ({
      package: `unknown-${index}`,
      ecosystem: 'npm',
      from: '1.0.0',
      to: '2.0.0',
    }));
    const { structured, text } = await client.call('check_upgrades', {
      items: [...unknown, ...broken],
      max_tokens: 1500,
    });
    const groups = structured.packages.map(({ group }: { group: string }) => group);
    assert.equal(groups.filter((group: string) => group === 'breaks').length, 12, text);
    assert.equal(structured.truncation.omitted, 72 - groups.length);
    assert.match(structured.totals, /12 break, 60 not known/);
    assert.ok(countTokens(text) <= 1500 && countTokens(JSON.stringify(structured)) <= 1500);
  });

  it('refuses in words that say what to do', async () => {
    const refused: [args: Record<string, unknown>, words: RegExp][] = [
      [{}, /give one of items, lockfile and folder/],
      [{ items: [{ package: 'a', from: '1', to: '2' }], lockfile: '{}' }, /give one of/],
      [{ items: [{ package: 'a', from: '1', to: '2' }], previous: '{}' }, /previous: needs lockfile/],
      [{ lockfile: 'x'.repeat(170_000) }, /at most 160 kB are taken; send the changed packages as items, or run/],
      [{ lockfile: 'hello' }, /neither a diff nor/],
      [{ folder: '/etc' }, /has no folders: run .*registry mcp --stdio --root/],
    ];
    for (const [args, words] of refused) {
      const answer = await client.call('check_upgrades', args);
      assert.equal(answer.isError, true);
      assert.match(answer.text, words);
    }
  });
});
