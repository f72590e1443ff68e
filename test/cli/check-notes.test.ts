// Notes of a check without a server: inside of packages, and in the public repositories that they name.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, it } from 'node:test';
import { elementAt } from '../../src/domain/records.ts';
import { createCli } from '../support/cli.ts';
import { type HostedFixture, startCodeHost } from '../support/code-host.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

type Hosting = Parameters<typeof startCodeHost>[1];

const at = (repository: unknown, exported = 'a') => ({
  manifest: { types: 'index.d.ts', main: 'index.js', ...(repository ? { repository } : {}) },
  files: { 'index.js': '', 'index.d.ts': `export declare const ${exported}: number;` },
});
const two = (repository: unknown, exported: string): Versions => {
  return { '1.0.0': at(repository), '2.0.0': at(repository, exported) };
};

const BREAKING = '## Breaking\n\n- `lamp.dim()` was removed, use `lamp.level()` instead.\n';

const CODE = "const lamp = require('lamp');\nlamp.dim(3);\n";

// A project with one dependency a repository, a registry that names them at the host, and a run of the check.
async function checked(
  repositories: Record<string, HostedFixture>,
  {
    hosting = {},
    named = () => ({}),
    broken = '',
    code = CODE,
  }: { hosting?: Hosting; named?: (url: string) => Record<string, unknown>; broken?: string; code?: string } = {},
) {
  const host = await startCodeHost(repositories, hosting);
  after(host.close);
  const own = Object.keys(repositories).map((path) => [path.split('/')[1] ?? '', `${host.url}/${path}`]);
  const packages = Object.fromEntries(
    Object.entries({ ...Object.fromEntries(own), ...named(host.url) }).map(([name, repository]) => [
      name,
      two(repository, name === broken ? 'b' : 'a'),
    ]),
  );
  const registry = await startNpmRegistry(packages);
  after(registry.close);
  const folder = await scratchFolder('registry-check-');
  after(() => rm(folder, { recursive: true, force: true }));
  const names = Object.keys(packages);
  const files = {
    'package.json': { name: 'house', dependencies: Object.fromEntries(names.map((name) => [name, '^1.0.0'])) },
    'package-lock.json': {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: Object.fromEntries(names.map((name) => [name, '^1.0.0'])) },
        ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
      },
    },
    'src/room.js': code,
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const cli = await createCli('');
  const run = async (args: string[] = [], more: Record<string, string> = {}) => {
    const env = {
      REGISTRY_API_URL: '',
      REGISTRY_NPM_URL: registry.url,
      REGISTRY_EGRESS_ALLOW: `${registry.host},${host.host}`,
      XDG_CACHE_HOME: join(folder, '.cache'),
      ...host.env,
      ...more,
    };
    return cli.run(['check', '--folder', folder, ...args], { env });
  };
  const report = async (args: string[] = [], more: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await run([...args, '--json'], more);
    assert.ok(code === 0 || code === 3, stderr);
    return JSON.parse(stdout);
  };
  return { host, registry, run, report };
}

interface ShownRow {
  judgement: string;
  reason: string;
  notes: { by: string | null; why?: string; reason?: string };
  use: { use: string; places: object[] };
  steps: { forms?: { form: string; places: object[] }[] }[];
}
const row = (report: { packages: (ShownRow & { package: string })[] }, name: string) =>
  elementAt(
    report.packages,
    report.packages.findIndex((one) => one.package === name),
  );

it('a release of the repository tells what the types do not show', async () => {
  const { report, run, host } = await checked({
    'acme/lamp': {
      releases: [
        { tag: 'v2.0.0', body: BREAKING },
        { tag: 'v1.0.0', body: 'First.' },
      ],
    },
    'acme/silent': {},
  });
  const said = await report();
  assert.equal(row(said, 'lamp').judgement, 'breaks');
  assert.deepEqual(row(said, 'lamp').notes, { by: 'repository', host: host.host });
  assert.match(row(said, 'lamp').reason, /lamp\.dim\(\)/);
  assert.deepEqual(row(said, 'lamp').use.places, [{ file: 'src/room.js', line: 2 }]);
  assert.equal(row(said, 'silent').judgement, 'not_known');
  assert.deepEqual(row(said, 'silent').notes, { by: null, why: 'nothing', host: host.host });
  const { stderr } = await run();
  assert.match(stderr, /Notes: 1 of 2 read, at 127\.0\.0\.1:\d+; 1 not: 1 its repository has none/);
});

it('the changelog file tells where there are no releases, in the folder of the package', async () => {
  const changelog = '# Changelog\n\n## 2.0.0\n\n- Breaking: `dim` was removed.\n\n## 1.0.0\n\n- First.\n';
  const { report, host } = await checked(
    {
      'acme/lamp': { files: { 'CHANGELOG.md': changelog } },
      'acme/many': { files: { 'packages/oven/CHANGELOG.md': changelog } },
    },
    { named: (url) => ({ oven: { url: `${url}/acme/many`, directory: 'packages/oven' } }) },
  );
  assert.equal(row(await report(), 'oven').judgement, 'breaks');
  assert.equal(row(await report(), 'lamp').judgement, 'breaks');
  const asked = host.seen.filter(({ path }) => path.includes('acme/lamp')).map(({ path }) => path);
  assert.deepEqual(asked, [
    '/api/v3/repos/acme/lamp/releases?per_page=100',
    '/api/v3/repos/acme/lamp/contents/CHANGELOG.md',
  ]);
});

it('a second check asks nothing, and a later one only whether something changed', async () => {
  const { report, host } = await checked({ 'acme/lamp': { releases: [{ tag: 'v2.0.0', body: BREAKING }] } });
  await report();
  const before = host.seen.length;
  assert.equal(row(await report(), 'lamp').judgement, 'breaks');
  assert.equal(row(await report(['--offline']), 'lamp').judgement, 'breaks');
  assert.equal(host.seen.length, before);
});

it('a token is used for what strangers see, and for nothing else', async () => {
  const token = 'ghp_secret';
  const { report, host } = await checked(
    {
      'acme/lamp': { releases: [{ tag: 'v2.0.0', body: BREAKING }], files: { 'CHANGELOG.md': '# Changelog\n' } },
      'mine/plans': { releases: [{ tag: 'v2.0.0', body: 'The secret plan.' }], isPrivate: true },
    },
    { hosting: { token } },
  );
  const said = await report([], { GITHUB_TOKEN: token });
  assert.equal(row(said, 'lamp').judgement, 'breaks');
  assert.equal(row(said, 'plans').notes.why, 'missing');
  assert.doesNotMatch(JSON.stringify(said), /secret plan/);
  const [first] = host.seen.filter(({ path }) => path.includes('acme/lamp'));
  assert.deepEqual([first?.method, first?.authorization], ['HEAD', undefined]);
  assert.ok(
    host.seen.some(({ authorization, path }) => authorization === `Bearer ${token}` && path.includes('acme/lamp')),
  );
  assert.ok(host.seen.every(({ authorization, path }) => !authorization || path.startsWith('/api/v3/repos/acme/lamp')));
  assert.ok(host.seen.filter(({ path }) => path.includes('acme/lamp')).length <= 8);
});

it('a token goes along no redirect, and a private address is never reached through one', async () => {
  const token = 'ghp_secret';
  const inside = await startCodeHost({ 'acme/lamp': { releases: [{ tag: 'v2.0.0', body: 'Inside.' }] } });
  after(inside.close);
  const { report, host } = await checked(
    { 'acme/lamp': {} },
    {
      hosting: {
        token,
        before: ({ url = '', method }, response) => {
          if (method === 'HEAD') return false;
          response.writeHead(302, { location: `${inside.url}${url}` }).end();
          return true;
        },
      },
    },
  );
  for (const more of [{ GITHUB_TOKEN: token }, { GITHUB_TOKEN: '' }]) {
    const said = await report([], more);
    assert.equal(row(said, 'lamp').notes.by, null);
  }
  assert.deepEqual(inside.seen, []);
  assert.ok(host.seen.length > 0);
});

it('hosts that limit, hang up, answer pages or endless bodies are told with their reason', async () => {
  const cases: [hosting: Hosting, why: RegExp][] = [
    [
      { quota: 0 },
      /could not be asked \(127\.0\.0\.1:\d+ wants no more requests before \d\d:\d\d UTC; with GITHUB_TOKEN/,
    ],
    [
      { before: (_, response) => Boolean(response.writeHead(429, { 'retry-after': '60' }).end()) },
      /could not be asked \(127\.0\.0\.1:\d+ wants no more requests/,
    ],
    [
      { before: (_, response) => Boolean(response.end('<html>Sign in</html>')) },
      /could not be read \(.*not what such a host says/,
    ],
    [{ before: ({ socket }) => Boolean(socket.destroy()) }, /could not be read/],
    [
      {
        before: (_, response) => {
          const block = Buffer.alloc(1_000_000, 'x');
          const write = () => {
            while (!response.destroyed && response.write(block));
          };
          response.on('drain', write);
          write();
          return true;
        },
      },
      /could not be read \(.*too long/,
    ],
  ];
  for (const [hosting, why] of cases) {
    const { run, host } = await checked({ 'acme/lamp': {} }, { hosting });
    const { code, stderr } = await run();
    assert.equal(code, 0);
    assert.match(stderr, why);
    assert.ok(host.seen.length <= 2);
  }
});

it('the packages that break are asked about first where a host allows few requests', async () => {
  const { report, host } = await checked(
    { 'acme/lamp': {}, 'acme/oven': {}, 'acme/zoo': { releases: [{ tag: 'v2.0.0', body: BREAKING }] } },
    { hosting: { quota: 1 }, broken: 'zoo' },
  );
  const said = await report();
  const by = ['zoo', 'lamp', 'oven'].map((name) => row(said, name).notes.by ?? row(said, name).notes.why);
  assert.deepEqual(by, ['repository', 'limited', 'limited']);
  assert.ok(host.seen.every(({ status }) => status !== 403));
});

it('repositories elsewhere, and those of private packages, are not asked', async () => {
  const stranger = await startCodeHost({ 'acme/far': { releases: [{ tag: 'v2.0.0', body: BREAKING }] } });
  after(stranger.close);
  const { report, host } = await checked(
    { 'acme/lamp': { releases: [{ tag: 'v2.0.0', body: BREAKING }] } },
    { named: () => ({ far: `${stranger.url}/acme/far`, metadata: 'http://169.254.169.254/acme/x', none: null }) },
  );
  const said = await report([], { REGISTRY_EGRESS_ALLOW: '' });
  assert.match(row(said, 'lamp').notes.reason ?? '', /target refused/);
  assert.deepEqual(host.seen, []);
  const whole = await report();
  assert.deepEqual(
    ['far', 'metadata', 'none'].map((name) => row(whole, name).notes.why),
    ['other_host', 'other_host', 'no_repository'],
  );
  assert.deepEqual(stranger.seen, []);
  const before = host.seen.length;
  assert.equal(row(await report(['--notes', 'package']), 'lamp').notes.why, 'not_asked');
  assert.equal(row(await report(['--notes', 'none']), 'lamp').notes.why, 'off');
  assert.equal(host.seen.length, before);
});

it('a form of code that the notes speak of is shown where the project has it, and never as proof', async () => {
  const body = "## Breaking\n\n- `lamp.dim('low')` and the optional `?` of `/:room?` are no longer supported.\n";
  const { report, run } = await checked(
    { 'acme/lamp': { releases: [{ tag: 'v2.0.0', body }] } },
    { code: "const lamp = require('lamp');\nlamp.dim('high');\nlamp.dim('low');\nlamp.at('/:kitchen?');\n" },
  );
  const { use, steps } = row(await report(), 'lamp');
  assert.deepEqual(
    steps.flatMap(({ forms = [] }) => forms.map(({ form, places }) => [form, places])),
    [
      ["lamp.dim('low')", [{ file: 'src/room.js', line: 3 }]],
      ['/:room?', [{ file: 'src/room.js', line: 4 }]],
    ],
  );
  assert.notEqual(use.use, 'not_used');
  const [details, markdown, sarif] = [await run(['--details']), await run(['--md']), await run(['--sarif'])];
  assert.match(details.stdout, /the notes speak of lamp\.dim\('low'\); you have this form at src\/room\.js:3/);
  assert.match(markdown.stdout, /the notes speak of `lamp\.dim\('low'\)`; you have this form at src/);
  const notes = JSON.parse(sarif.stdout).runs[0].results.filter(({ level }: { level: string }) => level === 'note');
  assert.deepEqual(
    notes.map(({ ruleId }: { ruleId: string }) => ruleId),
    ['form_in_notes', 'form_in_notes'],
  );
});
