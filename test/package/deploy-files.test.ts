// The files for deployment name settings, commands, files and metrics that exist.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/cli/commands.ts';
import { variables } from '../../src/config/settings.ts';
import { readConfig } from '../../src/config.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const DEFAULT_PORT = readConfig({}).port;
const SECRETS = { REGISTRY_SECRET: '5e'.repeat(32), REGISTRY_ROOT_KEY: 'r'.repeat(40) };

// The service accepts the configuration without an error.
function accepts(env: Record<string, string>, where: string): void {
  const unknown = Object.keys(env).filter((name) => name.startsWith('REGISTRY_') && !(name in variables.shape));
  assert.deepEqual(unknown, [], where);
  readConfig(env);
}

function isCommand([name = '', ...args]: string[], where: string): void {
  const command = COMMANDS.find((one) => one.name === name);
  assert.ok(command, `${where}: ${name}`);
  for (const arg of args) assert.ok(arg.replace(/^--/, '') in command.flags, `${where}: ${arg}`);
}

describe('Dockerfile', () => {
  const text = read('Dockerfile').replaceAll('\\\n', ' ');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const all = (instruction: string) =>
    lines.flatMap((line) => (line.startsWith(`${instruction} `) ? line.slice(instruction.length + 1).trim() : []));

  it('holds instructions, and copies what is there and not held back', () => {
    const known = /^(?:ARG|FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD) /;
    assert.deepEqual(
      lines.filter((line) => !known.test(line)),
      [],
    );
    const admitted = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    for (const copy of all('COPY').filter((one) => !one.startsWith('--from'))) {
      for (const path of copy.split(/\s+/).slice(0, -1)) {
        assert.ok(existsSync(join(ROOT, path)), path);
        assert.ok(admitted.includes(path), `${path} in .dockerignore`);
      }
    }
  });

  it('runs a command of ours, with settings that exist, as nobody in particular', () => {
    const env = Object.fromEntries(
      all('ENV')
        .join(' ')
        .split(/\s+/)
        .map((pair) => pair.split('=') as [string, string]),
    );
    accepts(env, 'ENV');
    assert.equal(env.REGISTRY_DATA_DIR, all('VOLUME')[0]);
    assert.deepEqual([env.REGISTRY_PORT, all('EXPOSE')[0]], [String(DEFAULT_PORT), String(DEFAULT_PORT)]);
    isCommand(JSON.parse(all('CMD')[0] ?? '[]'), 'CMD');
    assert.match(all('ENTRYPOINT')[0] ?? '', /bin\/registry\.mjs/);
    assert.deepEqual(all('USER'), ['node']);
    const { engines } = JSON.parse(read('package.json'));
    const [, major] = /^NODE=(\d+)/.exec(all('ARG')[0] ?? '') ?? [];
    assert.ok(Number(major) >= Number(engines.node.replace('>=', '')));
  });
});

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { command?: string[]; environment: Record<string, string>; [key: string]: unknown }>;
    volumes: object;
  };

  it('starts PostgreSQL, migrates once, then serves', () => {
    assert.deepEqual(Object.keys(services), ['secrets', 'database', 'migrate', 'web', 'worker', 'proxy']);
    for (const [name, { command, environment, depends_on: needs, volumes: mounted }] of Object.entries(services)) {
      for (const mount of (mounted as string[]) ?? []) {
        const [from = ''] = mount.split(':');
        assert.ok(from in volumes || (from.startsWith('./') && existsSync(join(ROOT, from))), mount);
      }
      if (['secrets', 'database', 'proxy'].includes(name)) continue;
      isCommand(command ?? [], name);
      assert.ok((mounted as string[]).includes('secrets:/secrets:ro'), name);
      // The variables as compose fills them in when the operator sets none.
      const filled = Object.entries(environment).map(([key, value]) => {
        return [key, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')] as const;
      });
      accepts({ ...SECRETS, ...Object.fromEntries(filled) }, name);
      assert.deepEqual(Object.keys(needs as object), [name === 'migrate' ? 'database' : 'migrate']);
    }
    // Only the proxy holds a port of the machine, so that web processes can be added.
    const published = Object.entries(services).flatMap(([name, { ports }]) => (ports ? [[name, ports]] : []));
    assert.deepEqual(published, [['proxy', [`127.0.0.1:${DEFAULT_PORT}:${DEFAULT_PORT}`]]]);
  });

  it('makes its secrets once and starts every process with them', async (test) => {
    const folder = await mkdtemp(join(tmpdir(), 'compose-'));
    test.after(() => rm(folder, { recursive: true }));
    // As compose hands it to the shell, in a folder of the test and without the user of the container.
    const run = (script: string, ...args: string[]) =>
      execFileSync(
        'sh',
        [
          '-ec',
          script
            .replaceAll('$$', '$')
            .replaceAll('/secrets', folder)
            .replace(/^.*chown .*$/m, ''),
          ...args,
        ],
        { env: { PATH: process.env.PATH } },
      ).toString();
    const make = services.secrets?.command?.[0] ?? '';

    run(make);
    const made = readFileSync(join(folder, 'registry.env'), 'utf8');
    run(make);

    assert.equal(readFileSync(join(folder, 'registry.env'), 'utf8'), made, 'a second start keeps them');
    assert.equal(statSync(join(folder, 'registry.env')).mode & 0o077, 0);
    const [, , start = ''] = (services.web?.entrypoint as string[]) ?? [];
    const printed = run(
      start.replace('exec node /app/bin/registry.mjs', 'env; echo'),
      'registry',
      'web',
      '--no-migrate',
    );
    assert.match(printed, /^web --no-migrate$/m);
    const env = Object.fromEntries(
      [...printed.matchAll(/^(REGISTRY_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    accepts(env, 'registry.env');
    assert.equal(
      env.REGISTRY_DATABASE_URL,
      `postgres://registry:${readFileSync(join(folder, 'database-password'), 'utf8')}@database:5432/registry`,
    );
    assert.notEqual(env.REGISTRY_SECRET, env.REGISTRY_ROOT_KEY);
  });

  it('spreads requests over all web processes, and their limits count the client', () => {
    const [site] = directivesOf(read('deploy/compose.Caddyfile'), '\n');
    assert.equal(site?.name, `:${DEFAULT_PORT}`);
    const proxy = site?.children.find(({ name }) => name === 'reverse_proxy')?.children ?? [];
    const find = (wanted: string) => proxy.find(({ name }) => name === wanted)?.args;
    assert.deepEqual(find('dynamic'), ['a', 'web', String(DEFAULT_PORT)]);
    assert.deepEqual([find('flush_interval'), find('trusted_proxies')], [['-1'], ['private_ranges']]);
    const { networks } = parse(read('compose.yaml'), { merge: true });
    assert.equal(services.web?.environment.REGISTRY_TRUSTED_PROXIES, networks.registry.ipam.config[0].subnet);
  });
});

describe('deploy/registry.service', () => {
  const sections: Record<string, [string, string][]> = {};
  let current = '';
  for (const line of read('deploy/registry.service').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const title = /^\[(\w+)\]$/.exec(line)?.[1];
    if (title) current = title;
    else {
      const [, key = '', value = ''] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
      assert.notEqual(key, '', line);
      sections[current] = [...(sections[current] ?? []), [key, value]];
    }
  }
  const valuesOf = (key: string) => (sections.Service ?? []).filter(([name]) => name === key).map(([, value]) => value);

  it('starts the service with settings that exist, and again when it ends', () => {
    assert.deepEqual(Object.keys(sections), ['Unit', 'Service', 'Install']);
    isCommand((valuesOf('ExecStart')[0] ?? '').split(' ').slice(1), 'ExecStart');
    const env = Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=') as [string, string]));
    accepts(env, 'Environment');
    assert.equal(env.REGISTRY_DATA_DIR, `/var/lib/${valuesOf('StateDirectory')[0]}`);
    assert.deepEqual(valuesOf('Restart'), ['always']);
    // Every process ends within ten seconds of SIGTERM.
    assert.ok(Number(valuesOf('TimeoutStopSec')[0]) > 10);
  });

  it('gives it no rights that it does not need', () => {
    const wanted = {
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      UMask: '0077',
    };
    for (const [key, value] of Object.entries(wanted)) assert.deepEqual(valuesOf(key), [value], key);
    assert.deepEqual(valuesOf('CapabilityBoundingSet'), ['']);
    assert.deepEqual(valuesOf('MemoryDenyWriteExecute'), [], 'Node compiles at run time');
  });
});

interface Directive {
  name: string;
  args: string[];
  children: Directive[];
}

// Words, quoted words, and the three characters that structure both kinds of files.
function directivesOf(text: string, end: ';' | '\n'): Directive[] {
  const tokens =
    text
      .replace(/(?<=^|\s)#.*$/gm, '')
      .match(end === ';' ? /"[^"]*"|[{};]|[^\s{};]+/g : /\n|\{(?=\n)|^\t*\}|"[^"]*"|[^\s]+/gm) ?? [];
  const root: Directive = { name: '', args: [], children: [] };
  const stack = [root];
  let words: string[] = [];
  const finish = () => {
    const [name, ...args] = words;
    words = [];
    if (name === undefined) return null;
    const directive: Directive = { name, args, children: [] };
    stack.at(-1)?.children.push(directive);
    return directive;
  };
  for (const raw of tokens) {
    const token = raw === '\n' ? raw : raw.trim();
    if (token === end) finish();
    else if (token === '{') stack.push(finish() ?? assert.fail('a block without a name'));
    else if (token === '}') {
      assert.deepEqual(words, [], 'a directive without its end');
      assert.ok(stack.length > 1, 'a block that ends twice');
      stack.pop();
    } else words.push(token.replace(/^"|"$/g, ''));
  }
  assert.equal(stack.length, 1, 'a block without an end');
  assert.deepEqual(words, []);
  return root.children;
}

function settingsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^#\s+(REGISTRY_\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

const MAX_BODY_SIZE = Math.max(...ROUTES.map(({ bodyLimit = 0 }) => bodyLimit));
const bytes = (text: string) => Number.parseInt(text, 10) * 1024 * 1024;

describe('deploy/nginx.conf', () => {
  const text = read('deploy/nginx.conf');
  const root = directivesOf(text, ';');
  const server = root
    .filter(({ name }) => name === 'server')
    .find(({ children }) => children.some(({ name }) => name === 'location'));
  const find = (list: Directive[] | undefined, name: string) => list?.filter((one) => one.name === name) ?? [];

  it('leads to the port of the service, with TLS and settings that exist', () => {
    accepts(settingsIn(text), 'nginx.conf');
    assert.equal(settingsIn(text).REGISTRY_TRUSTED_PROXIES, '127.0.0.1');
    const upstream = find(root, 'upstream')[0];
    assert.deepEqual(find(upstream?.children, 'server')[0]?.args, [`127.0.0.1:${DEFAULT_PORT}`]);
    for (const { args } of find(server?.children, 'location').flatMap(({ children }) => find(children, 'proxy_pass'))) {
      assert.deepEqual(args, [`http://${upstream?.args[0]}`]);
    }
    assert.ok(find(server?.children, 'listen').every(({ args }) => args.includes('ssl')));
    // Debian 12 has 1.22, which refuses to start with the directive of 1.25.1.
    assert.deepEqual(find(server?.children, 'http2'), []);
    assert.ok(find(server?.children, 'listen').every(({ args }) => args.includes('http2')));
    assert.ok(bytes(find(server?.children, 'client_max_body_size')[0]?.args[0] ?? '') >= MAX_BODY_SIZE);
    const headers = find(server?.children, 'proxy_set_header').map(({ args }) => args.join(' '));
    assert.ok(headers.includes('X-Forwarded-For $remote_addr'));
  });

  it('holds nothing of a stream back', () => {
    const locations = find(server?.children, 'location');
    const stream = locations.find(({ args }) => args[0] === '~');
    for (const path of ['/v1/releases/stream', '/mcp']) assert.match(path, new RegExp(stream?.args[1] ?? '$.'));
    assert.doesNotMatch('/v1/releases/latest', new RegExp(stream?.args[1] ?? ''));
    assert.deepEqual(find(stream?.children, 'proxy_buffering')[0]?.args, ['off']);
  });
});

describe('deploy/Caddyfile', () => {
  it('leads to the port of the service, holds no stream back, and uses settings that exist', () => {
    const text = read('deploy/Caddyfile');
    const [site] = directivesOf(text, '\n');
    accepts(settingsIn(text), 'Caddyfile');
    assert.equal(`https://${site?.name}`, settingsIn(text).REGISTRY_BASE_URL);
    const proxy = site?.children.find(({ name }) => name === 'reverse_proxy');
    assert.deepEqual(proxy?.args, [`127.0.0.1:${DEFAULT_PORT}`]);
    assert.deepEqual(proxy?.children.find(({ name }) => name === 'flush_interval')?.args, ['-1']);
    const body = site?.children.find(({ name }) => name === 'request_body')?.children[0];
    assert.ok(body?.name === 'max_size' && bytes(body.args[0] ?? '') >= MAX_BODY_SIZE);
  });
});

// A metric without series shows no labels, so they are repeated here as the service declares them.
const LABELS: Record<string, string[]> = {
  registry_http_requests_total: ['method', 'route', 'status'],
  registry_fetches_total: ['outcome'],
  registry_database_pool_connections: ['state'],
};

interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}

forEachEngine('deploy/alerts.yaml', (engine) => {
  let service: Service;
  before(async () => {
    service = await startService(await engine.openTestApp());
  });
  after(() => service.close());

  it('asks for figures that the service has; the guide explains each alert', async () => {
    const { groups } = parse(read('deploy/alerts.yaml')) as { groups: { rules: AlertRule[] }[] };
    const failing = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === 'RegistryFetchesFail');
    const [, fine = ''] = /outcome!~"([^"]+)"/.exec(failing?.expr ?? '') ?? [];
    assert.deepEqual(fine.split('|'), ['success', 'no_change', 'skipped', 'dry_run'], 'what is no failure');
    const { text } = await service.root.get('/metrics');
    const has = (name: string) => new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm').test(text);
    for (const { alert, expr, labels, annotations } of groups.flatMap(({ rules }) => rules)) {
      assert.match(labels.severity, /^(?:warning|critical)$/, alert);
      assert.match(annotations.summary, /^[A-Z].* .*\.$/, alert);
      assert.ok(read('docs/operations.md').includes(`| \`${alert}\` |`), alert);
      const names = expr.match(/\b(?:registry|nodejs|process)_\w+/g) ?? [];
      if (alert === 'RegistryDown') continue;
      assert.ok(names.length > 0, alert);
      for (const [, name = '', label = ''] of expr.matchAll(/(\w+)\{(\w+)/g)) {
        assert.ok(LABELS[name]?.includes(label), `${alert}: ${name}{${label}}`);
      }
      for (const name of names) {
        // The embedded database has no pool.
        if (name === 'registry_database_pool_connections' && engine.name === 'sqlite') continue;
        assert.ok(has(name), `${alert}: ${name}`);
      }
    }
    const reported = read('docs/operations.md').match(/\bregistry_[a-z_]+\b/g) ?? [];
    for (const name of new Set(reported)) assert.ok(has(name) || engine.name === 'sqlite', name);
  });
});
