// One project, asked for on the page, in a terminal, as a comment and by an agent: the same sentence, the same words for each
// package, in the same order.
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

const NOW = '2026-03-31T12:00:00.000Z';
const BREAKING = '### Breaking changes\n- Removed `open`. Use `connect` instead.';
const SECURITY = '### Security\n- Fixes CVE-2099-41107 in the parser.';
const HOSTILE = '### Breaking changes\n- Removed <img src=x> for @everyone, see #12 | `x`.';

// The notes of version 2.0.0 of each package.
const NOTES: Record<string, string> = {
  alpha: BREAKING,
  beta: HOSTILE,
  gamma: '### Fixed\n- A crash.',
  safe: SECURITY,
  minor: '### Deprecated\n- `run` will go away.',
};

function lockfile(version: string): string {
  const names = [...Object.keys(NOTES), 'untold'];
  const installed = names.map((name): [string, object] => [`node_modules/${name}`, { version }]);
  const copy: [string, object][] = [
    ['node_modules/gamma/node_modules/alpha', { version: version === '1.0.0' ? '0.9.0' : '1.5.0' }],
  ];
  const git: [string, object] = [
    'node_modules/theme',
    { version: '1.0.0', resolved: `git+https://x.example/theme#${version === '1.0.0' ? 'a' : 'b'}${'0'.repeat(39)}` },
  ];
  const added: [string, object][] = version === '2.0.0' ? [['node_modules/fresh', { version }]] : [];
  const root = { dependencies: { alpha: '*', theme: 'git+https://x.example/theme' } };
  return JSON.stringify({
    lockfileVersion: 3,
    packages: { '': root, ...Object.fromEntries([...installed, ...copy, git, ...added]) },
  });
}

// A line as it reads: without marks of code, escapes and joiners.
const bare = (text: string) =>
  text
    .replaceAll(/[`\\\u2060]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

forEachEngine('a report on all interfaces', (engine) => {
  let service: Service;
  let cli: Cli;

  before(async () => {
    const app = await engine.openTestApp({ clock: () => new Date(NOW), env: { REGISTRY_EVIDENCE: 'off' } });
    const ctx = as(app.ctx, 'admin');
    service = await startService(app);
    cli = await createCli(service.url);
    const org = await createOrg(ctx);
    for (const [name, content] of Object.entries(NOTES)) {
      const source = await createSource(ctx, { orgId: org.id, slug: name, name });
      await postReleases(ctx, source.id, [
        releaseRow('1.0.0', { publishedAt: '2026-01-01T00:00:00.000Z', content: '### Added\n- The first release.' }),
        releaseRow('1.5.0', { publishedAt: '2026-01-10T00:00:00.000Z', content: '### Fixed\n- A detail.' }),
        releaseRow('2.0.0', { publishedAt: '2026-02-01T00:00:00.000Z', content }),
      ]);
      const mapped = await service.root.put('/v1/packages', { ecosystem: 'npm', name, sourceId: source.id });
      assert.ok(mapped.status < 300, mapped.text);
    }
  });

  it('the same words in the same order', async () => {
    const [before, after] = [lockfile('1.0.0'), lockfile('2.0.0')];

    const agent = await connectModern(service.url);
    const answer = await agent.call('check_upgrades', { lockfile: after, previous: before, max_tokens: 20_000 });
    await agent.close();
    assert.equal(answer.isError, false, answer.text);
    const { summary, totals, packages } = answer.structured;
    const rows: [name: string, from: string | null, reason: string][] = packages.map(
      (row: { package: string; from: string | null; reason: string }) => [row.package, row.from, bare(row.reason)],
    );
    assert.ok(rows.length >= 8, answer.text);
    assert.deepEqual([rows[0]?.[0], rows.at(-1)?.[0]], ['safe', 'fresh'], JSON.stringify(rows));

    // The terminal, and the lines of a pipe.
    const disk = await openDisk();
    await disk.write('before.json', before);
    await disk.write('after.json', after);
    const files = [`${disk.root}/before.json`, `${disk.root}/after.json`];
    const pipe = await cli.run(['whats-changed', '--lockfile', ...files]);
    const lines = pipe.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    assert.deepEqual(
      lines.map(([, name, from, , reason]) => [name, from || null, bare(reason ?? '')]),
      rows,
    );
    assert.equal(pipe.stderr, `${totals}\n`);
    const terminal = await cli.run(['whats-changed', '--lockfile', ...files], { columns: 200 });
    assert.ok(terminal.stdout.startsWith(`${summary}.\n`), terminal.stdout);
    assert.ok(terminal.stdout.includes(`${totals}.\n`), terminal.stdout);

    // The comment of the command is the one that the page gives.
    const comment = (await cli.run(['whats-changed', '--lockfile', ...files, '--md'])).stdout;
    await disk.remove();
    const form = { mode: 'both', old_text: before, new_text: after };
    const post = (more: object = {}) =>
      service.anonymous.post('/whats-changed', String(new URLSearchParams({ ...form, ...more })), {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: service.origin,
      });
    assert.equal((await post({ format: 'md' })).text, comment);
    assert.ok(comment.startsWith(`### ${summary}\n\n${totals}.\n`), comment);
    const cells = comment
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| Risk') && !line.startsWith('| Package'));
    const told = cells.map((line) => line.slice(2, -2).split(/(?<!\\) \| /));
    const named = told.map((cell) => bare(cell.at(-3) ?? '').replace(/ \(.*\)$/, ''));
    assert.deepEqual(
      named,
      rows.slice(0, named.length).map(([name]) => name),
    );
    assert.deepEqual(
      told.map((cell) => bare(cell.at(-1) ?? '')),
      rows.slice(0, named.length).map(([, , reason]) => reason),
    );

    // The page.
    const page = await post();
    assert.equal(page.status, 200, page.text);
    const $ = load(page.text);
    assert.equal($('.answer h2').first().text().trim(), summary);
    assert.equal($('.riskbar').attr('aria-label'), totals.replace(', 1 added', ''));
    const shown = $('.report .cells')
      .toArray()
      .map((row) => [$(row).find('.pname').contents().first().text(), bare($(row).find('.why').text())]);
    assert.deepEqual(
      shown,
      rows.filter(([name]) => name !== 'fresh').map(([name, , reason]) => [name, reason]),
    );
    for (const id of $('.risks a')
      .toArray()
      .map((link) => $(link).attr('href') ?? ''))
      assert.equal($(id).length, 1, id);
    assert.match($('main').text(), /Run registry check in your project to see whether you use what changed\./);
  });
});
