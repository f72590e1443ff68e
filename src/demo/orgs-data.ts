import { agent, type CastOrg, feed, github, page, store, video } from './cast.ts';

// The cast for models and data: ai, database.
// biome-ignore format: one entry a line or two reads like a table
export const DATA_ORGS: CastOrg[] = [
  { slug: 'murmurlode', name: 'Murmurlode', category: 'ai',
    description: 'Open-weight language models and the server that runs them on ordinary hardware.', featured: true,
    avatar: true, tags: ['open source', 'inference', 'language models'], aliases: ['murmurlode-docs.example'],
    accounts: ['mastodon'],
    parts: ['the weight loader', 'the key-value cache', 'the chat template engine', 'the device scheduler'],
    playbook: 'Serve tags a release candidate on most Thursdays; the stable tag follows on Tuesday. Blog posts repeat the repository notes in shorter form, so treat them as coverage.',
    products: [
      { name: 'Lode Serve', kind: 'platform', description: 'Inference server with batching, adapters and an open API.',
        tags: ['inference', 'self-hosted'], sources: [
        github('lode-serve', 118, { style: 'auto-notes', start: '0.14.0', changelog: 'file', future: true }),
        feed('blog', 34, { name: 'Murmurlode Blog' })] },
      { name: 'Murmur Studio', kind: 'tool', description: 'Prompt workbench with evaluations.', sources: [
        video('demos', 22, { name: 'Murmurlode Demos' })] },
      { name: 'Lode SDK', kind: 'sdk', description: 'Client libraries for the Lode API.', sources: [
        github('lode-python', 74, { style: 'conventional', scheme: 'python', start: '0.31.0', changelog: 'file',
          publishes: ['pypi:murmurlode'] })] }] },
  { slug: 'thornwick', name: 'Thornwick Reasoning', category: 'ai',
    description: 'A small framework for agents that explain each step they take.', tags: ['agents', 'open source'],
    parts: ['the planner loop', 'the trace recorder', 'the tool sandbox'],
    products: [
      { name: 'Bramblewick', kind: 'sdk', description: 'Agent framework with typed tools.', sources: [
        github('bramblewick', 150, { style: 'changesets', scheme: 'packages', start: '0.8.0',
          packages: ['@bramblewick/core', '@bramblewick/tools', '@bramblewick/trace', '@bramblewick/cli'],
          changelog: 'per-package' })] },
      { slug: 'handbook', name: 'Bramblewick Handbook', kind: 'docs',
        description: 'Guides, recipes and worked examples.', sources: [
        agent('handbook-changes', 18, { name: 'Bramblewick Handbook changes', kind: 'docs', discovery: 'agent',
          undated: 0.3 })] }] },
  { slug: 'gablefern', name: 'Gablefern', category: 'ai', speaks: 'productivity',
    description: 'Speech to text for meetings, lectures and field notes.', tags: ['speech', 'mobile'],
    parts: ['the transcript view', 'the noise filter', 'the speaker list'],
    products: [
      { slug: 'transcripts', name: 'Gablefern Transcripts', kind: 'mobile', description: 'Record and read anywhere.',
        sources: [store('transcripts-ios', 40, { name: 'Gablefern Transcripts', scheme: 'short', start: '4.2' })] }],
    sources: [page('whats-new', 22, { name: "What's new", style: 'rollup' })] },
  { slug: 'quernstone', name: 'Quernstone', category: 'database',
    description: 'A relational database with a plain storage format and a patient query planner.', featured: true,
    avatar: true, tags: ['open source', 'sql', 'self-hosted'], aliases: ['quernstone-db.example'],
    accounts: ['mastodon'],
    parts: ['the page allocator', 'the statistics collector', 'the millrace replicator', 'the catalogue cache'],
    playbook: 'Two stable lines are kept alive. A lower version after a higher one is a backport, not a mistake.',
    products: [
      { name: 'Quernstone Server', kind: 'platform', description: 'The database.', sources: [
        github('quernstone', 205, { start: '7.2.0', detail: 2.2, changelog: 'large' })] },
      { name: 'Quernstone drivers', kind: 'sdk', description: 'Drivers for five languages.', sources: [
        github('quernstone-js', 48, { style: 'conventional', start: '3.4.0', changelog: 'file',
          publishes: ['npm:quernstone'] }),
        github('quernstone-py', 36, { style: 'terse', scheme: 'python', start: '2.9.0',
          publishes: ['pypi:quernstone'] })] },
      { name: 'Quernview', kind: 'desktop', description: 'Query and inspect from a desktop.', sources: [
        store('quernview-macos', 30, { name: 'Quernview', kind: 'desktop', start: '2.1.0', platform: 'macos',
          parts: ['the query tab', 'the schema tree', 'the result grid', 'the connection list'] })] }] },
  { slug: 'lanternskate', name: 'Lanternskate', category: 'database',
    description: 'Vector and text search in one small engine.', tags: ['open source', 'vectors', 'search engine'],
    parts: ['the graph index', 'the shard router', 'the filter compiler'],
    products: [
      { name: 'Skate Engine', kind: 'platform', category: 'ai', description: 'The engine.', sources: [
        github('skate-engine', 58, { style: 'sections', start: '1.6.0', changelog: 'file' }),
        feed('blog', 24, { name: 'Lanternskate Journal' })] }] },
  { slug: 'tidewrack', name: 'Tidewrack', category: 'database',
    description: 'Time series kept for decades and queried in milliseconds.', tags: ['time series', 'metrics'],
    parts: ['the downsampler', 'the tide table', 'the ingest socket'],
    sources: [
      github('tidewrack', 46, { style: 'auto-notes', scheme: 'prefixed', start: '4.0.0' }),
      page('cloud-notes', 28, { name: 'Tidewrack Cloud notes', scheme: 'calendar', undated: 0.05 })] },
];
