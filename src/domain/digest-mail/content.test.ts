import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DigestInfo, type DigestRow, ledeOf, sectionsOf, subjectOf } from './content.ts';
import { digestHtml } from './html.ts';
import { digestText } from './text.ts';

const row = (index: number, more: Partial<DigestRow> = {}): DigestRow => ({
  package: `package-${index}`,
  from: '1.0.0',
  to: '2.0.0',
  judgement: 'no_sign',
  security: false,
  reason: 'Every version was read',
  undocumented: false,
  steps: 0,
  stacks: ['web'],
  url: `https://registry.example/whats-changed?package=package-${index}`,
  ...more,
});

const facts = (rows: DigestRow[], more: Partial<DigestInfo> = {}): DigestInfo => ({
  siteName: 'Registry',
  since: new Date('2026-11-09T08:00:00Z'),
  until: new Date('2026-11-16T08:00:00Z'),
  zone: 'Europe/Lisbon',
  cadence: 'weekly',
  times: 'on Mondays at 08:00, Europe/Lisbon',
  packages: 400,
  stacks: ['jobs', 'web'],
  rows,
  followed: [],
  links: {
    stack: null,
    stacks: 'https://registry.example/account/stacks',
    following: 'https://registry.example/following',
    settings: 'https://registry.example/account/digest',
    off: 'https://registry.example/digest/off?t=x',
  },
  ...more,
});

describe('a digest', () => {
  it('tells since which day, also where no mail went before', () => {
    assert.match(ledeOf(facts([row(0)])), / since 9 November\.$/);
  });

  it('has at most sixty rows, the worst first, and says how many are left with a link', () => {
    const rows = [
      ...Array.from({ length: 70 }, (_, index) => row(index)),
      row(70, { judgement: 'may_break' }),
      row(71, { security: true }),
      row(72, { judgement: 'breaks' }),
    ];
    const given = facts(rows);
    const { urgent, mayBreak, others, omitted } = sectionsOf(given);
    assert.deepEqual(
      urgent.map((one) => one.package),
      ['package-72', 'package-71'],
    );
    assert.deepEqual([mayBreak.length, others.length, omitted], [1, 57, 13]);
    assert.match(digestText(given), /^And 13 more in your stacks:\n {2}https:\/\/registry\.example\/account\/stacks$/m);
    assert.match(
      digestHtml(given),
      /And 13 more in your stacks\. <a [^>]*href="https:\/\/registry\.example\/account\/stacks"[^>]*>See all of them</,
    );
    const link = 'https://registry.example/account/stacks/web';
    const one = facts(rows, { stacks: ['web'], links: { ...given.links, stack: link } });
    assert.ok(digestText(one).includes(`And 13 more in your stack:\n  ${link}`));
  });

  it('counts releases that did not fit with what is followed, not with stacks', () => {
    const followed = Array.from({ length: 80 }, (_, index) => ({
      title: `Release ${index}`,
      version: '2.0.0',
      from: 'Reedbank',
      breaks: true,
      security: false,
      url: 'https://registry.example/release/x',
    }));
    const given = facts([], { followed });
    assert.deepEqual([sectionsOf(given).urgentReleases.length, sectionsOf(given).omitted], [60, 0]);
    assert.match(digestText(given), /80 releases, 80 that break: Reedbank 80/);
  });

  it('passes no HTML of strangers and names a security fix that may break as one', () => {
    const given = facts([row(1, { judgement: 'may_break', security: true, reason: '<img src=x onerror=1> & `a`' })]);
    assert.doesNotMatch(digestHtml(given), /<img/);
    assert.match(digestText(given), /^SECURITY {2}package-1/m);
    assert.equal(subjectOf(given), '1 security fix for web');
  });
});
