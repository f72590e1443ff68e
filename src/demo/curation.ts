// What people add to the demo registry by hand: collections, words about categories, the notice of the site.
import type { DemoCollection, DemoRegistry } from './types.ts';

type Collection = Omit<DemoCollection, 'createdAt'>;

// Members are orgs, or products as `org/product`.
function collection(members: string, fields: Omit<Collection, 'members'>): Collection {
  const entries = members.split(' ').map((member) => {
    const [orgSlug = '', productSlug] = member.split('/');
    return { orgSlug, productSlug };
  });
  return { ...fields, members: entries };
}

// biome-ignore format: members and name of a collection stand together
export const COLLECTIONS: Collection[] = [
  collection('quernstone culvertworks wardenfell basaltine murmurlode/lode-serve soundingline',
    { slug: 'run-it-yourself', name: 'Run it yourself', description: 'Software that you can host on your own machines.', isFeatured: true }),
  collection('osierframe stonecrumb burrowgate skerrymoor/skerry-run quernstone',
    { slug: 'web-stack', name: 'A modern web stack', description: 'Framework, tests, packages and a place to deploy.', isFeatured: true }),
  collection('murmurlode thornwick lanternskate/skate-engine',
    { slug: 'model-builders', name: 'Model builders', description: 'Models, agents and the engines below them.', isFeatured: true }),
  collection('wardenfell saltmarrow locksedge ferrowick/ferrowick-runner',
    { slug: 'keep-it-safe', name: 'Keep it safe', description: 'Secrets, identity and supply chain.' }),
  collection('jotterloft/jotterloft-mobile inkhollow/inkhollow-pad wickerstall/wickerstall-go calendrake gablefern ledgerfen/ledgerfen-app',
    { slug: 'on-your-phone', name: 'On your phone', description: 'Apps that ship through a store.' }),
  collection('wickerstall ledgerfen kithbarrow quayside-pos tallowmint',
    { slug: 'small-business', name: 'Small business desk', description: 'Sell, invoice, remember your customers.' }),
  collection('glimmerwatch soundingline pulsebarrow halyardine',
    { slug: 'night-watch', name: 'Night watch', description: 'What wakes you up, and what helps when it does.' }),
  collection('murmurlode/lode-sdk tallowmint/tallow-sdk locksedge/locksedge-sdk glimmerwatch/glimwatch-sdk jotterloft/jotterloft-plugins',
    { slug: 'sdk-shelf', name: 'SDK shelf' }),
];

export const CATEGORIES: DemoRegistry['categories'] = [
  {
    slug: 'ai',
    name: 'AI & models',
    description: 'Models, agents, inference servers and the tools around them.',
    aliases: ['machine-learning', 'llm'],
  },
  {
    slug: 'developer-tools',
    description: 'Editors, runners, package managers and everything else on a developer’s desk.',
    aliases: ['devtools'],
  },
];

export const SITE_NOTICE: DemoRegistry['siteNotice'] = {
  active: true,
  message: 'This is a demonstration registry: every company, product and release in it is invented.',
  linkText: 'About this registry',
  href: '/about',
  placement: 'banner',
  color: '#2f6f5e',
  dismissible: true,
};
