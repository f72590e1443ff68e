import { type CastOrg, feed, github, page, video } from './cast.ts';

// The cast that software runs on: cloud, infrastructure.
// biome-ignore format: one entry a line or two reads like a table
export const HOSTING_ORGS: CastOrg[] = [
  { slug: 'skerrymoor', name: 'Skerrymoor Cloud', category: 'cloud',
    description: 'Application hosting with regions on small islands and large coasts.', featured: true,
    tags: ['hosting', 'containers', 'serverless'], aliases: ['skerry.example', 'skerrymoor-status.example'],
    accounts: ['mastodon', 'linkedin'],
    parts: ['the island router', 'the function runtime', 'the tide scheduler', 'the bucket browser'],
    notice: { message: 'Skerry Functions v1 closes at the end of the year. Functions v2 runs the same code without changes.', linkText: 'Read the move guide', href: 'https://skerrymoor.example/docs/functions-v2' },
    playbook: 'The platform page lists several entries under one date. Keep each heading as its own release.',
    ignored: [
      { url: 'https://skerrymoor.example/changelog/test-entry', reason: 'Published by mistake and removed an hour later' },
      { url: 'https://skerrymoor.example/events/open-day' }],
    products: [
      { name: 'Skerry Run', kind: 'platform', description: 'Containers that scale to zero.', tags: ['containers'],
        aliases: ['skerry-run.example'], sources: [page('platform', 96, { name: 'Platform changelog' })] },
      { name: 'Skerry Functions', kind: 'platform', description: 'Functions at the edge.',
        notice: { message: 'Version 1 of the runtime is closed for new projects.' }, sources: [
        feed('functions', 26, { name: 'Functions updates' })] },
      { name: 'Skerry CLI', kind: 'tool', category: 'developer-tools',
        description: 'Deploy, watch and roll back from a terminal.', sources: [
        github('cli', 64, { repo: 'skerry-cli', start: '2.3.0', changelog: 'file' })] },
      { name: 'Terraplan provider', kind: 'integration', description: 'Skerrymoor as code.', sources: [
        github('terraplan-provider', 30, { repo: 'terraplan-provider-skerry', start: '0.6.0' })] }] },
  { slug: 'haldenpass', name: 'Haldenpass', category: 'cloud',
    description: 'Edge hosting for static sites and the small servers behind them.', tags: ['hosting', 'edge'],
    parts: ['the asset pipeline', 'the redirect table', 'the form inbox'],
    sources: [
      feed('news', 38, { name: 'Haldenpass News' }),
      video('walkthroughs', 20, { name: 'Haldenpass Walkthroughs', provider: 'vimeo' })] },
  { slug: 'brackmere', name: 'Brackmere Compute', category: 'cloud',
    description: 'Bare machines by the hour, with a plain API.', tags: ['bare metal'],
    parts: ['the rescue console', 'the imaging service', 'the rack map'],
    sources: [
      page('api-changes', 34, { name: 'API changes', style: 'terse', scheme: 'calendar', fetchPriority: 'low' })] },
  { slug: 'culvertworks', name: 'Culvertworks', category: 'infrastructure',
    description: 'Event streams and queues that survive bad days.', featured: true,
    tags: ['open source', 'messaging', 'self-hosted'],
    parts: ['the sluice balancer', 'the segment store', 'the offset ledger'],
    products: [
      { name: 'Culvert Broker', kind: 'platform', description: 'The broker.', tags: ['messaging'], sources: [
        github('culvert-broker', 72, { scheme: 'semver', start: '3.1.0', changelog: 'with-upgrading' }),
        feed('blog', 22, { name: 'Culvertworks Engineering' })] },
      { name: 'Culvert Connect', kind: 'integration', description: 'Sixty connectors.', sources: [
        github('connect', 40, { style: 'auto-notes', scheme: 'prefixed', start: '1.12.0' })] }] },
  { slug: 'weirlock', name: 'Weirlock', category: 'infrastructure',
    description: 'Gateway and name service for people who read their own logs.', tags: ['gateway', 'dns'],
    parts: ['the zone compiler', 'the route table', 'the admission filter'],
    sources: [
      github('gateway', 52, { style: 'conventional', start: '2.0.0' }),
      feed('status-notes', 20, { name: 'Service notes', style: 'entry', health: 'failing',
        notice: { message: 'The feed has answered with an error since last week. Entries may be late.' } })] },
  { slug: 'basaltine', name: 'Basaltine', category: 'infrastructure',
    description: 'Object storage with erasure coding that fits in one binary.', tags: ['storage', 'open source'],
    parts: ['the erasure coder', 'the scrubber', 'the bucket index'],
    sources: [github('basaltine', 44, { style: 'terse', scheme: 'calendar', changelog: 'file' })] },
];
