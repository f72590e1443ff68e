// The workflows of docs/ci.md, step by step: their own commands, in a repository with a branch of a pull request, against a package
// registry and the interfaces of code hosts on the loopback.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { LAUNCHER, NODE_FLAGS } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';

const types = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});
const LAMP: Versions = {
  '1.0.0': types('export declare function on(): void; export declare function off(): void;'),
  '2.0.0': types('export declare function on(): void;'),
};
const lock = (lamp: string) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: { '': { dependencies: { lamp: '*' } }, 'node_modules/lamp': { version: lamp } },
  });

interface Step {
  run?: string;
  env?: Record<string, string>;
  uses?: string;
  with?: Record<string, string>;
}

interface Workflow {
  name?: string;
  on: { workflow_run?: { workflows: string[] } };
  jobs: Record<string, { env?: Record<string, string>; steps: Step[] }>;
}

// The blocks of the guide by the name in their first line.
function documented<T>(file: string): T {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/ci.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  return parse(blocks.find((block) => block.startsWith(`# ${file}\n`)) ?? '');
}

const has = (program: string) => ['/usr/bin', '/bin', '/usr/local/bin'].some((at) => existsSync(join(at, program)));
const NEEDED = ['bash', 'git', 'jq', 'curl'].filter((program) => !has(program));

interface Comment {
  id: number;
  body: string;
  user: { type: string };
  author: { id: number };
}

describe('the workflows of docs/ci.md', { skip: NEEDED.length > 0 && `needs ${NEEDED.join(', ')}` }, () => {
  let base: string;
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let api: string;
  let closeApi: () => void;
  let head: string;
  let comments: Comment[];

  before(async () => {
    registry = await startNpmRegistry({ lamp: LAMP });
    base = await scratchFolder('registry-ci-');
    await makeRepository();
    await makePrograms();
    ({ api, close: closeApi } = await startHost());
  });
  after(async () => {
    registry.close();
    closeApi();
    await rm(base, { recursive: true, force: true });
  });

  // A checkout of a branch that moves a package, with its origin beside it.
  async function makeRepository(): Promise<void> {
    const origin = join(base, 'origin');
    const git = (folder: string, ...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    await mkdir(join(origin, 'src'), { recursive: true });
    await writeFile(join(origin, 'package.json'), '{"name":"house","dependencies":{"lamp":"*"}}');
    await writeFile(join(origin, 'package-lock.json'), lock('1.0.0'));
    await writeFile(join(origin, 'src/index.js'), "import { off } from 'lamp';\noff();\n");
    git(origin, 'init', '-q', '-b', 'main');
    git(origin, 'add', '-A');
    git(origin, 'commit', '-qm', 'one');
    git(base, 'clone', '-q', origin, 'work');
    const work = join(base, 'work');
    git(work, 'checkout', '-qb', 'newer');
    await writeFile(join(work, 'package-lock.json'), lock('2.0.0'));
    git(work, 'commit', '-qam', 'two');
    head = git(work, 'rev-parse', 'HEAD').trim();
  }

  // What a runner has on its path. Nothing is installed: `npm` notes what it was asked for, `registry` is this program, and
  // `gh` asks the host below, with the real jq.
  async function makePrograms(): Promise<void> {
    const bin = join(base, 'bin');
    await mkdir(bin);
    const node = `"${process.execPath}"`;
    const programs = {
      registry: `exec ${node} ${NODE_FLAGS.join(' ')} "${LAUNCHER}" "$@"`,
      npm: `echo "npm $*" >> "${base}/npm.log"`,
      node: `exec ${node} "$@"`,
      gh: `if [ "$1 $2" = "run download" ]; then [ "$4 $5" = "--name comment" ] && cp "${base}/artifact/"* .; exit; fi
shift; method=GET; query=; data=()
while [ $# -gt 0 ]; do case "$1" in
  -X) method=$2; shift 2 ;; --jq) query=$2; shift 2 ;; --paginate) shift ;;
  -F) [ $method = GET ] && method=POST; data=(--data-urlencode "body@\${2#body=@}"); shift 2 ;;
  *) path=$1; shift ;; esac; done
answer=$(curl -sf -X $method -H "Authorization: Bearer $GH_TOKEN" "\${data[@]}" "$HOST_API/$path") || exit 1
if [ -n "$query" ]; then printf %s "$answer" | jq -r "$query"; else printf '%s\\n' "$answer"; fi`,
    };
    for (const [name, script] of Object.entries(programs)) {
      await writeFile(join(bin, name), `#!/usr/bin/env bash\n${script}\n`);
      await chmod(join(bin, name), 0o755);
    }
  }

  // The comments of one pull request, as two code hosts have them.
  async function startHost(): Promise<{ api: string; close: () => void }> {
    comments = [];
    const server = createServer(async (request, response) => {
      const { method = '', url = '' } = request;
      const sent = new URLSearchParams(await text(request)).get('body') ?? '';
      const isAllowed =
        request.headers.authorization === 'Bearer gh-token' || request.headers['private-token'] === 'gl-token';
      const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
      const id = Number(/(?:comments|notes)\/(\d+)$/.exec(url)?.[1] ?? 0);
      const found = comments.find((one) => one.id === id);
      if (!isAllowed) return void answer(401, {});
      if (url.endsWith('/user')) return void answer(200, { id: 7 });
      if (/\/pulls\/12$/.test(url)) return void answer(200, { head: { sha: head } });
      if (/\/pulls\/13$/.test(url)) return void answer(200, { head: { sha: '0'.repeat(40) } });
      if (found && (method === 'PATCH' || method === 'PUT')) {
        found.body = sent;
        return void answer(200, found);
      }
      if (!/\/(?:issues\/12\/comments|merge_requests\/12\/notes)(?:\?|$)/.test(url)) return void answer(404, {});
      if (method === 'POST') {
        comments.push({ id: comments.length + 100, body: sent, user: { type: 'Bot' }, author: { id: 7 } });
      }
      answer(200, method === 'POST' ? comments.at(-1) : comments);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { api, close: () => void server.close() };
  }

  // A step as a runner does it: expressions are filled in first, and the shell ends at the first command that fails.
  async function run(
    script: string,
    { env = {}, cwd = join(base, 'work') }: { env?: Record<string, string>; cwd?: string },
  ) {
    const child = spawn('bash', ['-eo', 'pipefail', '-c', filled(script)], {
      cwd,
      env: {
        PATH: `${join(base, 'bin')}:/usr/bin:/bin`,
        HOME: join(base, 'home'),
        HOST_API: api,
        REGISTRY_NPM_URL: registry.url,
        REGISTRY_EGRESS_ALLOW: registry.host,
        REGISTRY_PACKAGE: 'chosen@1.2.3',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(String(value))])),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await once(child, 'close');
    return { code, printed: (await printed).join('') };
  }

  function filled(script: string): string {
    const values: Record<string, string> = {
      'github.event.number': '12',
      'github.base_ref': 'main',
      'github.token': 'gh-token',
      'github.repository': 'acme/house',
      'github.event.workflow_run.id': '99',
      'github.event.workflow_run.head_sha': head,
      'vars.REGISTRY_PACKAGE': 'chosen@1.2.3',
    };
    return script.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => values[name] ?? assert.fail(name));
  }

  async function runSteps({ env = {}, steps }: Workflow['jobs'][string], cwd = join(base, 'work')) {
    for (const step of steps) {
      if (step.run === undefined) continue;
      const { code, printed } = await run(step.run, { env: { ...env, ...step.env }, cwd });
      assert.equal(code, 0, `${step.run}\n${printed}`);
    }
  }

  const MARK = '<!-- release-registry:check house -->';

  it('GitHub: the first makes the comment, the second posts it once and then writes over it', async () => {
    const check = documented<Workflow>('.github/workflows/check.yml');
    const comment = documented<Workflow>('.github/workflows/comment.yml');
    assert.deepEqual(comment.on.workflow_run?.workflows, [check.name]);
    const { check: first } = check.jobs;
    const { comment: second } = comment.jobs;
    assert.ok(first && second);
    // A comment of a stranger, and one of a stranger who knows the mark.
    comments.push({ id: 1, body: 'Nice.', user: { type: 'User' }, author: { id: 1 } });
    comments.push({ id: 2, body: `${MARK}\nmine`, user: { type: 'User' }, author: { id: 1 } });

    await runSteps(first);
    assert.equal(readFileSync(join(base, 'npm.log'), 'utf8'), 'npm install --global --ignore-scripts chosen@1.2.3\n');
    const made = readFileSync(join(base, 'work/comment.md'), 'utf8');
    assert.ok(made.startsWith(`${MARK}\n\n### The one changed package breaks code in this project\n`), made);
    assert.match(made, /off.*no longer exported[\s\S]*src\/index\.js:2/);
    const kept = first.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'))?.with?.path ?? '';
    await mkdir(join(base, 'artifact'));
    for (const name of kept.split('\n')) await copyFile(join(base, 'work', name), join(base, 'artifact', name));

    for (const round of [1, 2]) {
      const folder = join(base, `post-${round}`);
      await mkdir(folder);
      await runSteps(second, folder);
      assert.deepEqual(
        comments.map(({ id, body }) => [id, body.trimEnd() === made.trimEnd()]),
        [
          [1, false],
          [2, false],
          [102, true],
        ],
      );
    }
  });

  it('GitHub: what a stranger made of the artifact is not posted', async () => {
    const { comment: second } = documented<Workflow>('.github/workflows/comment.yml').jobs;
    assert.ok(second);
    const before = JSON.stringify(comments);
    const touched = join(base, 'touched');
    const cases: [number: string, comment: string, words: RegExp][] = [
      ['12', 'Buy this.', /this is no report/],
      ['12', '', /this is no report/],
      ['13', `${MARK}\nx`, /this is another pull request/],
      [`13; touch ${touched}`, `${MARK}\nx`, /this is another pull request/],
      ['13\n$(touch ../touched)', `<!-- release-registry:check ") or true) | "$(touch ${touched})\nx`, /another/],
    ];
    for (const [index, [number, body, words]] of cases.entries()) {
      await writeFile(join(base, 'artifact/number'), number);
      await writeFile(join(base, 'artifact/comment.md'), body);
      const folder = join(base, `refused-${index}`);
      await mkdir(folder);
      const results = [];
      for (const { run: script = '' } of second.steps) {
        results.push(await run(script, { env: second.env ?? {}, cwd: folder }));
      }
      assert.equal(results.at(-1)?.code, 1);
      assert.match(results.at(-1)?.printed ?? '', words);
    }
    assert.equal(JSON.stringify(comments), before);
    assert.equal(existsSync(touched), false);
  });

  it('GitLab: a note is written once and then written over; without a token the report stays an artifact', async () => {
    const { check } = documented<{ check: { script: string[]; artifacts: { paths: string[] } } }>('.gitlab-ci.yml');
    comments = [{ id: 1, body: `${MARK}\nof a stranger`, user: { type: 'User' }, author: { id: 1 } }];
    const env = {
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_IID: '12',
      CI_PROJECT_ID: '5',
      CI_API_V4_URL: api,
    };
    for (const token of ['', 'gl-token', 'gl-token']) {
      await rm(join(base, 'work/comment.md'), { force: true });
      const { code, printed } = await run(check.script.join('\n'), { env: { ...env, NOTES_TOKEN: token } });
      assert.equal(code, 0, printed);
      assert.ok(check.artifacts.paths.every((path) => existsSync(join(base, 'work', path))));
      assert.equal(comments.length, token === '' ? 1 : 2);
    }
    assert.ok(comments[1]?.body.startsWith(`${MARK}\n`));
  });
});
