// The registry of `npm start`: the packages of the program itself, and the examples of README.md asked of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { App } from '../../src/app.ts';
import { fillingOf } from '../../src/cli/fill.ts';
import { loadSample } from '../../src/sample/load.ts';
import { forEachEngine } from '../support/engines.ts';
import { scratchFolder } from '../support/scratch.ts';
import { startService } from '../support/service.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

// A program as it is after an installation without its development packages: what it needs lies beside it.
async function installProgram(): Promise<string> {
  const modules = join(await scratchFolder('registry-sample-'), 'node_modules');
  const write = async (folder: string, manifest: object, changelog?: string) => {
    await mkdir(join(modules, folder), { recursive: true });
    await writeFile(join(modules, folder, 'package.json'), JSON.stringify(manifest));
    if (changelog) await writeFile(join(modules, folder, 'CHANGELOG.md'), changelog);
  };
  const mailer = { name: 'nodemailer', version: '2.0.0', repository: 'acme/mailer', dependencies: { deep: '1' } };
  await write('program', { name: 'program', dependencies: { nodemailer: '2' }, devDependencies: { esbuild: '1' } });
  await write(
    'nodemailer',
    mailer,
    '# Changelog\n\n## 2.0.0 (2026-01-02)\n\n- Removed `send`\n\n## 1.0.0\n\n- First\n',
  );
  await write('nodemailer/node_modules/deep', { name: 'deep', version: '1.0.0', repository: 'acme/deep' });
  await write('stranger', { name: 'stranger', version: '1.0.0', repository: 'other/stranger' });
  return join(modules, 'program');
}

forEachEngine('sample registry', (engine) => {
  it('says on the home page what it holds and what comes next, until something else is added', async () => {
    const app = await engine.openTestApp();
    const { anonymous, root } = await startService(app);
    assert.equal(await loadSample(app.ctx, { program: await installProgram() }), true);

    const { text } = await anonymous.get('/', { Accept: 'text/html' });
    assert.match(text, /These are the 2 packages that this program itself is built from\. Next: /);
    const added = await root.post('/v1/sources', { name: 'Acme', url: 'https://acme.example/news', orgSlug: 'acme' });
    assert.equal(added.status, 201, added.text);
    const later = await anonymous.get('/', { Accept: 'text/html' });
    assert.doesNotMatch(later.text, /that this program itself is built from/);
  });

  it('reads what is installed beside the program, and nothing of others', async () => {
    const app = await engine.openTestApp();
    await loadSample(app.ctx, { program: await installProgram() });
    const { anonymous } = await startService(app);

    const packages = await app.ctx.store.read.selectFrom('packages').select('name').orderBy('name').execute();
    assert.deepEqual(
      packages.map(({ name }) => name),
      ['deep', 'nodemailer'],
    );
    const { items } = (await anonymous.get('/v1/collections')).body;
    assert.deepEqual(
      items.map(({ slug }: { slug: string }) => slug),
      ['built-with'],
    );
  });

  it('stays empty when its load is stopped, or when nothing is installed', async () => {
    const app = await engine.openTestApp();
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error('stopped'));
    const program = await installProgram();
    await assert.rejects(loadSample(app.ctx, { program, onProgress, signal: stop.signal }), { message: 'stopped' });

    const alone = await scratchFolder('registry-sample-');
    await writeFile(join(alone, 'package.json'), JSON.stringify({ name: 'program', dependencies: { none: '1' } }));
    await assert.rejects(loadSample(app.ctx, { program: alone }), /no package is installed/);
    assert.deepEqual(await app.ctx.store.read.selectFrom('orgs').select('id').execute(), []);
  });

  // What is read does not depend on the engine, so one of them reads all of it.
  if (engine.name !== 'sqlite') return;

  let opened: Promise<App> | null = null;
  const openSample = () => {
    opened ??= engine.openTestApp().then(async (app) => {
      const reported: string[] = [];
      const terminal = { out: assert.fail, err: (line: string) => void reported.push(line) };
      await fillingOf({ sample: true })?.(app.ctx, terminal, new AbortController().signal);
      assert.deepEqual(reported, [
        'The registry is empty; reading the packages that this program is built from.',
        'The registry now holds the packages that this program is built from.',
      ]);
      return app;
    });
    return opened;
  };

  it('holds the installed packages with their notes, paused, in categories and two collections', async () => {
    const app = await openSample();
    const { read } = app.ctx.store;
    const { anonymous } = await startService(app);

    const packages = await read.selectFrom('packages').select('name').execute();
    assert.ok(packages.length > 200, `${packages.length}`);
    const priorities = await read.selectFrom('sources').select('fetch_priority').distinct().execute();
    assert.deepEqual(priorities, [{ fetch_priority: 'paused' }]);
    const { items: collections } = (await anonymous.get('/v1/collections')).body;
    assert.deepEqual(
      collections.map(({ slug }: { slug: string }) => slug),
      ['built-with', 'tests-and-tools'],
    );
    const { body: org } = await anonymous.get('/v1/orgs/nodemailer');
    assert.deepEqual([org.category, org.tags, org.description], ['developer-tools', ['mail'], 'Sends mail from Node']);
    assert.equal(await loadSample(app.ctx), false);
  });

  it('answers the examples of README.md as they stand there', async () => {
    const { anonymous } = await startService(await openSample());
    const calls = [...README.matchAll(/^curl (?:-H '([\w-]+): ([^']+)' )?'?localhost:8080([^\s']+)'?$/gm)];
    assert.ok(calls.length >= 6, `${calls.length}`);
    for (const [, name, value, path = ''] of calls) {
      if (path.endsWith('/stream')) continue;
      const { status, text } = await anonymous.get(path, name && value ? { [name]: value } : {});
      assert.deepEqual(
        [status, path.includes('whats-changed') && !text.includes('"status":"resolved"'), text.length > 200],
        [200, false, true],
        path,
      );
    }
    const [, path = ''] = /'localhost:8080([^']+)'\n```\n\nThe answer, shortened/.exec(README) ?? [];
    const [, shown = ''] = /The answer, shortened:\n\n```json\n([\s\S]*?)```/.exec(README) ?? [];
    assert.partialDeepStrictEqual((await anonymous.get(path)).body, JSON.parse(shown));
    const [, batch = ''] = /-d '(\{"items"[^']*)'/.exec(README) ?? [];
    const { body } = await anonymous.post('/v1/whats-changed/batch', JSON.parse(batch));
    assert.ok(
      body.items.every(({ status, count }: { status: string; count: number }) => status === 'resolved' && count > 0),
    );
  });
});
