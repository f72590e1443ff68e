import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { siteNoticeInput } from '../../contract/notice.ts';
import { putSiteNotice, readSiteNotice } from './site-notice.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const NOTICE = { active: true, message: 'Hello', placement: 'home', color: '#00ff7F', dismissible: true } as const;

forEachEngine('site notice', (engine) => {
  it('visitors see it while it is active, operators always', async () => {
    const { ctx } = await engine.openTestApp({ clock: () => new Date(NOW) });
    const [admin, writer, visitor] = [as(ctx, 'admin'), as(ctx, 'write'), as(ctx, null)];

    const none = await readSiteNotice(admin);
    const put = await putSiteNotice(admin, { ...NOTICE, linkText: 'More', href: '/about' });
    const seen = await readSiteNotice(visitor);
    const draft = await putSiteNotice(admin, { ...NOTICE, active: false, href: null });

    assert.deepEqual(none, { notice: null });
    assert.deepEqual(put, { notice: { ...NOTICE, linkText: 'More', href: '/about', updatedAt: NOW } });
    assert.deepEqual(seen, put);
    assert.deepEqual(draft, { notice: { ...NOTICE, active: false, updatedAt: NOW } });
    assert.deepEqual(await readSiteNotice(visitor), { notice: null });
    assert.deepEqual(await readSiteNotice(writer), { notice: null });
    assert.deepEqual(await readSiteNotice(admin), draft);
    const audit = await ctx.store.read.selectFrom('audit_log').select(['action', 'before']).execute();
    assert.deepEqual(
      audit.map((row) => [row.action, row.before === 'null']),
      [
        ['site_notice.replace', true],
        ['site_notice.replace', false],
      ],
    );
  });
});

it('site notice: what a body may hold', () => {
  const fits = (more: object) => siteNoticeInput.safeParse({ ...NOTICE, ...more }).success;

  for (const href of ['https://a.example', 'http://a.example/x', '/about', '/']) assert.ok(fits({ href }), href);
  for (const href of [
    '//a.example',
    '/\\a.example',
    'about',
    'javascript:alert(1)',
    'ftp://a',
    `/${'x'.repeat(500)}`,
  ]) {
    assert.ok(!fits({ href }), href);
  }
  assert.ok(fits({ updatedAt: 7, linkText: 'x', href: '/x' }));
  for (const more of [
    { linkText: 'x' },
    { color: '#fff' },
    { message: '' },
    { message: 'x'.repeat(281) },
    { other: 1 },
  ]) {
    assert.ok(!fits(more), JSON.stringify(more));
  }
  assert.ok(!fits({ placement: 'footer' }) && !fits({ active: 1 }) && !fits({ dismissible: undefined }));
});
