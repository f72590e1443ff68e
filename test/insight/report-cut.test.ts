// A report of so many packages that the answers of a call are cut: a security fix in the part that is left out is still told,
// and what breaks is asked for again, on every interface alike.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { openDisk } from '../../src/ingest/local-import/disk.fixture.ts';
import { as } from '../support/callers.ts';
import { type Cli, createCli } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { connectModern } from '../support/mcp.ts';
import { type Service, startService } from '../support/service.ts';
import { bare, followed } from './report-world.ts';

const LONG = `### Fixed\n${Array.from({ length: 12 }, (_, index) => `- Crash ${index} of the second window, when it is closed by its owner`).join('\n')}`;
const STEPS = Array.from({ length: 9 }, (_, index) => `- Removed \`old${index}\`. Use \`fresh${index}\` instead.`);
const BREAKING = `### Breaking changes\n${STEPS.join('\n')}`;
const SECURITY = '### Security\n- Fixes CVE-2099-41107 in the parser.';

// What the second release of each kind of package says; dozens of others come after it.
const KINDS = { plain: LONG, safe: SECURITY, broken: BREAKING };
const EACH = 30;

const nameOf = (kind: string, index: number) => `${kind}-${String(index).padStart(2, '0')}`;
const NAMES = Object.keys(KINDS).flatMap((kind) => Array.from({ length: EACH }, (_, index) => nameOf(kind, index)));

function lockfile(version: string): string {
  const installed = NAMES.map((name) => [`node_modules/${name}`, { version }]);
  return JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...Object.fromEntries(installed) } });
}

forEachEngine('a report that is cut', (engine) => {
  let service: Service;
  let cli: Cli;

  before(async () => {
    const env = { REGISTRY_EVIDENCE: 'off' };
    const app = await engine.openTestApp({ clock: () => new Date('2026-06-30T12:00:00.000Z'), env });
    const ctx = as(app.ctx, 'admin');
    service = await startService(app);
    cli = await createCli(service.url);
    const org = await createOrg(ctx);
    for (const [kind, content] of Object.entries(KINDS)) {
      const source = await createSource(ctx, { orgId: org.id, slug: kind, name: kind });
      const rows = Array.from({ length: 40 }, (_, index) => {
        const publishedAt = new Date(Date.UTC(2026, 0, 1 + index)).toISOString();
        return releaseRow(`1.${index}.0`, { publishedAt, content: index === 1 ? content : LONG });
      });
      await postReleases(ctx, source.id, rows, { silent: true });
      for (let index = 0; index < EACH; index += 1) {
        const mapped = { ecosystem: 'npm', name: nameOf(kind, index), sourceId: source.id };
        const { status, text } = await service.root.put('/v1/packages', mapped);
        assert.ok(status < 300, text);
      }
    }
  });

  it('counts security over the whole range, however few entries are listed', async () => {
    const items = NAMES.map((name) => ({ package: name, ecosystem: 'npm', from: '1.0.0', to: '1.39.0' }));
    const { body } = await service.anonymous.post('/v1/whats-changed/batch', { items });
    for (const [index, item] of body.items.entries()) {
      const isSafe = NAMES[index]?.startsWith('safe');
      assert.equal(item.truncated, true, item.package);
      assert.ok(!item.entries.some(({ security }: { security: boolean }) => security));
      assert.equal(item.summary.security, isSafe ? 1 : 0, item.package);
    }
    const query = 'ecosystem=npm&from=1.0.0&to=1.39.0';
    const one = async (more: string) =>
      (await service.anonymous.get(`/v1/whats-changed?package=safe-00&${query}${more}`)).body.summary.security;
    assert.deepEqual([await one(''), await one('&tokens=500'), await one('&breaking_only=true')], [1, 1, 1]);
    const { text } = await service.anonymous.get(`/v1/whats-changed?package=safe-00&${query}&tokens=500`, {
      Accept: 'text/markdown',
    });
    assert.match(text, /Releases of the range with a security fix: 1\./);
    const agent = await connectModern(service.url);
    const asked = { package: 'safe-00', ecosystem: 'npm', from: '1.0.0', to: '1.39.0', max_tokens: 1_000 };
    assert.match((await agent.call('whats_changed', asked)).text, /Of the whole range, 1 repair a security problem/);
    await agent.close();
    const printed = await cli.run(['whats-changed', 'safe-00', '1.0.0', '1.39.0', '--ecosystem', 'npm']);
    assert.match(printed.stdout, /^security\t1 with a security fix$/m);
    const above = '/v1/whats-changed?package=safe-00&ecosystem=npm&from=1.1.0&to=1.39.0&tokens=500';
    assert.equal((await service.anonymous.get(above)).body.summary.security, 0);
  });

  it('tells of the same on page, terminal and by an agent, with the steps of what breaks', async () => {
    const [older, newer] = [lockfile('1.0.0'), lockfile('1.39.0')];
    const agent = await connectModern(service.url);
    const call = (max_tokens: number) => agent.call('check_upgrades', { lockfile: newer, previous: older, max_tokens });
    const whole = (await call(20_000)).structured;
    const short = (await call(3_000)).structured;
    await agent.close();
    assert.match(whole.totals, /^30 security fixes, 30 break, 30 no sign of a break$/);
    const rows: { package: string; reason: string; group: string; steps: string[] }[] = whole.packages;
    const told = rows.map(({ package: name, reason }) => [name, bare(reason)]);
    // As many as may be asked for again have all of their steps.
    assert.equal(rows.filter(({ group, steps }) => group === 'breaks' && steps.length === STEPS.length).length, 20);
    // A small budget names the security fixes before it tells of anything else.
    const groups: string[] = short.packages.map(({ group }: { group: string }) => group);
    assert.equal(short.totals, whole.totals);
    assert.equal(groups.filter((group) => group === 'security').length, 30, JSON.stringify(groups));
    assert.ok(groups.includes('breaks') && !groups.includes('no_sign'));

    const disk = await openDisk();
    await disk.write('before.json', older);
    await disk.write('after.json', newer);
    const files = [`${disk.root}/before.json`, `${disk.root}/after.json`];
    const pipe = await cli.run(['whats-changed', '--lockfile', ...files]);
    const comment = (await cli.run(['whats-changed', '--lockfile', ...files, '--md'])).stdout;
    await disk.remove();
    const lines = pipe.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    assert.deepEqual(
      lines.map(([, name, , , reason]) => [name, bare(reason ?? '')]),
      told,
    );

    const form = String(new URLSearchParams({ mode: 'both', old_text: older, new_text: newer }));
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: service.origin };
    const page = load((await followed(service, await service.anonymous.post('/whats-changed', form, headers))).text);
    const shown = page('.report .cells')
      .toArray()
      .map((row) => [page(row).find('.pname').contents().first().text(), bare(page(row).find('.why').text())]);
    // As many of each group as a first page has, in the same order.
    const rest = told.filter(([name]) => !shown.some(([one]) => one === name));
    assert.deepEqual(
      shown,
      told.filter((row) => !rest.includes(row)),
    );
    assert.ok(shown.length >= 2 * 20, JSON.stringify(shown));
    assert.equal((await service.anonymous.post('/whats-changed', `${form}&format=md`, headers)).text, comment);
    assert.ok(comment.includes('`old8`'), comment.slice(0, 2_000));
  });
});
