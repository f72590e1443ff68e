// The home page, highlights and overviews: what matters first, as short lists that lead to releases.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type CheerioAPI, load } from 'cheerio';
import { writeOverview } from '../../src/insight/overviews/write.ts';
import { upsertSummary } from '../../src/releases/summaries/upsert.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('short lists', (engine) => {
  let service: Service;
  before(async () => {
    const app = await engine.openTestApp({ clock: () => new Date('2026-03-31T12:00:00.000Z') });
    const ctx = as(app.ctx, 'write');
    const org = await createOrg(ctx, { name: 'Acme', slug: 'acme' });
    const source = await createSource(ctx, { orgId: org.id, slug: 'fenwire', name: 'Fenwire' });
    const undated = await createSource(ctx, { orgId: org.id, slug: 'quillmark', name: 'Quillmark' });
    await postReleases(ctx, source.id, [
      releaseRow('1.9.0', { publishedAt: '2025-03-05T09:00:00.000Z', breaking: 'major', content: 'Old.' }),
      releaseRow('2.0.0', { publishedAt: '2026-03-05T09:00:00.000Z', breaking: 'major', content: 'Removed `open`.' }),
      releaseRow('2.1.0', { publishedAt: '2026-03-08T09:00:00.000Z', breaking: 'none', content: 'Added `close`.' }),
    ]);
    const quiet = ['0.3.0', '0.2.6', '0.2.5', '0.2.4', '0.2.3', '0.2.2', '0.2.1'];
    await postReleases(
      ctx,
      undated.id,
      quiet.map((version) => ({ version, title: version, content: 'Three.' })),
    );
    await createOrg(ctx, { name: 'Stillwater', slug: 'stillwater', category: 'database' });
    await upsertSummary(ctx, {
      path: { src: source.id },
      summary: {
        type: 'monthly',
        year: 2026,
        month: 3,
        summary: `2 releases: 2.0.0 to 2.1.0. Removed \`open\` (2.0.0); Added \`close\` (2.1.0); ${['c', 'd', 'e', 'f', 'g'].map((name) => `Added ${name} (2.1.0)`).join('; ')}.`,
        releaseCount: 2,
        windowDays: 30,
      },
    });
    const content = 'Acme published 2 releases.\n\n**Fenwire**: Removed `open` (2.0.0). Added `close` (2.1.0).';
    const cited = (text: string) => ({
      citedText: text,
      startIndex: content.indexOf(text),
      endIndex: content.indexOf(text) + text.length,
    });
    await writeOverview(ctx, {
      path: { org: 'acme' },
      overview: {
        content,
        releaseCount: 2,
        citations: [
          { sourceUrl: 'https://code.example/2.0.0', title: '2.0.0', ...cited('Removed `open`') },
          { sourceUrl: 'https://code.example/2.1.0', title: '2.1.0', ...cited('Added `close`') },
        ],
      },
    });
    service = await startService(app);
  });
  const read = async (path: string): Promise<CheerioAPI> => {
    const { status, text } = await service.anonymous.get(path, { Accept: 'text/html' });
    assert.equal(status, 200, path);
    return load(text);
  };
  const texts = ($: CheerioAPI, selector: string) => [...$(selector)].map((part) => $(part).text().trim());

  it('home begins with the one field, and shows what broke lately and what has no date', async () => {
    const $ = await read('/');
    assert.equal($('h1').text(), 'Will this update break my code?');
    assert.deepEqual(
      [...$('form.ask [name]')].map((field) => $(field).attr('name')),
      ['q'],
    );
    assert.deepEqual(texts($, 'section[aria-labelledby=breaking] .version'), ['2.0.0']);
    assert.deepEqual(texts($, 'section[aria-labelledby=undated] tbody th'), ['Quillmark']);
    assert.doesNotMatch($('main').text(), /(?<![\d.,])0 (?:products|came|releases)|Products\s*0/);
  });

  it('home counts all that broke lately, and leads to the list and its feed', async () => {
    const app = await engine.openTestApp({ clock: () => new Date('2026-03-31T12:00:00.000Z') });
    const ctx = as(app.ctx, 'write');
    const source = await createSource(ctx, { orgId: (await createOrg(ctx)).id });
    const day = (index: number) => new Date(Date.UTC(2026, 1, 1) + index * 3_600_000).toISOString();
    await postReleases(ctx, source.id, [
      releaseRow('0.9.0', { publishedAt: '2025-12-01T09:00:00.000Z', breaking: 'major' }),
      releaseRow('1.0.0', { title: 'Small step', publishedAt: '2026-03-01T09:00:00.000Z', breaking: 'minor' }),
      ...Array.from({ length: 34 }, (_, index) =>
        releaseRow(`${index + 2}.0.0`, { publishedAt: day(index), breaking: 'major' }),
      ),
    ]);
    const { anonymous } = await startService(app);
    const open = async (path: string) => load((await anonymous.get(path, { Accept: 'text/html' })).text);
    const home = await open('/');
    const [all, feed] = [...home('section[aria-labelledby=breaking] .spread a')].map((link) => home(link).attr('href'));
    assert.match(home('section[aria-labelledby=breaking] .spread').text(), /All 34 breaking releases/);
    const list = await open(all ?? '');
    assert.match(list('.lede').text(), /^34 releases with breaking changes/);
    const older = list('.pager a').attr('href') ?? '';
    const rest = await open(older);
    const rows = [list, rest].map(($) => $('[data-release-id]').length);
    assert.deepEqual(rows, [30, 4]);
    const atom = await anonymous.get(feed ?? '');
    assert.deepEqual([atom.status, atom.text.includes('Small step')], [200, false]);
    assert.match(atom.text, /35\.0\.0/);
  });

  it('a source without a dated release says when it was added, not since when it has releases', async () => {
    const dated = await read('/acme/fenwire');
    assert.match(dated('.facts').text(), /Releases sinceMar 5, 2025|Releases since\s*5 Mar 2025/);
    const undated = await read('/acme/quillmark');
    assert.match(undated('.facts').text(), /Added/);
    assert.doesNotMatch(undated('.facts').text(), /Releases since/);
    // Nothing is folded where the page is about nothing else, and nothing is plotted without dates.
    assert.equal(undated('[data-release-id]').length, 7);
    assert.equal(undated('main .fold, main .bars, [aria-label="Length of the plot"]').length, 0);
    assert.match(undated('main').text(), /gives no dates\. The highest version comes first/);
  });

  it('what holds nothing says so truly, and offers no filters', async () => {
    const filled = await read('/categories/database');
    assert.match(filled('.empty').text(), /No release is known\s*1 organization in Database/);
    const none = await read('/categories/finance');
    assert.match(none('.empty').text(), /Nothing is in Finance yet/);
    for (const $ of [filled, none]) assert.equal($('main form').length, 0);
    const all = await read('/categories');
    assert.deepEqual(texts(all, '.card h2'), ['Database']);
    assert.match(all('main').text(), /Nothing in them yet: .*Finance/s);
    const about = await read('/about');
    assert.doesNotMatch(about('main').text(), /\b0 \w/);
  });

  it('highlights are a sentence and a list of links, the rest folded', async () => {
    const $ = await read('/acme/fenwire/highlights');
    assert.equal($('.section-note').first().text(), '2 releases: 2.0.0 to 2.1.0.');
    const links = $('.article .mini').first().find('a');
    assert.equal(links.length, 5);
    assert.equal(links.first().text(), 'Removed open');
    assert.match(links.first().attr('href') ?? '', /^\/release\/rel_/);
    assert.match($('.article details summary').first().text(), /2 more changes/);
  });

  it('an overview lists the statements about each product', async () => {
    const $ = await read('/acme/overview');
    assert.deepEqual(texts($, '.cited-group h3'), ['Fenwire']);
    assert.deepEqual(texts($, '.cited-group li > :first-child'), ['Removed open', 'Added close']);
    assert.deepEqual(texts($, '.cited-group .version'), ['2.0.0', '2.1.0']);
    assert.equal($('.cites').length, 0);
  });
});
