// One project, asked for on the page, in a terminal, as a comment, by an agent and checked in its folder: the same sentence, the
// same words for each package, in the same order.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, it } from 'node:test';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { load } from 'cheerio';
import { GROUPS, type ReportGroup } from '../../src/domain/upgrade/report/groups.ts';
import { openDisk } from '../../src/ingest/local-import/disk.fixture.ts';
import { type Cli, createCli } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { connectModern, wrapModern } from '../support/mcp.ts';
import { startNpmRegistry } from '../support/npm-registry.ts';
import { LAUNCHER, NODE_FLAGS } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';
import type { Service } from '../support/service.ts';
import {
  bare,
  CODE,
  commentRows,
  followed,
  lockfile,
  NOW,
  publishedPackages,
  startReportService,
  UNTOLD,
} from './report-world.ts';

type Row = [name: string, from: string | null, reason: string];

interface AnsweredRow {
  package: string;
  from: string | null;
  group: ReportGroup;
  reason: string;
}

const rowsOf = (packages: readonly AnsweredRow[]) =>
  packages.map((row): Row => [row.package, row.from, bare(row.reason)]);
const pipeRows = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([, name = '', from, , reason = '']): Row => [name, from || null, bare(reason)]);
const named = (rows: readonly Row[]) => rows.map(([name, , reason]) => [name, reason]);

forEachEngine('a report on all interfaces', (engine) => {
  let service: Service;
  let cli: Cli;
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let env: Record<string, string>;

  before(async () => {
    const app = await engine.openTestApp({ clock: () => new Date(NOW), env: { REGISTRY_EVIDENCE: 'off' } });
    service = await startReportService(app);
    cli = await createCli(service.url);
    registry = await startNpmRegistry(publishedPackages());
    env = { REGISTRY_NPM_URL: registry.url, REGISTRY_EGRESS_ALLOW: registry.host };
  });
  after(() => registry.close());

  it('the same words in the same order', async () => {
    const [older, newer] = [lockfile('1.0.0'), lockfile('1.9.0')];

    const agent = await connectModern(service.url);
    const answer = await agent.call('check_upgrades', { lockfile: newer, previous: older, max_tokens: 20_000 });
    await agent.close();
    assert.equal(answer.isError, false, answer.text);
    const { summary, totals, packages } = answer.structured;
    const rows = rowsOf(packages);
    assert.ok(rows.length >= 8, answer.text);
    assert.deepEqual([rows[0]?.[0], rows.at(-1)?.[0]], ['safe', 'fresh'], JSON.stringify(rows));

    // The terminal, and the lines of a pipe.
    const disk = await openDisk();
    await disk.write('before.json', older);
    await disk.write('after.json', newer);
    const files = [`${disk.root}/before.json`, `${disk.root}/after.json`];
    const pipe = await cli.run(['whats-changed', '--lockfile', ...files]);
    assert.deepEqual(pipeRows(pipe.stdout), rows);
    assert.equal(pipe.stderr, `${totals}\n`);
    const terminal = await cli.run(['whats-changed', '--lockfile', ...files], { columns: 200 });
    assert.ok(terminal.stdout.startsWith(`${summary}.\n`), terminal.stdout);
    assert.ok(terminal.stdout.includes(`${totals}.\n`), terminal.stdout);

    // The comment of the command is the one that the page gives.
    const comment = (await cli.run(['whats-changed', '--lockfile', ...files, '--md'])).stdout;
    await disk.remove();
    const form = { mode: 'both', old_text: older, new_text: newer };
    const post = (more: object = {}) =>
      service.anonymous.post('/whats-changed', String(new URLSearchParams({ ...form, ...more })), {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: service.origin,
      });
    assert.equal((await post({ format: 'md' })).text, comment);
    assert.ok(comment.startsWith(`### ${summary}\n\n${totals}.\n`), comment);
    const told = commentRows(comment);
    assert.deepEqual(told, named(rows.slice(0, told.length)));

    // The page.
    const page = await followed(service, await post());
    const $ = load(page.text);
    // A report with an address leaves the git dependency out, and counts it.
    assert.equal($('.answer h1').first().text().trim(), summary.replace('of 10', 'of 9'));
    assert.match($('.answer').text(), /1 from git, folders or archives/);
    assert.equal($('.riskbar').attr('aria-label'), totals.replace(/, 1 (?:added|not from a registry)/g, ''));
    const shown = $('.report .cells')
      .toArray()
      .map((row) => [$(row).find('.pname').contents().first().text(), bare($(row).find('.why').text())]);
    // What nobody can judge is one line.
    assert.deepEqual(shown, named(rows.slice(0, shown.length)));
    assert.ok(shown.length > 2);
    for (const id of $('.risks a')
      .toArray()
      .map((link) => $(link).attr('href') ?? ''))
      assert.equal($(id).length, 1, id);
    assert.match($('main').text(), /Run registry check in your project to see whether you use what changed\./);

    // The folder, while it has no code: the same, but for what a page cannot know. It has looked for uses, and at the package
    // that nobody tracks.
    const folder = await projectFolder();
    const checked = await check(folder, '--base', 'HEAD');
    const known = (list: readonly Row[]) => list.filter(([name]) => name !== UNTOLD);
    const answerOf = (sentence: string) => sentence.split(/[,;]/)[0];
    assert.deepEqual([answerOf(checked.summary), checked.totals], [answerOf(summary), totals]);
    assert.deepEqual(known(checked.rows), known(rows));
    assert.match(
      checked.rows.find(([name]) => name === UNTOLD)?.[2] ?? '',
      /^2 versions have no notes; types and package\.json show no break$/,
    );
  });

  it('a project that uses what changed has all seven groups, in a terminal, as a comment, as data and by an agent', async () => {
    const folder = await projectFolder();
    await writeFile(join(folder, 'package-lock.json'), lockfile('1.0.0'));
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/index.js'), CODE);
    const checked = await check(folder);
    assert.deepEqual([...new Set(checked.groups)].slice(0, 7), GROUPS.slice(0, 7), JSON.stringify(checked.rows));

    const program = [...NODE_FLAGS, LAUNCHER, 'mcp', '--stdio', '--root', folder];
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const surrounding = {
      ...env,
      REGISTRY_API_URL: service.url,
      HOME: dirname(cli.configHome),
      PATH,
      NODE_COMPILE_CACHE,
    };
    const agent = await wrapModern(
      new StdioClientTransport({ command: process.execPath, args: program, env: surrounding, stderr: 'ignore' }),
    );
    const answer = await agent.call('check_upgrades', { folder: '.', max_tokens: 20_000 });
    await agent.close();
    assert.equal(answer.isError, false, answer.text);
    const { summary, totals, packages } = answer.structured;
    // Agents read what was left out in the same sentence.
    assert.deepEqual(
      [summary.split('. ')[0], totals, rowsOf(packages)],
      [checked.summary, checked.totals, checked.rows],
    );
  });

  // A repository whose last commit has the old lockfile, with the new one beside it.
  async function projectFolder(): Promise<string> {
    const folder = await scratchFolder('registry-report-');
    after(() => rm(folder, { recursive: true, force: true }));
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args]);
    await writeFile(join(folder, 'package-lock.json'), lockfile('1.0.0'));
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'one');
    await writeFile(join(folder, 'package-lock.json'), lockfile('1.9.0'));
    return folder;
  }

  // What a check says as data, after its other forms were held against it.
  async function check(folder: string, ...args: string[]) {
    const run = (columns: number | undefined, ...more: string[]) =>
      cli.run(['check', '--folder', folder, ...args, ...more], { env, ...(columns ? { columns } : {}) });
    const data = JSON.parse((await run(undefined, '--json')).stdout);
    const rows = rowsOf(data.packages);
    const groups: ReportGroup[] = data.packages.map(({ group }: AnsweredRow) => group);
    const { summary } = data;
    const pipe = await run(undefined);
    const lines = pipe.stdout.split('\n').filter((line) => line.includes('\t'));
    assert.deepEqual(pipeRows(lines.join('\n')), rows);
    const totals = pipe.stderr.split('\n')[0] ?? '';
    const terminal = (await run(200, '--no-color')).stdout;
    assert.ok(terminal.includes(`${summary}.\n`) && terminal.includes(`${totals}.\n`), terminal);
    // A screen lists what may break; of the rest it names a few.
    const places = rows.flatMap(([name, , reason], index) =>
      GROUPS.indexOf(groups[index] ?? 'ignored') < GROUPS.indexOf('not_known')
        ? [terminal.split('\n').findIndex((line) => line.includes(`  ${name}`) && bare(line).includes(reason))]
        : [],
    );
    assert.ok(places.length > 3 && !places.includes(-1), terminal);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      terminal,
    );
    const comment = (await run(undefined, '--md')).stdout;
    assert.ok(comment.includes(`### ${summary}\n\n${totals}.\n`), comment);
    const told = commentRows(comment);
    assert.deepEqual(told, named(rows.slice(0, told.length)));
    return { summary, totals, rows, groups };
  }
});
