// Operator commands and completion against a real service.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { type Disk, openDisk } from '../../src/ingest/local-import/disk.fixture.ts';
import { type Cli, type CliOptions, createCli, golden } from '../support/cli.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { type OutsideWorld, startOutsideWorld } from '../support/outside-world.ts';
import { LAUNCHER } from '../support/program.ts';
import { type Service, startService } from '../support/service.ts';

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme notes</title>
<item><title>Version 3.1.0</title><link>https://acme.example/3.1</link><guid>a</guid><pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate><description>Faster.</description></item>
</channel></rss>`;

forEachEngine('commands of operators', (engine) => {
  let app: App;
  let service: Service;
  let cli: Cli;
  let world: OutsideWorld;
  let disk: Disk;

  before(async () => {
    world = await startOutsideWorld();
    world.route('/feed.xml', { body: FEED, headers: { 'content-type': 'application/rss+xml' } });
    app = await engine.openTestApp({ env: { REGISTRY_EGRESS_ALLOW: '127.0.0.1', REGISTRY_HOST_DELAY_MS: '0' } });
    service = await startService(app);
    cli = await createCli(service.url);
    disk = await openDisk();
  });
  after(() => Promise.all([world.close(), disk.remove()]));

  const run = (args: string[], options: CliOptions = {}) =>
    cli.run(['admin', ...args], { ...options, env: { REGISTRY_API_KEY: ROOT_KEY, ...options.env } });
  const done = async (args: string[], stdout: RegExp, options: CliOptions = {}) => {
    const ended = await run(args, options);
    assert.match(golden(ended.stdout), stdout, `${args.join(' ')}: ${ended.stderr}`);
    assert.equal(ended.code, 0, args.join(' '));
    return ended.stdout;
  };
  const json = async (args: string[]) => JSON.parse(await done([...args, '--json'], /^[{[]/));

  it('orgs and products: create, edit, delete, restore', async () => {
    const org = await json(['org', 'create', 'Acme', '--domain', 'acme.example', '--tags', 'tools, cli', '--featured']);
    assert.deepEqual([org.slug, org.featured, org.tags], ['acme', true, ['cli', 'tools']]);
    await done(['org', 'edit', 'acme', '--description', 'Makes tools', '--no-featured'], /^featured\tno$/m);
    await done(['org', 'edit', 'acme', '--clear', 'description'], /^slug\tacme$/m);
    await done(['org', 'dependents', 'acme'], /^counts\t\{"products":0/m);
    const product = await json(['product', 'create', 'acme', 'Acme CLI', '--slug', 'acme-cli', '--kind', 'tool']);
    await done(['product', 'edit', 'acme/acme-cli', '--kind', 'sdk'], /^kind\tsdk$/m);
    await done(['product', 'delete', 'acme/acme-cli', '--yes'], /^deleted acme\/acme-cli\n$/);
    await done(['product', 'restore', product.id], /^slug\tacme-cli$/m);
    await json(['org', 'create', 'Gone']);
    await done(['org', 'delete', 'gone', '--hard'], /^deleted gone for good\n$/, { answers: ['y'] });

    const cases: [args: string[], code: number, stderr: RegExp, options?: CliOptions][] = [
      [['org', 'edit', 'acme'], 2, /say what to change/],
      [['org', 'edit', 'acme', '--featured', '--no-featured'], 2, /exclude each other/],
      [['org', 'edit', 'acme', '--clear', 'name'], 2, /--clear takes domain, /],
      [['org', 'delete', 'acme'], 2, /there is nobody to ask; add --yes/],
      [['org', 'delete', 'acme'], 1, /nothing was done/, { answers: ['n'] }],
      [['product', 'create', 'acme', 'X', '--kind', 'thing'], 2, /--kind must be one of platform/],
      [['org', 'create', 'Acme'], 1, /already exists/],
      [
        ['org', 'create', 'Other'],
        1,
        /run `registry login`, or set REGISTRY_API_KEY/,
        { env: { REGISTRY_API_KEY: '' } },
      ],
    ];
    for (const [args, code, stderr, options] of cases) {
      const ended = await run(args, options);
      assert.match(ended.stderr, stderr, args.join(' '));
      assert.deepEqual([ended.code, ended.stdout], [code, ''], args.join(' '));
    }
  });

  it('sources: evaluate, add, create, fetch, edit, delete', async () => {
    const url = `${world.url}/feed.xml`;
    await done(['evaluate', url], /^method\tfeed /m);
    await done(['source', 'add', url, '--org', 'acme', '--name', 'Notes'], /^created notes \(src_…\)$/m, {
      answers: ['y'],
    });
    const known = await run(['source', 'add', url, '--yes']);
    assert.deepEqual([known.code, /src_\w+ reads this address already; add --again/.test(known.stderr)], [1, true]);
    const asked = await run(['source', 'add', url, '--org', 'acme'], { answers: ['n'] });
    assert.deepEqual([asked.code, /nothing was done/.test(asked.stderr)], [1, true]);
    await done(['source', 'add', url, '--org', 'acme', '--name', 'Twice', '--again', '--yes'], /^created twice/m);
    await done(['source', 'delete', 'acme/twice', '--yes'], /^deleted acme/);
    assert.equal((await run(['source', 'add', url])).code, 2);
    await done(['fetch', 'acme/notes', '--dry-run'], /^status\tdry_run$/m);
    await done(['fetch', 'acme/notes', '--silent'], /^releasesInserted\t1$/m);
    await done(['log', '--source', 'acme/notes'], /^\S+\tacme\/notes\tsuccess\t1\t1\t\d+\t\n/);
    const created = await json([
      'source',
      'create',
      'https://acme.example/x',
      '--name',
      'Page',
      '--org',
      'acme',
      '--product',
      'acme-cli',
    ]);
    assert.equal(created.productSlug, 'acme-cli');
    await done(['source', 'edit', 'acme/page', '--fetch-priority', 'paused', '--hidden'], /^fetchPriority\tpaused$/m);
    await done(['source', 'delete', created.id, '--yes'], /^deleted src_…\n$/);
    await done(['source', 'restore', created.id], /^slug\tpage$/m);
    await done(['stuck'], /^$/);
  });

  it('releases: add one or many, edit, suppress, cover, delete', async () => {
    const notes = join(disk.root, 'notes.md');
    const many = join(disk.root, 'many.json');
    writeFileSync(notes, '### Fixed\n\n- A crash.\n');
    writeFileSync(
      many,
      JSON.stringify([
        { title: 'Four', version: '4.0.0', content: 'x' },
        { title: 'Five', version: '5.0.0', content: 'y' },
      ]),
    );
    await done(['release', 'add', 'acme/notes', '--version', '3.2.0', '--content-file', notes, '--silent'], /\n/);
    await done(['release', 'add', 'acme/notes', '--file', many], /^inserted\t2$/m);
    assert.equal((await run(['release', 'add', 'acme/notes'])).code, 2);
    assert.equal((await run(['release', 'add', 'acme/notes', '--file', notes])).code, 1);
    const { body } = await service.anonymous.get('/v1/orgs/acme/sources/notes/releases');
    const idOf = (version: string) => body.releases.find((one: { version: string }) => one.version === version).id;
    const [three, four, five] = [idOf('3.2.0'), idOf('4.0.0'), idOf('5.0.0')];
    assert.equal(body.releases.find(({ id }: { id: string }) => id === three).content, '### Fixed\n\n- A crash.\n');

    await done(['release', 'edit', four, '--breaking', 'major', '--importance', '5'], /^changed rel_…\n$/);
    assert.equal((await service.anonymous.get(`/v1/releases/${four}`)).body.breaking, 'major');
    await done(['release', 'suppress', four, '--reason', 'wrong'], /^suppressed/);
    assert.equal((await service.anonymous.get(`/v1/releases/${four}`)).status, 404);
    await done(['release', 'unsuppress', four], /^back again/);
    await done(['release', 'cover', five, four], /^linked\t1$/m);
    await done(['release', 'uncover', four], /\n/);
    await done(['release', 'delete', three, '--yes'], /^deleted rel_…\n$/);
    assert.equal((await run(['release', 'delete', 'acme'])).code, 2);
  });

  it('collections, notice, tokens, webhooks, dead letters, audit', async () => {
    await json(['collection', 'create', 'Build tools', '--featured']);
    await done(['collection', 'add', 'build-tools', 'acme/acme-cli'], /^added/);
    await done(['collection', 'add', 'build-tools', 'acme'], /^added/);
    await done(['collection', 'remove', 'build-tools', 'acme'], /^removed/);
    await done(['collection', 'edit', 'build-tools', '--description', 'For builds'], /^description\tFor builds$/m);
    const members = (await service.anonymous.get('/v1/collections/build-tools')).body.members;
    assert.deepEqual(
      members.map(({ slug }: { slug: string }) => slug),
      ['acme-cli'],
    );
    await done(['collection', 'delete', 'build-tools', '--yes'], /^deleted build-tools\n$/);

    await done(['notice', 'set', 'Slow today', '--color', '#aa5500'], /^the notice is set\n$/);
    await done(['notice', 'show'], /^message\tSlow today$/m);
    await done(['notice', 'clear'], /no longer shown/);
    assert.equal((await service.anonymous.get('/v1/site-notice')).body.notice, null);

    const token = await json(['token', 'create', 'build', '--scopes', 'write']);
    assert.equal((await service.as(token.token).get('/v1/tokens/me')).body.name, 'build');
    await done(['token', 'edit', token.id, '--scopes', 'read'], /^scopes\tread$/m);
    await done(['token', 'list', '--active'], /^tok_…\tbuild\tread\tactive\t/m);
    await done(['token', 'revoke', token.id, '--yes'], /^revoked tok_…\n$/);
    assert.equal((await service.as(token.token).get('/v1/tokens/me')).status, 401);

    const notes = join(disk.root, 'NOTES.md');
    await writeFile(notes, '## 7.1.0\n\n- Faster\n');
    const feed = { name: 'Published', url: 'https://acme.example/published', type: 'feed', orgSlug: 'acme' };
    const { body: source } = await service.root.post('/v1/sources', feed);
    const bound = await json(['token', 'create', 'release job', '--scopes', 'publish', '--source', source.id]);
    await done(['token', 'list', '--active'], /\trelease job\tpublish\tactive\t.*src_…/m);
    const publish = (...args: string[]) =>
      cli.run(['publish', '7.1.0', '--source', source.id, ...args], { env: { REGISTRY_API_KEY: bound.token } });
    assert.match((await publish('--changelog', notes, '--dry-run')).stdout, /^outcome\twould be published$/m);
    assert.match((await publish('--changelog', notes)).stdout, /^outcome\tpublished$/m);
    const repeated = await publish('--changelog', notes);
    assert.match(repeated.stdout, /^outcome\twas published with the same text before$/m);
    assert.equal((await publish()).code, 2);
    const pipe = join(disk.root, 'PIPE.md');
    execFileSync('mkfifo', [pipe]);
    assert.match((await publish('--changelog', pipe)).stderr, /PIPE\.md cannot be read: it is no regular file/);
    await service.root.delete(`/v1/sources/${source.id}`);

    const hook = await json(['webhook', 'add', 'https://hooks.example/in', '--org', 'acme']);
    await done(['webhook', 'list'], /^whk_…\tacme\/\*\t/m);
    await done(['webhook', 'pause', hook.id], /^state\tpaused/m);
    await done(['webhook', 'delete', hook.id, '--yes'], /^deleted whk_…\n$/);
    assert.equal((await run(['webhook', 'add', 'https://hooks.example/in'])).code, 2);
    assert.match((await run(['dlq', 'list'])).stderr, /no delivery was given up/);
    assert.equal((await run(['dlq', 'replay', 'dlv_x'])).code, 1);
    await done(['log', 'audit', '--action', 'org.create', '--limit', '1'], /^\S+\troot\torg\.create\torg\torg_…\n$/);
  });

  it('completion: commands, options, and names that are remembered for an hour', async () => {
    const cache = join(disk.root, 'cache');
    const ask = async (...words: string[]) => {
      const { stdout } = await cli.run(['__complete', '--', ...words], { env: { XDG_CACHE_HOME: cache } });
      return stdout.split('\n').slice(0, -1);
    };

    assert.deepEqual(await ask('wha'), ['whats-changed']);
    assert.deepEqual(await ask('org', 'get', 'a'), ['acme']);
    assert.deepEqual(await ask('source', 'get', 'acme/'), ['acme/notes']);
    assert.deepEqual(await ask('latest', '--min'), ['--min-breaking', '--min-importance']);
    assert.deepEqual(await ask('whats-changed', '--fail-on', 'm'), ['major', 'minor']);
    assert.deepEqual(await ask('whats-changed', '--manifest', ''), [':files']);
    assert.ok(!(await ask('')).includes('__complete'));

    await service.root.post('/v1/orgs', { name: 'Aardvark' });
    assert.deepEqual(await ask('org', 'get', 'a'), ['acme']);
    const file = join(cache, 'registry', readdirSync(join(cache, 'registry'))[0] ?? '');
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    const hourOld = (more: object) =>
      writeFileSync(file, JSON.stringify({ ...stored, at: stored.at - 3_600_001, ...more }));
    hourOld({ orgs: ['a-known-one'] });
    const offline = { XDG_CACHE_HOME: cache, REGISTRY_API_URL: service.url };
    assert.deepEqual(await ask('org', 'get', 'a'), ['acme']);
    hourOld({ orgs: ['a; rm -rf /'] });
    assert.deepEqual(await ask('org', 'get', 'a'), ['acme']);
    const nowhere = await cli.run(['__complete', '--', 'org', 'get', ''], {
      env: { ...offline, REGISTRY_API_URL: 'http://127.0.0.1:9' },
    });
    assert.deepEqual([nowhere.code, nowhere.stdout, nowhere.stderr], [0, '', '']);
    const empty = await cli.run(['__complete', '--empty', '--', 'completion']);
    assert.equal(empty.stdout, 'bash\nzsh\nfish\npowershell\n');
  });

  if (engine.name === 'sqlite') {
    const parsers: Record<string, string[]> = { bash: ['-n'], zsh: ['-n'], fish: ['--no-execute'] };
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      it(`completion ${shell}: a script that asks back, and that the shell can read where it is installed`, async () => {
        const { code, stdout } = await cli.run(['completion', shell]);
        const file = join(disk.root, `registry.${shell}`);
        writeFileSync(file, stdout);

        assert.equal(code, 0);
        assert.match(stdout, /registry __complete .*--/);
        const parsed = parsers[shell] && spawnSync(shell, [...parsers[shell], file], { encoding: 'utf8' });
        if (parsed && !parsed.error) assert.deepEqual([parsed.status, parsed.stderr], [0, '']);
      });
    }

    it('completion bash: completes in a real shell', async () => {
      const bin = join(disk.root, 'bin');
      await mkdir(bin, { recursive: true });
      await writeFile(join(bin, 'registry'), `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`);
      await chmod(join(bin, 'registry'), 0o755);
      const script = [
        `source "${join(disk.root, 'registry.bash')}"`,
        `COMP_WORDS=(registry whats-changed --fail-on m); COMP_CWORD=3; _registry; echo "\${COMPREPLY[@]}"`,
        `COMP_WORDS=(registry org ""); COMP_CWORD=2; _registry; echo "\${COMPREPLY[@]}"`,
      ].join('\n');
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: disk.root };
      const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env });

      assert.equal(stdout, 'major minor\nlist get releases overview manifest\n', stderr);
    });
  }
});
