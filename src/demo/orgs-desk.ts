import { agent, type CastOrg, feed, github, page, store, video } from './cast.ts';

// The cast that people work with: design, productivity.
// biome-ignore format: one entry a line or two reads like a table
export const DESK_ORGS: CastOrg[] = [
  { slug: 'inkhollow', name: 'Inkhollow', category: 'design', description: 'Vector drawing that feels like ink.',
    featured: true, avatar: true, tags: ['drawing', 'desktop', 'mobile'], accounts: ['mastodon'],
    parts: ['the ink engine', 'the stroke smoother', 'the paper browser', 'the brush library'],
    products: [
      { slug: 'inkhollow-desktop', name: 'Inkhollow for desktop', kind: 'desktop', description: 'The full studio.',
        sources: [
        store('desktop-macos', 44, { name: 'Inkhollow', start: '6.1.0', platform: 'macos' }),
        feed('studio-notes', 30, { name: 'Studio notes' })] },
      { slug: 'inkhollow-pad', name: 'Hollow Pad', kind: 'mobile', description: 'A sketchbook for a tablet.',
        sources: [store('hollow-pad-ios', 42, { name: 'Hollow Pad', start: '3.3.0' })] }],
    sources: [video('lessons', 26, { name: 'Inkhollow Lessons' })] },
  { slug: 'palefinch', name: 'Palefinch', category: 'design',
    description: 'Design tokens from the file to the stylesheet.', tags: ['design tokens', 'open source'],
    parts: ['the token graph', 'the theme compiler', 'the contrast checker'],
    products: [
      { name: 'Palefinch Compiler', kind: 'tool', category: 'developer-tools', description: 'Token compiler.',
        sources: [
        github('palefinch-compiler', 70, { repo: 'palefinch', style: 'changesets', scheme: 'packages', start: '1.3.0',
          packages: ['@palefinch/core', '@palefinch/css', '@palefinch/cli'] })] }],
    sources: [agent('plugin-notes', 14, { name: 'Plugin notes', discovery: 'agent' })] },
  { slug: 'jotterloft', name: 'Jotterloft', category: 'productivity', description: 'Notes that find each other.',
    featured: true, tags: ['notes', 'mobile', 'desktop'], aliases: ['jotter.example'], accounts: ['mastodon'],
    parts: ['the loft', 'the daily page', 'the link graph', 'the inbox'],
    products: [
      { slug: 'jotterloft-mobile', name: 'Jotterloft for phones', kind: 'mobile', description: 'Capture anywhere.',
        sources: [store('jotterloft-ios', 52, { name: 'Jotterloft', start: '8.0.0' })] },
      { slug: 'jotterloft-desktop', name: 'Jotterloft for desktop', kind: 'desktop', description: 'Write and connect.',
        sources: [
        store('jotterloft-macos', 46, { name: 'Jotterloft for desktop', start: '8.0.0', platform: 'macos' }),
        feed('community-news', 34, { name: 'Loft News' })] },
      { slug: 'jotterloft-plugins', name: 'Plugin API', kind: 'sdk', description: 'Extend the editor.', sources: [
        github('plugin-api', 28, { start: '0.12.0', publishes: ['npm:jotterloft-plugin'] })] }] },
  { slug: 'calendrake', name: 'Calendrake', category: 'productivity',
    description: 'A calendar that guards your free time.', tags: ['calendar', 'mobile'],
    parts: ['the week strip', 'the guard rules', 'the booking page'],
    sources: [
      store('calendrake-ios', 34, { name: 'Calendrake', scheme: 'short', start: '2.6' }),
      feed('updates', 40, { name: 'Calendrake updates', style: 'entry' })] },
  { slug: 'boardwick', name: 'Boardwick', category: 'productivity',
    description: 'Boards, cycles and plans for teams of any size.', tags: ['project management', 'api'],
    parts: ['the cycle view', 'the triage queue', 'the roadmap'],
    products: [
      { slug: 'boardwick-app', name: 'Boardwick', kind: 'platform', description: 'The workspace.', sources: [
        page('release-log', 88, { name: 'Boardwick release log', style: 'launch' })] },
      { name: 'Boardwick Import', kind: 'integration', description: 'Bring your history.', sources: [
        github('importer', 20, { style: 'terse', start: '1.4.0' })] }] },
];
