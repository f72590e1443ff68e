import type { Category } from '../contract/enums.ts';
import type { CastOrg, CastSource } from './cast.ts';
import { BUSINESS_ORGS } from './orgs-business.ts';
import { CODE_ORGS } from './orgs-code.ts';
import { DATA_ORGS } from './orgs-data.ts';
import type { DemoCategory, DemoCollection, DemoSiteNotice } from './types.ts';

// Orgs in the less usual states: declared but not tracked, hidden, and tracked without a release yet.
// biome-ignore format: one entry a line or two reads like a table
const UNUSUAL_ORGS: CastOrg[] = [
  { slug: 'undercroft-audio', name: 'Undercroft Audio', category: 'design',
    description: 'Plugins and field recorders for sound designers.', isStub: true, discovery: 'agent',
    tags: ['audio'],
    products: [
      { slug: 'crypt-reverb', name: 'Crypt Reverb', kind: 'desktop', description: 'A reverb made of real cellars.' },
    ],
    sources: [],
    locations: [
      { feed: 'https://undercroft-audio.example/news/feed.xml', title: 'News', canonical: true, basis: 'declared',
        productSlug: null, source: null },
      { github: 'undercroft-audio/crypt-reverb', title: 'Crypt Reverb releases', canonical: false, basis: 'declared',
        productSlug: 'crypt-reverb', source: null },
      { appstore: 'https://appshelf.example/us/app/field-recorder/id9990000991', canonical: false, basis: 'curator',
        productSlug: null, source: null },
      { url: 'https://undercroft-audio.example/changelog', title: 'Changelog', canonical: false, basis: 'detected',
        productSlug: null, source: null },
      { file: 'https://undercroft-audio.example/crypt-reverb/CHANGELOG.md', canonical: false, basis: 'generated',
        productSlug: 'crypt-reverb', source: null },
    ] },
  { slug: 'greywether', name: 'greywether', category: 'developer-tools',
    description: 'Materialised by a look-up; not reviewed yet.', domain: null, isHidden: true, discovery: 'on_demand',
    tags: [], accounts: { github: 'greywether' },
    sources: [
      { slug: 'dolmenry', type: 'github', style: 'terse', weight: 14, repo: 'greywether/dolmenry', start: '0.3.0',
        stars: 88, isHidden: true, discovery: 'on_demand' },
    ] },
  { slug: 'copsehill', name: 'Copsehill', category: 'finance',
    description: 'Payroll for seasonal work. Added this week; the first fetch is pending.', tags: ['payroll'],
    sources: [
      { slug: 'product-news', name: 'Copsehill news', type: 'feed', weight: 0, health: 'never_fetched', ageDays: 4 },
    ] },
];

export const ORGS: CastOrg[] = [...DATA_ORGS, ...CODE_ORGS, ...BUSINESS_ORGS, ...UNUSUAL_ORGS];

// Sources that belong to nobody in particular. Their area stands in for the category of an org.
// biome-ignore format: one entry a line or two reads like a table
export const INDEPENDENT_SOURCES: (CastSource & { area: Category })[] = [
  { slug: 'emberfold-sh', type: 'github', style: 'keep-a-changelog', versions: 'semver', weight: 30,
    repo: 'hazel-okonjo-dev/emberfold.sh', start: '0.4.0', stars: 2460, changelog: 'file', kind: 'tool',
    area: 'developer-tools' },
  { slug: 'open-ledger-format', name: 'Open Ledger Format', type: 'feed', style: 'entry', versions: 'calendar',
    weight: 14, kind: 'docs', area: 'finance' },
  { slug: 'lanes-lang', name: 'Lanes language', type: 'scrape', style: 'sections', versions: 'semver', weight: 22,
    start: '0.11.0', undated: 0.12, area: 'framework' },
];

type Member = string | [orgSlug: string, productSlug: string];

function collection(slug: string, name: string, description: string | null, isFeatured: boolean, members: Member[]) {
  return {
    slug,
    name,
    description,
    isFeatured,
    members: members.map((member) =>
      typeof member === 'string'
        ? { orgSlug: member, productSlug: null }
        : { orgSlug: member[0], productSlug: member[1] },
    ),
  };
}

export const COLLECTIONS: Omit<DemoCollection, 'createdAt'>[] = [
  collection('run-it-yourself', 'Run it yourself', 'Software that you can host on your own machines.', true, [
    'quernstone',
    'culvertworks',
    'wardenfell',
    'basaltine',
    ['murmurlode', 'lode-serve'],
    'soundingline',
  ]),
  collection('web-stack', 'A modern web stack', 'Framework, tests, packages and a place to deploy.', true, [
    'osierframe',
    'stonecrumb',
    'burrowgate',
    ['skerrymoor', 'skerry-run'],
    'quernstone',
  ]),
  collection('model-builders', 'Model builders', 'Models, agents and the engines below them.', true, [
    'murmurlode',
    'thornwick',
    ['lanternskate', 'skate-engine'],
  ]),
  collection('keep-it-safe', 'Keep it safe', 'Secrets, identity and supply chain.', false, [
    'wardenfell',
    'saltmarrow',
    'locksedge',
    ['ferrowick', 'ferrowick-runner'],
  ]),
  collection('on-your-phone', 'On your phone', 'Apps that ship through a store.', false, [
    ['jotterloft', 'jotterloft-mobile'],
    ['inkhollow', 'inkhollow-pad'],
    ['wickerstall', 'wickerstall-go'],
    'calendrake',
    'gablefern',
    ['ledgerfen', 'ledgerfen-app'],
  ]),
  collection('small-business', 'Small business desk', 'Sell, invoice, remember your customers.', false, [
    'wickerstall',
    'ledgerfen',
    'kithbarrow',
    'quayside-pos',
    'tallowmint',
  ]),
  collection('night-watch', 'Night watch', 'What wakes you up, and what helps when it does.', false, [
    'glimmerwatch',
    'soundingline',
    'pulsebarrow',
    'halyardine',
  ]),
  collection('sdk-shelf', 'SDK shelf', null, false, [
    ['murmurlode', 'lode-sdk'],
    ['tallowmint', 'tallow-sdk'],
    ['locksedge', 'locksedge-sdk'],
    ['glimmerwatch', 'glimwatch-sdk'],
    ['jotterloft', 'jotterloft-plugins'],
  ]),
];

export const CATEGORY_OVERLAY: DemoCategory[] = [
  {
    slug: 'ai',
    name: 'AI & models',
    description: 'Models, agents, inference servers and the tools around them.',
    aliases: ['machine-learning', 'llm'],
  },
  {
    slug: 'developer-tools',
    name: null,
    description: 'Editors, runners, package managers and everything else on a developer’s desk.',
    aliases: ['devtools'],
  },
];

export const SITE_NOTICE: DemoSiteNotice = {
  active: true,
  message: 'This is a demonstration registry: every company, product and release in it is invented.',
  linkText: 'About this registry',
  href: '/about',
  placement: 'banner',
  color: '#2f6f5e',
  dismissible: true,
};
