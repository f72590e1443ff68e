// The page of a search: what it finds is told in clean sentences, and its counts are those of what it shows.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type CheerioAPI, load } from 'cheerio';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const CONTENT = `### Fixed

- Fixed the quokka option: \`idleQuokka\` is \`quokka\` now ([#12](https://code.example/12)) ()
`;

forEachEngine('the page of a search', (engine) => {
  let service: Service;
  before(async () => {
    const app = await engine.openTestApp();
    const ctx = as(app.ctx, 'write');
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id, name: 'Fenwire', slug: 'fenwire' });
    const other = await createSource(ctx, { orgId: org.id, name: 'Tidewick', slug: 'tidewick' });
    await postReleases(
      ctx,
      source.id,
      Array.from({ length: 24 }, (_, index) =>
        releaseRow(`1.${index}.0`, { content: CONTENT, breaking: index === 3 ? 'major' : 'none' }),
      ),
    );
    await postReleases(ctx, other.id, [releaseRow('3.0.0', { content: CONTENT, breaking: 'none' })]);
    service = await startService(app);
  });
  const read = async (path: string): Promise<CheerioAPI> => {
    const { status, text } = await service.anonymous.get(path, { Accept: 'text/html' });
    assert.equal(status, 200);
    return load(text);
  };

  it('shows snippets as sentences with marked words and code', async () => {
    const $ = await read('/search?q=quokka&mode=lexical');
    const snippet = $('.row-sum').first();
    assert.equal(snippet.text(), 'Fixed the quokka option: idleQuokka is quokka now');
    assert.deepEqual(
      [...snippet.find('code')].map((code) => $(code).text()),
      ['idleQuokka', 'quokka'],
    );
    assert.ok(snippet.find('mark').length > 0);
    assert.match($('.row-name').first().text(), /^\S?(?:Fenwire|Tidewick)/);
  });

  it('counts what it shows, and of how many', async () => {
    const first = await read('/search?q=quokka&mode=lexical');
    const rows = first('[data-release-id]').length;
    assert.equal(first('[role=status]').text(), `1 to ${rows} of 25 releases and changelogs.`);
    const second = await read(first('.pager a').attr('href') ?? '');
    assert.match(second('[role=status]').text(), new RegExp(`^${rows + 1} to 25 of 25 `));
    assert.equal(second('[data-release-id]').length, 25 - rows);
  });

  it('leads to the sources of the hits, and shows breaking ones alone', async () => {
    const all = await read('/search?q=quokka&mode=lexical');
    assert.match(all('.panel .linklist a').first().attr('href') ?? '', /\/fenwire\?q=quokka$/);
    const breaking = await read('/search?q=quokka&mode=lexical&breaking=1');
    assert.deepEqual(
      [...breaking('[data-release-id]')].map((row) => breaking(row).attr('data-breaking')),
      ['major'],
    );
  });

  it('says that nothing matches, over how much, and what else to try', async () => {
    const $ = await read('/search?q=xylophonezebra');
    assert.equal($('.empty h2').text(), 'Nothing matches “xylophonezebra”');
    assert.match($('.empty p').text(), /25 releases of 2 sources were searched/);
    assert.match($('.empty a').attr('href') ?? '', /mode=semantic/);
    assert.doesNotMatch($('main').text(), /index of meanings|by words only/);
  });
});
