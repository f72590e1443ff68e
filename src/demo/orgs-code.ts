import { type CastOrg, feed, github, page, store, video } from './cast.ts';

// The cast that makers of software use: developer-tools, framework.
// biome-ignore format: one entry a line or two reads like a table
export const CODE_ORGS: CastOrg[] = [
  { slug: 'burrowgate', name: 'Burrowgate', category: 'developer-tools',
    description: 'A package manager with a readable lockfile and a shared cache.', featured: true,
    tags: ['open source', 'packages', 'command line'], aliases: ['burrow.example'], accounts: ['mastodon'],
    parts: ['the lockfile reader', 'the tunnel cache', 'the workspace graph', 'the publish step'],
    products: [
      { name: 'Burrow PM', kind: 'tool', description: 'The package manager.', sources: [
        github('burrow-pm', 104, { style: 'auto-notes', start: '8.4.0', changelog: 'file',
          publishes: ['npm:burrowgate-cli'] }),
        feed('blog', 28, { name: 'Burrowgate Blog' })] },
      { name: 'Burrow manual', kind: 'docs', description: 'Reference and guides.', sources: [
        page('manual-changes', 20, { name: 'Manual changes', kind: 'docs' })] }] },
  { slug: 'nettlecode', name: 'Nettlecode', category: 'developer-tools',
    description: 'A code editor that starts before you let go of the key.', featured: true,
    tags: ['editor', 'desktop'], accounts: ['linkedin'],
    parts: ['the gutter', 'the sting debugger', 'the split view', 'the snippet store'],
    products: [
      { slug: 'nettlecode-editor', name: 'Nettlecode', kind: 'desktop', description: 'The editor.', tags: ['editor'],
        sources: [
        page('release-notes', 46, { name: 'Nettlecode release notes', style: 'rollup', scheme: 'short',
          start: '1.74' }),
        store('nettlecode-macos', 36, { name: 'Nettlecode', kind: 'desktop', start: '1.74.0', platform: 'macos',
          parts: ['the gutter', 'the split view', 'the file tree', 'the welcome page'] }),
        video('minutes', 18, { name: 'Nettlecode Minutes' })] },
      { name: 'Nettlecode Extensions', kind: 'integration', description: 'Extension kit and store.', sources: [
        github('extension-kit', 38, { kind: 'sdk', style: 'conventional', start: '0.22.0',
          publishes: ['npm:@nettlecode/extension-kit'] })] }] },
  { slug: 'wrenhook', name: 'Wrenhook', category: 'developer-tools',
    description: 'Send, save and replay HTTP requests from plain files.', tags: ['api', 'testing'],
    parts: ['the request editor', 'the replay log', 'the mock server'],
    products: [
      { name: 'Wrenhook Desktop', kind: 'desktop', description: 'The client.', sources: [
        github('desktop', 50, { name: 'wrenhook-desktop', style: 'sections', start: '3.7.0' })] }],
    sources: [github('cli', 26, { kind: 'tool', style: 'terse', start: '1.2.0' })] },
  { slug: 'stonecrumb', name: 'Stonecrumb', category: 'developer-tools',
    description: 'A test runner that only runs what a change can reach.', tags: ['testing', 'open source'],
    parts: ['the shard planner', 'the snapshot store', 'the reporter'],
    products: [
      { name: 'Crumbwise', kind: 'tool', description: 'The runner.', sources: [
        github('crumbwise', 128, { style: 'changesets', scheme: 'packages', start: '2.2.0',
          packages: ['crumbwise', '@crumbwise/expect', '@crumbwise/snapshot', '@crumbwise/reporter-html', '@crumbwise/coverage'],
          changelog: 'file' })] }] },
  { slug: 'osierframe', name: 'Osierframe', category: 'framework',
    description: 'A web framework woven from small parts.', featured: true, avatar: true,
    tags: ['open source', 'web', 'rendering'], aliases: ['osier.example'], accounts: ['mastodon'],
    parts: ['the weave compiler', 'the withy router', 'the server bundle', 'the island runtime'],
    products: [
      { name: 'Osierweave', kind: 'sdk', description: 'The framework.', tags: ['web'], sources: [
        github('osierweave', 190, { style: 'changesets', scheme: 'packages', start: '4.6.0',
          packages: ['osierweave', '@osierweave/router', '@osierweave/forms', '@osierweave/compiler', '@osierweave/testing', 'create-osierweave'],
          changelog: 'per-package' }),
        feed('blog', 26, { name: 'Osierweave Blog' })] },
      { slug: 'osierweave-docs', name: 'Osierweave documentation', kind: 'docs', description: 'Learn and look up.',
        sources: [feed('docs-updates', 22, { name: 'Docs updates', kind: 'docs', style: 'entry' })] }] },
  { slug: 'plinthworks', name: 'Plinthworks', category: 'framework',
    description: 'A typed application framework for services that must last.', tags: ['open source', 'web', 'backend'],
    parts: ['the pedestal container', 'the settings loader', 'the admin site', 'the task queue'],
    products: [
      { name: 'Plinthway', kind: 'sdk', description: 'The framework.', sources: [
        github('plinthway', 78, { style: 'sections', scheme: 'python', start: '3.2.0', changelog: 'with-upgrading',
          future: true, publishes: ['pypi:plinthway', 'pypi:plinthway-admin'] }),
        feed('news', 20, { name: 'Plinthway News' })] }] },
  { slug: 'mossrail', name: 'Mossrail', category: 'framework',
    description: 'Write a mobile app once and keep its native feel.', tags: ['mobile', 'open source'],
    parts: ['the view bridge', 'the gesture layer', 'the bundle updater'],
    sources: [
      github('mossrail', 60, { style: 'conventional', start: '0.68.0', changelog: 'file',
        publishes: ['npm:mossrail'] })] },
];
