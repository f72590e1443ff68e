import { agent, type CastOrg, feed, github, page, store, video } from './cast.ts';

// The cast that ships, watches and guards: devops, observability, security.
// biome-ignore format: one entry a line or two reads like a table
export const OPERATIONS_ORGS: CastOrg[] = [
  { slug: 'glimmerwatch', name: 'Glimmerwatch', category: 'observability',
    description: 'Traces, metrics and logs with one query language.', featured: true,
    tags: ['tracing', 'metrics', 'alerts'], accounts: ['linkedin'],
    parts: ['the ember store', 'the glim query engine', 'the span linker'],
    products: [
      { name: 'Glimwatch', kind: 'platform', description: 'The hosted service.', sources: [
        feed('updates', 52, { name: 'Glimwatch updates' }),
        video('academy', 24, { name: 'Glimwatch Academy', provider: 'wistia' })] },
      { name: 'Glimwatch Agent', kind: 'tool', description: 'Collects and ships.', sources: [
        github('agent-releases', 70, { repo: 'glimwatch-agent', start: '5.8.0', changelog: 'file' })] },
      { name: 'Glimwatch SDK', kind: 'sdk', description: 'Instrumentation libraries.', sources: [
        github('glimwatch-js', 92, { style: 'changesets', scheme: 'packages', start: '1.14.0',
          packages: ['@glimwatch/core', '@glimwatch/node', '@glimwatch/web'] })] }] },
  { slug: 'soundingline', name: 'Soundingline', category: 'observability',
    description: 'Log search that stays cheap when logs do not.', tags: ['logs', 'open source'],
    parts: ['the pattern miner', 'the cold tier', 'the line parser'],
    sources: [
      github('soundingline', 38, { style: 'sections', start: '0.9.0' }),
      agent('release-diary', 18, { name: 'Release diary', discovery: 'agent', undated: 0.1 })] },
  { slug: 'pulsebarrow', name: 'Pulsebarrow', category: 'observability',
    description: 'Uptime checks and status pages for small teams.', tags: ['uptime', 'status pages'],
    parts: ['the probe network', 'the incident composer'],
    sources: [feed('weekly', 58, { name: 'Weekly update', style: 'rollup' })] },
  { slug: 'ferrowick', name: 'Ferrowick CI', category: 'devops',
    description: 'Pipelines, runners and artifacts with provenance.', featured: true, tags: ['pipelines', 'runners'],
    parts: ['the forge queue', 'the step cache', 'the provenance signer'],
    playbook: 'Runner versions are tagged before the notes are written. An empty body fills within a day.',
    products: [
      { name: 'Ferrowick Cloud', kind: 'platform', description: 'Hosted pipelines.', sources: [
        page('cloud', 86, { name: 'Cloud changelog' })] },
      { name: 'Ferrowick Runner', kind: 'tool', description: 'Runs jobs anywhere.', sources: [
        github('runner', 62, { start: '16.2.0', changelog: 'file' })] }] },
  { slug: 'gantrymoss', name: 'Gantrymoss', category: 'devops',
    description: 'Infrastructure described once, planned daily.', tags: ['infrastructure as code', 'open source'],
    parts: ['the drift watcher', 'the module index', 'the plan diff'],
    products: [
      { name: 'Mossgantry', kind: 'tool', description: 'Plans and applies.', sources: [
        github('mossgantry', 66, { start: '1.8.0', changelog: 'file' }),
        video('screencasts', 14, { name: 'Mossgantry screencasts', provider: 'vimeo' })] }] },
  { slug: 'halyardine', name: 'Halyardine', category: 'devops', description: 'Rollouts that stop themselves.',
    tags: ['rollouts'], parts: ['the analysis step', 'the traffic dial'],
    sources: [
      github('controller', 34, { style: 'auto-notes', scheme: 'prefixed', start: '0.19.0', discovery: 'agent' })] },
  { slug: 'wardenfell', name: 'Wardenfell', category: 'security',
    description: 'Secrets, leases and rotation for machines and people.', featured: true,
    tags: ['secrets', 'self-hosted', 'open source'], parts: ['the seal', 'the lease manager', 'the rotation worker'],
    notice: { message: 'Upgrade to the newest patch of your line: a fix for session handling was released this month.', coordinate: 'wardenfell/fellwarden' },
    products: [
      { name: 'Fellwarden', kind: 'platform', description: 'The vault server.', sources: [
        github('fellwarden', 76, { start: '1.15.0', changelog: 'file' }),
        feed('advisories', 20, { name: 'Security advisories', style: 'entry' })] },
      { name: 'Fellwarden Operator', kind: 'integration', description: 'Secrets for clusters.', sources: [
        github('fellwarden-operator', 32, { style: 'auto-notes', start: '0.9.0' })] }] },
  { slug: 'saltmarrow', name: 'Saltmarrow', category: 'security',
    description: 'Finds the vulnerable dependency that your code really calls.', tags: ['scanning', 'supply chain'],
    parts: ['the call graph', 'the advisory index', 'the fix planner'],
    sources: [
      github('scanner', 48, { style: 'sections', start: '2.11.0' }),
      page('product-news', 18, { name: 'Product news', style: 'launch' })] },
  { slug: 'locksedge', name: 'Locksedge', category: 'security',
    description: 'Sign-in, sessions and directories for business applications.', tags: ['identity', 'single sign-on'],
    aliases: ['locksedge-login.example'], accounts: ['linkedin'],
    parts: ['the consent screen', 'the directory bridge', 'the session store'],
    products: [
      { name: 'Locksedge ID', kind: 'platform', description: 'Hosted identity.', sources: [
        page('platform', 50, { name: 'Platform changelog' })] },
      { name: 'Locksedge SDK', kind: 'sdk', description: 'Sign-in for web and mobile.', sources: [
        github('locksedge-js', 54, { style: 'conventional', start: '6.0.0', changelog: 'file',
          publishes: ['npm:@locksedge/js'] })] },
      { name: 'Locksedge Keys', kind: 'mobile', description: 'Codes and passkeys on a phone.', sources: [
        store('keys-ios', 24, { name: 'Locksedge Keys', start: '2.0.0',
          parts: ['the code list', 'the passkey page', 'the recovery sheet', 'the approval prompt'] })] }] },
];
