import type { Category } from '../contract/enums.ts';
import { type CastOrg, type CastSource, feed, github, page } from './cast.ts';
import { BUSINESS_ORGS } from './orgs-business.ts';
import { CODE_ORGS } from './orgs-code.ts';
import { DATA_ORGS } from './orgs-data.ts';
import { DESK_ORGS } from './orgs-desk.ts';
import { HOSTING_ORGS } from './orgs-hosting.ts';
import { OPERATIONS_ORGS } from './orgs-operations.ts';

// Orgs in the less usual states: declared but not tracked, hidden, and tracked without a release yet.
// biome-ignore format: one entry a line or two reads like a table
const UNUSUAL_ORGS: CastOrg[] = [
  { slug: 'undercroft-audio', name: 'Undercroft Audio', category: 'design',
    description: 'Plugins and field recorders for sound designers.', isStub: true, discovery: 'agent', tags: ['audio'],
    products: [{ name: 'Crypt Reverb', kind: 'desktop', description: 'A reverb made of real cellars.' }],
    locations: [
      { locator: { feed: 'https://undercroft-audio.example/news/feed.xml', title: 'News', canonical: true }, basis: 'declared' },
      { locator: { github: 'undercroft-audio/crypt-reverb', title: 'Crypt Reverb releases' }, basis: 'declared', product: 'crypt-reverb' },
      { locator: { appstore: 'https://appshelf.example/us/app/field-recorder/id9990000991' }, basis: 'curator' },
      { locator: { url: 'https://undercroft-audio.example/changelog', title: 'Changelog' }, basis: 'detected' },
      { locator: { file: 'https://undercroft-audio.example/crypt-reverb/CHANGELOG.md' }, basis: 'generated', product: 'crypt-reverb' }] },
  { slug: 'greywether', name: 'greywether', category: 'developer-tools',
    description: 'Materialised by a look-up; not reviewed yet.', domain: null, isHidden: true, discovery: 'on_demand',
    tags: [],
    sources: [github('dolmenry', 14, { style: 'terse', start: '0.3.0', isHidden: true, discovery: 'on_demand' })] },
  { slug: 'copsehill', name: 'Copsehill', category: 'finance',
    description: 'Payroll for seasonal work. Added this week; the first fetch is pending.', tags: ['payroll'],
    sources: [feed('product-news', 0, { name: 'Copsehill news', health: 'never_fetched', ageDays: 4 })] },
];

export const ORGS: CastOrg[] = [
  ...DATA_ORGS,
  ...HOSTING_ORGS,
  ...OPERATIONS_ORGS,
  ...CODE_ORGS,
  ...BUSINESS_ORGS,
  ...DESK_ORGS,
  ...UNUSUAL_ORGS,
];

// Sources that belong to nobody in particular, each with the field that it speaks about.
// biome-ignore format: one entry a line or two reads like a table
export const INDEPENDENT_SOURCES: [Category, CastSource][] = [
  ['developer-tools', github('emberfold-sh', 30, { repo: 'hazel-okonjo-dev/emberfold.sh', kind: 'tool',
    scheme: 'semver', start: '0.4.0', changelog: 'file' })],
  ['finance', feed('open-ledger-format', 14, { name: 'Open Ledger Format', kind: 'docs', style: 'entry',
    scheme: 'calendar' })],
  ['framework', page('lanes-lang', 22, { name: 'Lanes language', style: 'sections', scheme: 'semver',
    start: '0.11.0', undated: 0.12 })],
];
