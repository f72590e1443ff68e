// What stands in the documents is true: variables, the changelog, links between pages.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { cliPage, configurationPage } from '../tools/docs.ts';
import { COMMANDS } from './cli/commands.ts';
import { configurationHelp, describedSections, variables } from './config/settings.ts';
import { parseChangelog } from './domain/changelog/entries.ts';
import { ROUTES } from './http/routes/index.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const recipes = readdirSync(join(root, 'docs/development')).map((name) => `docs/development/${name}`);
const forContributors = ['AGENTS.md', 'CONTRIBUTING.md', 'SECURITY.md', ...recipes];
const pages = ['README.md', 'CHANGELOG.md', ...forContributors, ...guides.map((name) => `docs/${name}`)];

describe('docs/configuration.md', () => {
  it('is what the settings say; `npm run docs` writes it', () => {
    assert.equal(read('docs/configuration.md'), configurationPage());
  });

  it('gives every setting a meaning and a default', () => {
    const rows = [...read('docs/configuration.md').matchAll(/^\| `(?<name>REGISTRY_\w+)` \| .{4,} \| .{2,} \|$/gm)];
    assert.deepEqual(rows.map(({ groups }) => groups?.name).sort(), Object.keys(variables.shape).sort());
  });

  it('is printed by `registry help config`, too', () => {
    const help = configurationHelp().join('\n');
    for (const { settings } of describedSections()) {
      for (const { name, meaning, preset } of settings) {
        const lines = [`  ${name}`, `      ${meaning}`, `      default: ${preset}`].join('\n').replaceAll('`', '');
        assert.ok(help.includes(lines), name);
      }
    }
  });
});

describe('docs/cli.md', () => {
  it('is what the commands say; `npm run docs` writes it', () => {
    assert.equal(read('docs/cli.md'), cliPage());
  });
});

describe('docs/ci.md', () => {
  const workflows = [...read('docs/ci.md').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  it('shows workflows with options that exist', () => {
    const calls = workflows.flatMap((text) => [
      ...text.matchAll(/(?:"\$REGISTRY_PACKAGE"|\bregistry) (check|whats-changed) (.*?) >/g),
    ]);
    assert.deepEqual(
      calls.map(([, name]) => name),
      ['check', 'check', 'whats-changed'],
    );
    for (const [, name, rest = ''] of calls) {
      const command = COMMANDS.find((one) => one.name === name);
      const flags: string[] = rest.match(/--[\w-]+/g) ?? [];
      assert.ok(flags.includes('--md'));
      assert.deepEqual(
        flags.filter((flag) => command?.flags[flag.slice(2)] === undefined),
        [],
      );
    }
  });

  it('pins a Node that the client runs on, and runs no package by a name that nobody has chosen', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const versions = workflows.flatMap((text) => [...text.matchAll(/(?:node-version: |image: node:)(\d+)/g)]);
    assert.equal(versions.length, 3);
    for (const [, major] of versions) assert.ok(Number(major) >= Number(engines.node.replace('>=', '')));
    for (const text of workflows) {
      parse(text);
      assert.doesNotMatch(text, /npx (?:--yes )?[a-z@]/);
    }
  });
});

describe('CHANGELOG.md', () => {
  const entries = parseChangelog(read('CHANGELOG.md'), { names: ['Release Registry'], now: new Date() });

  it('is read by the registry itself, and begins with the version of the package', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const headings = [...read('CHANGELOG.md').matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, one]) => one);
    assert.equal(headings[0], version);
    assert.deepEqual(
      entries.map((entry) => entry.version),
      headings,
    );
    assert.match(entries[0]?.body ?? '', /### Added/);
  });
});

describe('the documents', () => {
  it('link to files that exist', () => {
    for (const page of pages) {
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        assert.ok(existsSync(join(root, dirname(page), target)), `${page}: ${target}`);
      }
    }
  });

  it('ask about packages that are installed', () => {
    const requested = [...read('README.md').matchAll(/package(?:=|": ")([\w-]+)/g)].map(([, name = '']) => name);
    assert.ok(requested.length >= 3);
    for (const name of requested) assert.ok(existsSync(join(root, 'node_modules', name, 'package.json')), name);
  });

  it('give no figures of the demo data, which depend on the day', () => {
    const counted = /\d[\d,]*\s+(?:organizations|products|sources|releases)\b/;
    assert.doesNotMatch(read('README.md'), counted);
  });

  it('name routes that exist', () => {
    const known = ROUTES.map(({ path }) => new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`));
    known.push(/^\/v1$/, /^\/v1\/(?:docs|openapi\.json)$/);
    for (const page of pages) {
      for (const [, path = ''] of read(page).matchAll(/localhost:8080(\/v1[^\s'"?`>]*)/g)) {
        assert.ok(
          known.some((pattern) => pattern.test(path)),
          `${page}: ${path}`,
        );
      }
    }
  });
});

describe('the pages for contributors', () => {
  it('name files and folders that exist', () => {
    for (const page of forContributors) {
      for (const [, path = ''] of read(page).matchAll(/`((?:src|test|tools|bench|docs)\/[\w./-]*)[^`]*`/g)) {
        assert.ok(existsSync(join(root, path)), `${page}: ${path}`);
      }
    }
  });

  it('name scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const page of forContributors) {
      for (const [, name = ''] of read(page).matchAll(/npm run ([\w:]+)/g))
        assert.ok(name in scripts, `${page}: ${name}`);
    }
  });
});
