// The client commands against a real service: golden outputs for terminal, pipe and --json, and every exit code.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { before, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { transact } from '../../src/context.ts';
import { createCollection } from '../../src/entities/collections/write.ts';
import { addMember } from '../../src/entities/collections/write-members.ts';
import { openDisk } from '../../src/ingest/local-import/disk.fixture.ts';
import { writeOverview } from '../../src/insight/overviews/write.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { as } from '../support/callers.ts';
import { type Cli, createCli, golden } from '../support/cli.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { LAUNCHER, NODE_FLAGS } from '../support/program.ts';
import { startRegistry } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { type Service, startService } from '../support/service.ts';

const CHANGELOG = '# Changelog\n\n## 2.0.0\n\n- Removed the old shell.\n\n## 1.1.0\n\n- A faster parser.\n';

forEachEngine('client commands', (engine) => {
  let app: App;
  let service: Service;
  let cli: Cli;
  let sourceId = '';

  before(async () => {
    app = await engine.openTestApp({ clock: movableClock('2026-02-01T00:00:00.000Z') });
    service = await startService(app);
    cli = await createCli(service.url);
    const ctx = as(app.ctx, 'admin');
    const org = await createOrg(ctx, { name: 'Acme Tools', slug: 'acme', domain: 'acme.example' });
    const product = await createProduct(ctx, org.id, { name: 'Acme CLI', slug: 'acme-cli' });
    const source = await createSource(ctx, {
      name: 'cli',
      slug: 'cli',
      url: 'https://github.com/acme/cli',
      type: 'github',
      orgId: org.id,
      productId: product.id,
    });
    sourceId = source.id;
    const release = (version: string, publishedAt: string, content: string) =>
      releaseRow(version, { title: `Acme CLI ${version}`, publishedAt, content });
    await postReleases(ctx, source.id, [
      release('1.0.0', '2026-01-05T10:00:00.000Z', '### Added\n- The first release.'),
      release('1.1.0', '2026-01-12T10:00:00.000Z', '### Added\n- A faster parser for 漢字.'),
      release('2.0.0', '2026-01-20T10:00:00.000Z', '### Breaking changes\n- Removed the old shell. Use the new one.'),
    ]);
    const file = { path: 'CHANGELOG.md', url: 'https://github.com/acme/cli/x', rawUrl: 'https://acme.example/raw' };
    await transact(ctx, (inner) =>
      storeChangelogFile(inner, { sourceId: source.id, ...file, content: CHANGELOG, canonical: true }),
    );
    await writeOverview(ctx, {
      path: { org: org.id },
      overview: { content: 'Acme makes tools.', releaseCount: 3, citations: [] },
    });
    await createCollection(ctx, { name: 'Tools', slug: 'tools' });
    await addMember(ctx, { collection: 'tools', entry: { productId: product.id } });
    const other = await createOrg(ctx, { name: 'Other', slug: 'other' });
    for (const orgId of [other.id, org.id]) await createSource(ctx, { slug: 'shared', orgId });
  });

  it('latest: a table on a terminal, lines in a pipe, the answer as JSON', async () => {
    const terminal = await cli.run(['latest', '--count', '2'], { columns: 90 });
    const pipe = await cli.run(['latest', '--count', '2']);
    const json = await cli.run(['latest', '--count', '2', '--json']);

    assert.equal(
      golden(terminal.stdout),
      [
        '<b>PUBLISHED</>   <b>RELEASE</>         <b>VERDICT</>             <b>TITLE</>',
        '2026-01-20  acme/cli@2.0.0  <red>breaks</>              Acme CLI 2.0.0: Removed the old shell. Us…',
        '2026-01-12  acme/cli@1.1.0  no sign of a break  Acme CLI 1.1.0: A faster parser for 漢字',
        '',
      ].join('\n'),
    );
    assert.match(terminal.stderr, /^open one: registry get acme\/cli@2\.0\.0\n/);
    const wide = await cli.run(['latest', '--count', '2'], { columns: 120 });
    assert.match(golden(wide.stdout), /<b>ID<\/>\n.*rel_…\n.*rel_…\n$/);
    assert.equal(
      golden(pipe.stdout).replaceAll(/http:\S+/g, 'http:…'),
      [
        '2026-01-20T10:00:00.000Z\tacme/cli\t2.0.0\tmajor\tAcme CLI 2.0.0: Removed the old shell. Use the new one\trel_…\thttp:…',
        '2026-01-12T10:00:00.000Z\tacme/cli\t1.1.0\tnone\tAcme CLI 1.1.0: A faster parser for 漢字\trel_…\thttp:…',
        '',
      ].join('\n'),
    );
    assert.match(pipe.stderr, /^there is more: --cursor \S+, or --all\n$/);
    assert.deepEqual(JSON.parse(json.stdout), (await service.anonymous.get('/v1/releases/latest?count=2')).body);
    assert.deepEqual([terminal.code, pipe.code, json.code, json.stderr], [0, 0, 0, '']);
  });

  it('pages: a cursor goes on, --all is one object a line', async () => {
    const first = await cli.run(['org', 'releases', 'acme', '--limit', '2']);
    const cursor = /--cursor (\S+),/.exec(first.stderr)?.[1] ?? '';
    const rest = await cli.run(['org', 'releases', 'acme', '--limit', '2', '--cursor', cursor]);
    const all = await cli.run(['source', 'releases', 'acme/cli', '--limit', '1', '--all', '--json']);
    const sources = await cli.run(['source', 'list', '--limit', '1', '--cursor', '2']);

    assert.deepEqual([first.stdout.split('\n').length, rest.stdout.split('\n').length], [3, 2]);
    assert.equal(rest.stderr, '');
    const versions = all.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).version);
    assert.deepEqual(versions, ['2.0.0', '1.1.0', '1.0.0']);
    assert.match(sources.stderr, /--cursor 3/);
    assert.equal((await cli.run(['source', 'list', '--cursor', 'x'])).code, 2);
  });

  it('records: labels and values, the same names in a pipe', async () => {
    const terminal = await cli.run(['org', 'get', 'acme.example'], { columns: 80, env: { NO_COLOR: '1' } });
    const pipe = await cli.run(['source', 'get', 'acme/cli']);

    assert.equal(
      golden(terminal.stdout),
      [
        'org             acme',
        'name            Acme Tools',
        'id              org_…',
        'domain          acme.example',
        'status          tracked',
        'releases        3',
        'last 30 days    3',
        'releases since  2026-01-05T10:00:00.000Z',
        'product         acme/acme-cli (Acme CLI)',
        'source          acme/cli (github, 2.0.0)',
        '                acme/shared (feed)',
        '',
      ].join('\n'),
    );
    assert.match(pipe.stdout, /^source\tacme\/cli$/m);
    assert.match(pipe.stdout, /^check state\tnever_fetched$/m);
    assert.match(pipe.stdout, /^latest version\t2\.0\.0$/m);
  });

  it('get: whatever names an entity', async () => {
    const latest = JSON.parse((await cli.run(['latest', '--json'])).stdout).releases[0];
    const cases: [ref: string, first: RegExp][] = [
      ['acme', /^org\tacme\n/],
      ['acme.example', /^org\tacme\n/],
      ['acme/cli', /^source\tacme\/cli\n/],
      ['acme/acme-cli', /^product\tacme\/acme-cli\n/],
      ['acme-cli', /^product\tacme\/acme-cli\n/],
      ['tools', /^collection\ttools\n/],
      ['https://github.com/acme/cli', /^source\tacme\/cli\n/],
      [sourceId, /^source\tacme\/cli\n/],
      [latest.id, /^release\trel_/],
      [latest.webUrl, /^release\trel_[\s\S]*\n\n### Breaking changes\n/],
      [`${service.url}/acme/cli`, /^source\tacme\/cli\n/],
      ['https://elsewhere.example/acme', /^org\tacme\n/],
      ['acme/cli@2.0.0', /^release\trel_\S+\n[\s\S]*\nversion\t2\.0\.0\n/],
      ['acme/cli@v1.1.0', /\nversion\t1\.1\.0\n/],
      ['acme/acme-cli@1.1.0', /\nversion\t1\.1\.0\n/],
      ['cli@1.1.0', /\nversion\t1\.1\.0\n/],
      [`${sourceId}@1.1.0`, /\nversion\t1\.1\.0\n/],
      ['npm:@acme/kit', /^source\tacme\/cli\n/],
      ['npm:@acme/kit@1.1.0', /\nversion\t1\.1\.0\n/],
      ['kit-of-acme', /^source\tacme\/cli\n/],
      ['kit-of-acme@1.1.0', /\nversion\t1\.1\.0\n/],
    ];
    for (const name of ['@acme/kit', 'kit-of-acme']) {
      await service.root.put('/v1/packages', { ecosystem: 'npm', name, sourceId });
    }
    for (const [ref, first] of cases) {
      const { code, stdout, stderr } = await cli.run(['get', ref]);
      assert.match(stdout, first, `${ref}: ${stderr}`);
      assert.equal(code, 0);
    }

    const several = await cli.run(['get', 'shared']);
    assert.equal(golden(several.stdout), 'source\tacme/shared\tsrc_…\nsource\tother/shared\tsrc_…\n');
    assert.equal(several.code, 1);
    const missing = await cli.run(['get', 'acme/cli@9.9.9']);
    assert.deepEqual([missing.code, missing.stdout], [1, '']);
    assert.match(missing.stderr, /^registry: nothing is called "acme\/cli@9\.9\.9"; `registry search` finds names\n$/);
    const first = await cli.run(['--json', '--server', service.url, 'get', 'acme/cli']);
    assert.equal(JSON.parse(first.stdout).slug, 'cli');
    const none = await cli.run(['get', 'nobody', '--json']);
    assert.deepEqual([none.code, none.stdout, JSON.parse(none.stderr).error.code], [1, '', 'not_found']);
  });

  it('whats-changed: verdict first, and never more comfort than the registry can give', async () => {
    const known = await cli.run(['whats-changed', 'cli', '1.0.0', '2.0.0']);
    const beyond = await cli.run(['whats-changed', 'cli', '1.0.0', '3.0.0', '--json']);
    const untracked = await cli.run(['whats-changed', 'nobody', '1.0.0', '2.0.0']);
    const breaking = await cli.run(['whats-changed', 'cli', '1.0.0', '2.0.0', '--breaking-only'], { columns: 80 });

    assert.match(known.stdout, /^package\tcli\nrange\t1\.0\.0 to 2\.0\.0\nverdict\tbreaks\n/);
    assert.match(known.stdout, /^releases\t1 breaks, 1 no sign of a break$/m);
    assert.match(
      known.stdout,
      /^entry\t2\.0\.0\t2026-01-20T10:00:00\.000Z\tmajor\tAcme CLI 2\.0\.0: Removed the old shell\. Use the new one\thttp/m,
    );
    assert.equal(JSON.parse(beyond.stdout).history.complete, false);
    assert.match(untracked.stdout, /^verdict\tnot tracked by this registry$/m);
    assert.doesNotMatch(breaking.stdout, /1\.1\.0/);
    assert.match(golden(breaking.stdout), /<b>2\.0\.0<\/> {2}2026-01-20 {2}<red>breaks<\/>/);
  });

  it('whats-changed --lockfile: every package by risk, as a table, lines, JSON and a comment', async () => {
    const disk = await openDisk();
    const lock = (version: string) => {
      const packages = { '': { dependencies: { 'acme-cli': '*' } }, 'node_modules/acme-cli': { version } };
      return JSON.stringify({ lockfileVersion: 3, packages: { ...packages, 'node_modules/dark': { version } } });
    };
    await disk.write('base.json', lock('1.0.0'));
    await disk.write('package-lock.json', lock('2.0.0'));
    await disk.write('package.json', JSON.stringify({ dependencies: { 'acme-cli': '^1.0.0' } }));
    const files = [`${disk.root}/base.json`, `${disk.root}/package-lock.json`];
    const mapped = await service.root.put('/v1/packages', { ecosystem: 'npm', name: 'acme-cli', sourceId });
    assert.ok(mapped.status < 300, mapped.text);
    const ask = (...more: string[]) => cli.run(['whats-changed', '--lockfile', ...files, ...more]);

    const pipe = await ask();
    assert.equal(
      pipe.stdout,
      'breaks\tacme-cli\t1.0.0\t2.0.0\tRemoved the old shell. Use the new one.\tnpm\tdirect\t2.0.0\tproduction\tregistry\n' +
        'not known\tdark\t1.0.0\t2.0.0\tIts notes are not tracked here\tnpm\tindirect\t\tproduction\tregistry\n',
    );
    assert.deepEqual([pipe.code, pipe.stderr], [0, '1 breaks, 1 not known\n']);
    const json = JSON.parse((await ask('--json', '--breaking-only')).stdout);
    assert.deepEqual([json.totals.major, json.totals.not_tracked, json.packages.length], [1, 1, 1]);
    assert.deepEqual([json.packages[0].risk, json.packages[0].judgement], ['major', 'breaks']);
    assert.match(
      (await ask('--md')).stdout,
      /\| \*\*Breaks\*\* \| `acme-cli` \| 1\.0\.0 → 2\.0\.0 \| Removed the old shell\. Use the new one\. \|/,
    );
    for (const [failOn, code] of [
      ['major', 1],
      ['minor', 1],
      ['unknown', 1],
    ] as const) {
      const checked = await ask('--fail-on', failOn);
      assert.equal(checked.code, code);
      assert.match(checked.stderr, new RegExp(`--fail-on ${failOn} cannot judge 1 of 2 changes: 1 not tracked\n`));
    }
    const rows = JSON.parse((await ask('--json')).stdout).packages;
    assert.deepEqual(
      rows.map(({ name, risk }: { name: string; risk: string }) => [name, risk]),
      [
        ['acme-cli', 'major'],
        ['dark', 'not_tracked'],
      ],
    );
    const terminal = await cli.run(['whats-changed', '--lockfile', ...files], { columns: 90 });
    assert.match(
      golden(terminal.stdout),
      /^1 of 2 changed packages breaks, a direct dependency\.\n[\s\S]*<red>◆<\/> +acme-cli[\s\S]*\n1 breaks, 1 not known\.\n[\s\S]*<b>2\.0\.0<\/>/,
    );
    const manifest = await cli.run(['whats-changed', '--manifest', `${disk.root}/package.json`]);
    // The lockfile beside the manifest already has the newest version.
    assert.match(
      manifest.stdout,
      /^up to date\tacme-cli\t2\.0\.0\t2\.0\.0\t(?:Nothing changed in this range|2\.0\.0 is the latest version known)\t/,
    );
    assert.equal((await cli.run(['whats-changed', 'cli', '1.1.0', '2.0.0', '--fail-on', 'major'])).code, 1);
    assert.equal((await cli.run(['whats-changed', 'cli', '1.0.0', '1.1.0', '--fail-on', 'minor'])).code, 0);
    assert.equal((await cli.run(['whats-changed', 'nobody', '1', '2', '--fail-on', 'unknown'])).code, 1);

    const refused: [args: string[], stderr: RegExp][] = [
      [['whats-changed', 'a', '1'], /give a package and two versions/],
      [['whats-changed', '--lockfile', 'a'], /--lockfile needs an old and a new file/],
      [['whats-changed', '--lockfile', 'a', 'b', '--manifest', 'c'], /exclude each other/],
      [['whats-changed', 'a', '1', '2', '--offline'], /--offline needs --lockfile/],
      [['whats-changed', '--manifest', 'c', 'd'], /no further arguments/],
      [['whats-changed', 'a', '1', '2', '--fail-on', 'none'], /--fail-on must be one of major, minor, unknown/],
    ];
    for (const [args, stderr] of refused) {
      const run = await cli.run(args);
      assert.match(run.stderr, stderr);
      assert.equal(run.code, 2);
    }
    await disk.remove();
  });

  it('the other reads', async () => {
    const cases: [args: string[], stdout: RegExp][] = [
      [
        ['search', 'faster', 'parser'],
        /^release\tacme\/cli\t1\.1\.0\t2026-01-12T10:00:00\.000Z\tAcme CLI 1\.1\.0: A faster parser/m,
      ],
      [['search', 'acme', '--type', 'orgs'], /^org\tacme\t\t\tAcme Tools\torg_\w+\n$/],
      [['org', 'list'], /^acme\tAcme Tools\tacme\.example\t2\t3\t/m],
      [['org', 'overview', 'acme'], /^Acme makes tools\.\n$/],
      [['org', 'manifest', 'acme'], /^\{"\$schema".*"version":2/],
      [['collection', 'list'], /^tools\tTools\t1\t\n$/],
      [['collection', 'get', 'tools'], /^member\tacme\/acme-cli \(Acme CLI\)$/m],
      [['stats'], /^releases\t3$/m],
      [['lookup', 'acme.example'], /^org\tacme$/m],
      [['changelog', 'acme/cli', '--all'], /^# Changelog\n\n## 2\.0\.0\n[\s\S]*A faster parser\.\n$/],
      [['source', 'changelog', 'acme/cli', '--json'], /^\{"path":"CHANGELOG\.md"/],
      [['latest', '--md'], /^---\nfeed: latest\n/],
      [['get', 'acme', '--md'], /^---\nname: Acme Tools\n/],
      [['latest', '--source', 'acme/cli', '--breaking', 'major'], /^[^\n]*\t2\.0\.0\tmajor\t[^\n]*\n$/],
      [['latest', '--product', 'acme/acme-cli', '--since', '2026-01-15'], /^[^\n]*\t2\.0\.0\tmajor\t[^\n]*\n$/],
    ];
    for (const [args, stdout] of cases) {
      const run = await cli.run(args);
      assert.match(run.stdout, stdout, `${args.join(' ')}: ${run.stderr}`);
      assert.equal(run.code, 0);
    }
  });

  it('1 and 2: one line on stderr, an envelope with --json, nothing on stdout', async () => {
    const cases: [args: string[], code: number, stderr: RegExp][] = [
      [['org', 'get', 'nobody'], 1, /^registry: org not found: nobody; `registry search` finds names\n$/],
      [['org', 'get', 'nobody', '--json'], 1, /^\{"error":\{"code":"not_found","type":"not_found",/],
      [['org', 'overview', 'other'], 1, /other has no overview/],
      [['lookup', 'nobody.example'], 1, /^registry: domain not found: nobody\.example/],
      [['latest', '--since', 'soon'], 1, /^registry: since: /],
      [['latest', '--server', 'http://127.0.0.1:9', '--no-auth'], 1, /does not answer \(.*is the server running\?/],
      [['org', 'get'], 2, /^registry: use `registry org get <org> \[options\]`; /],
      [['org', 'get', 'a', 'b'], 2, /^registry: use `registry org get/],
      [['org', 'gte', 'a'], 2, /did you mean `registry org get`\?/],
      [['org'], 2, /needs one of list, get/],
      [['search', 'x', '--type', 'things'], 2, /--type must be one of packages, orgs, products/],
      [['latest', '--count', 'many', '--json'], 2, /^\{"error":\{"code":"usage","type":"validation",/],
      [['latest', '--server', 'nowhere'], 2, /the server must be an http or https address/],
      [['latest', '-f', '--all'], 2, /--all and --follow exclude each other/],
      [['get', 'acme', '--json', '--md'], 2, /exclude each other/],
    ];
    for (const [args, code, stderr] of cases) {
      const run = await cli.run(args);
      assert.match(run.stderr, stderr, args.join(' '));
      assert.deepEqual([run.code, run.stdout, run.stderr.split('\n').length], [code, '', 2], args.join(' '));
    }
  });

  it('0: help on a group and on a command, with examples', async () => {
    for (const args of [
      ['org', '--help'],
      ['help', 'org'],
    ]) {
      assert.match((await cli.run(args)).stdout, /org releases +Releases of all sources of an org/);
    }
    assert.match(
      (await cli.run(['help', 'org', 'get'])).stdout,
      /<org> +slug, id or domain[\s\S]*Examples:\n {2}registry/,
    );
  });

  it('latest -f: the list, then what comes, and 130 at an interrupt', async () => {
    const row = (version: string) =>
      releaseRow(version, { title: `Acme CLI ${version}`, publishedAt: '2026-01-30T10:00:00.000Z' });
    let posted: Promise<unknown> | null = null;
    const run = await cli.run(['latest', '-f', '--source', 'acme/cli', '--json'], {
      onLine(printed, interrupt) {
        const versions = printed.split('\n').map((line) => JSON.parse(line).version);
        if (versions.length === 3)
          posted ??= postReleases(as(app.ctx, 'admin'), sourceId, [row('2.1.0-rc.1'), row('2.1.0')]);
        if (versions.includes('2.1.0')) interrupt();
      },
    });
    await posted;

    const versions = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).version);
    assert.deepEqual(versions, ['1.0.0', '1.1.0', '2.0.0', '2.1.0']);
    assert.equal(run.code, 130);
  });

  if (engine.name === 'sqlite') {
    it('whats-changed --offline: Python files are rows of which nothing is known', async () => {
      const disk = await openDisk();
      const poetry = (version: string) => `[[package]]\nname = "flask"\nversion = "${version}"\n`;
      await disk.write('old.lock', poetry('2.0.0'));
      await disk.write('poetry.lock', poetry('3.0.0'));
      await disk.write('base.txt', 'flask==2.0.0\n');
      await disk.write('requirements.txt', 'flask==3.0.0\n');
      for (const files of [
        ['old.lock', 'poetry.lock'],
        ['base.txt', 'requirements.txt'],
      ]) {
        const paths = files.map((name) => `${disk.root}/${name}`);
        const run = await cli.run(['whats-changed', '--lockfile', ...paths, '--offline']);
        assert.match(run.stdout, /^not known\tflask\t2\.0\.0\t3\.0\.0\t/);
        assert.match(run.stderr, /--offline finds notes of npm packages only/);
        assert.equal(run.code, 0, run.stderr);
      }
      await disk.remove();
    });

    it('whats-changed --offline: by the changelogs in node_modules alone, and nothing is left behind', async () => {
      const disk = await openDisk();
      const lock = (version: string) =>
        JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/engine': { version } } });
      const notes =
        '## 2.0.0\n\n### Breaking changes\n\n- Removed `start`. Use `run` instead.\n\n## 1.1.0\n\n- Faster.\n\n## 1.0.0\n\n- First.\n';
      await disk.write('base.json', lock('1.0.0'));
      await disk.write('package-lock.json', lock('2.0.0'));
      await disk.package(
        'node_modules/engine',
        { name: 'engine', version: '2.0.0', repository: 'acme/engine' },
        `# Changelog\n\n${notes}`,
      );
      const args = [
        'whats-changed',
        '--lockfile',
        `${disk.root}/base.json`,
        `${disk.root}/package-lock.json`,
        '--offline',
      ];
      const temporary = await scratchFolder('registry-tmp-');
      // The temporary registry uses the temporary folder of the process.
      const before = process.env.TMPDIR;
      process.env.TMPDIR = temporary;
      try {
        const run = await cli.run([...args, '--md', '--fail-on', 'major'], {
          env: { REGISTRY_API_URL: 'http://127.0.0.1:9' },
        });
        assert.match(run.stdout, /\| \*\*Breaks\*\* \| `engine` \(indirect\) \| 1\.0\.0 → 2\.0\.0 \|/);
        assert.match(run.stdout, /Removed/);
        assert.doesNotMatch(run.stdout, /localhost|\[release\]/);
        assert.equal(run.code, 1, run.stderr);
        assert.deepEqual(await readdir(temporary), []);
      } finally {
        if (before === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = before;
        await rm(temporary, { recursive: true });
        await disk.remove();
      }
    });

    it('as a process: 130 at SIGINT, 0 when nobody reads on', async () => {
      const env = { REGISTRY_API_URL: service.url, XDG_CONFIG_HOME: cli.configHome };
      const follower = startRegistry(['latest', '-f'], env);
      await follower.printed(/1\.0\.0/);
      follower.child.kill('SIGINT');
      const { code, stderr } = await follower.ended;
      assert.deepEqual([code, stderr], [130, '']);

      const reader = spawn(process.execPath, [...NODE_FLAGS, LAUNCHER, 'latest', '-f'], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      await once(reader.stdout, 'data');
      reader.stdout.destroy();
      await postReleases(as(app.ctx, 'admin'), sourceId, [
        releaseRow('2.2.0', { publishedAt: '2026-01-31T10:00:00.000Z' }),
      ]);
      assert.deepEqual(await once(reader, 'close'), [0, null]);
    });
  }
});
