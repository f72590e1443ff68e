// The page of a release: what it says first, what it leaves out, and where it leads.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type CheerioAPI, load } from 'cheerio';
import type { Context } from '../../src/context.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const NOTES = `## Breaking changes

### Names

- Use \`connect()\` instead of \`open()\`. ([#12](https://code.example/pull/12))
- Messages are sorted by field.

### Results

- Results are lists.
- Rename \`errors\` to \`messages\`.

## Fixes

- Dates before 1970 are valid again.
`;

forEachEngine('the page of a release', (engine) => {
  let ctx: Context;
  let service: Service;
  const ids = new Map<string, string>();
  before(async () => {
    const app = await engine.openTestApp({ clock: () => new Date('2026-03-31T12:00:00.000Z') });
    ctx = as(app.ctx, 'write');
    const org = await createOrg(ctx);
    const product = await createProduct(ctx, org.id, { name: 'Quill' });
    const source = await createSource(ctx, { orgId: org.id, productId: product.id });
    const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T09:00:00.000Z`;
    // 1.10.0 is a later version than 1.9.0, and was published before it.
    await postReleases(ctx, source.id, [
      releaseRow('1.9.0', { publishedAt: at(8), content: 'Nine.' }),
      releaseRow('1.10.0', { publishedAt: at(2), content: '' }),
      releaseRow('2.0.0-rc.1', { publishedAt: at(4), content: 'Nearly.', prerelease: true }),
      releaseRow('2.0.0', {
        publishedAt: at(5),
        content: NOTES,
        breaking: 'major',
        migrationNotes:
          '- Use `connect()` instead of `open()`. ([#12](https://code.example/pull/12))\n- Rename `errors` to `messages`.',
      }),
      releaseRow('2.1.0', { publishedAt: at(9), content: 'More.' }),
      releaseRow('2.2.0', { publishedAt: at(10), content: 'Most.' }),
    ]);
    service = await startService(app);
    const { releases } = (await service.anonymous.get(`/v1/orgs/${org.slug}/releases?limit=20&includePrereleases=true`))
      .body;
    for (const { version, id } of releases as { version: string; id: string }[]) ids.set(version, id);
  });
  const read = async (version: string): Promise<CheerioAPI> => {
    const { status, text } = await service.anonymous.get(`/release/${ids.get(version)}`, { Accept: 'text/html' });
    assert.equal(status, 200, version);
    return load(text);
  };

  it('leads to the versions before and after it, in their order, and to the newest', async () => {
    const $ = await read('2.0.0');
    assert.deepEqual(
      [...$('.prevnext .version')].map((part) => $(part).text()),
      ['1.10.0', '2.1.0'],
    );
    assert.match($('.read-head .actions').text(), /Newest: 2\.2\.0/);
    assert.equal($('.read-head [data-form=follow] button').text().trim(), 'Follow Quill');
    assert.match($('.read-head .actions a').first().attr('href') ?? '', /\.atom$/);
    const first = await read('1.9.0');
    assert.deepEqual(
      [...first('.prevnext .version')].map((part) => first(part).text()),
      ['1.10.0'],
    );
    assert.equal((await read('2.2.0'))('.read-head .actions .quiet').length, 0);
  });

  it('has the sub-headings of the notes in its contents', async () => {
    const $ = await read('2.0.0');
    const lines = [...$('.sheet > .toc > ul > li')].map((line) => [...$(line).find('a')].map((link) => $(link).text()));
    assert.deepEqual(lines, [['Before you upgrade'], ['Breaking changes', 'Names', 'Results'], ['Fixes']]);
    for (const link of $('.toc a')) assert.equal($(`[id="${$(link).attr('href')?.slice(1)}"]`).length, 1);
  });

  it('shows steps as plain sentences, and says how many entries they cover', async () => {
    const $ = await read('2.0.0');
    const steps = [...$('.must li')].map((step) => $(step).text());
    assert.deepEqual(steps, ['Use connect() instead of open().', 'Rename errors to messages.']);
    assert.match($('.must .who').text(), /2 of its 4 entries say what to do/);
  });

  it('does not repeat the notes above them', async () => {
    for (const version of ['2.0.0', '2.1.0']) assert.equal((await read(version))('.aside-note').length, 0, version);
    const { status } = await service.root.patch(`/v1/releases/${ids.get('2.2.0')}`, {
      summary: 'Twice as fast as before.',
    });
    assert.equal(status, 200);
    assert.match((await read('2.2.0'))('.aside-note').text(), /Twice as fast/);
  });

  it('says why there is no text, and never a length of 0', async () => {
    const $ = await read('1.10.0');
    assert.match($('.no-text').text(), /This release has no notes.*not known/s);
    assert.doesNotMatch($('main').text(), /Reading time|tokens/);
    assert.match((await read('2.0.0'))('.panel').text(), /Reading time\s*under a minute/);
  });

  it('of a package is titled by it, follows and checks it, and says what its number announces', async () => {
    const { id } = await createSource(ctx, { name: 'Reef' });
    await putPackage(ctx, { ecosystem: 'npm', name: '@reef/core', sourceId: id, packagePart: '@reef/core' });
    await postReleases(ctx, id, [
      releaseRow('@reef/core@3.0.0', {
        title: '3.0.0',
        content: '',
        breaking: 'major',
        url: 'https://github.com/reef/core/blob/HEAD/CHANGELOG.md#300',
      }),
    ]);
    const { releases } = (await service.anonymous.get(`/v1/sources/${id}/releases`)).body;
    ids.set('@reef/core@3.0.0', releases[0].id);
    const $ = await read('@reef/core@3.0.0');
    assert.equal($('h1').text(), '@reef/core 3.0.0');
    assert.equal($('form[data-form=follow] button').text().trim(), 'Follow @reef/core');
    assert.equal($('form[data-form=follow] [name=id]').attr('value'), 'npm:@reef/core');
    const asked = Object.fromEntries(
      $('[data-form=whats-changed] [type=hidden]')
        .get()
        .map((one) => [$(one).attr('name'), $(one).attr('value')]),
    );
    assert.deepEqual(asked, { package: '@reef/core', ecosystem: 'npm', to: '3.0.0' });
    assert.match(
      $('.no-text').text(),
      /The changelog has a heading for it.*says that it breaks; what breaks is not known/s,
    );
    assert.doesNotMatch($('.no-text').text(), /tagged|Whether it breaks/);
  });
});
