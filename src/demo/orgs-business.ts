import { agent, type CastOrg, feed, github, page, store } from './cast.ts';

// The cast that firms work with: commerce, crm, finance.
// biome-ignore format: one entry a line or two reads like a table
export const BUSINESS_ORGS: CastOrg[] = [
  { slug: 'wickerstall', name: 'Wickerstall', category: 'commerce',
    description: 'Storefronts for makers, from the market table to the web.', featured: true,
    tags: ['storefront', 'payments'], accounts: ['linkedin'],
    parts: ['the stall page', 'the market mode', 'the fee preview'],
    products: [
      { name: 'Wickerstall Studio', kind: 'platform', description: 'The storefront and its back office.', sources: [
        feed('product-updates', 44, { name: 'Product updates' }),
        page('monthly', 22, { name: 'Monthly round-up', style: 'rollup' })] },
      { name: 'Wickerstall Go', kind: 'mobile', description: 'Take payments at the market.', sources: [
        store('wickerstall-go-ios', 48, { name: 'Wickerstall Go', start: '3.0.2' })] },
      { name: 'Wickerstall Themes', kind: 'integration', category: 'design', sources: [
        github('wickerstall-themes', 36, { style: 'conventional', start: '5.1.0',
          publishes: ['npm:@wickerstall/themes'] })] }] },
  { slug: 'parcelwren', name: 'Parcelwren', category: 'commerce',
    description: 'Shipping labels, rates and tracking behind one API.', tags: ['shipping', 'api'],
    parts: ['the rate table', 'the label printer', 'the tracking page'],
    products: [
      { name: 'Parcelwren API', kind: 'platform', description: 'Labels and rates.', url: null, sources: [
        page('api-changelog', 42, { name: 'API changelog', scheme: 'calendar' })] },
      { name: 'Parcelwren Labs', description: 'Experiments.', isHidden: true, sources: [
        feed('labs-notes', 8, { name: 'Labs notes', style: 'entry', ageDays: 300 })] }] },
  { slug: 'quayside-pos', name: 'Quayside Registers', category: 'commerce',
    description: 'Tills for cafés, bakeries and ferries.', domain: 'quayside-registers.example',
    tags: ['point of sale', 'payments'], parts: ['the till screen', 'the kitchen ticket', 'the tip prompt'],
    sources: [
      store('till-ios', 34, { name: 'Quayside Till', scheme: 'calendar' }),
      page('release-news', 16, { name: 'Release news', style: 'launch', undated: 0.15 })] },
  { slug: 'kithbarrow', name: 'Kithbarrow', category: 'crm',
    description: 'Customer records for teams that know their customers by name.', featured: true,
    tags: ['sales', 'contacts'], accounts: ['linkedin'],
    parts: ['the kinship graph', 'the handover note', 'the visit planner'],
    products: [
      { name: 'Kithdesk', kind: 'platform', description: 'The workspace.', sources: [
        feed('product-blog', 40, { name: 'Kithbarrow Product Blog' }),
        page('seasonal', 12, { name: 'Seasonal releases', style: 'rollup' })] },
      { slug: 'kithdesk-mail', name: 'Kithdesk for Mail', kind: 'integration',
        description: 'Records beside your inbox.', sources: [
        agent('kithdesk-mail', 26, { name: 'Kithdesk for Mail notes', style: 'terse', scheme: 'short',
          start: '2.0' })] }] },
  { slug: 'dovetrail', name: 'Dovetrail', category: 'crm',
    description: 'Follow-ups that are sent on time and stopped in time.', tags: ['outreach', 'sales'],
    parts: ['the sequence editor', 'the reply detector', 'the warm-up schedule'],
    sources: [
      page('updates', 52, { name: 'Dovetrail updates' }),
      feed('old-blog', 12, { name: 'Dovetrail Journal (old)', ageDays: 720, quietDays: 260, fetchPriority: 'paused' })] },
  { slug: 'tallowmint', name: 'Tallowmint', category: 'finance',
    description: 'Billing for products that are sold by use.', featured: true, avatar: true,
    tags: ['billing', 'api', 'payments'], accounts: ['linkedin'],
    parts: ['the meter', 'the rating engine', 'the proration preview'],
    products: [
      { name: 'Tallow Billing', kind: 'platform', description: 'Meters, prices, invoices.', sources: [
        page('api-versions', 40, { name: 'API versions', style: 'sections', scheme: 'calendar' }),
        feed('blog', 22, { name: 'Tallowmint Blog' })] },
      { name: 'Tallow SDK', kind: 'sdk', description: 'Server libraries.', sources: [
        github('tallow-node', 58, { style: 'conventional', start: '9.0.0', changelog: 'file',
          publishes: ['npm:@tallowmint/node'] }),
        github('tallow-python', 40, { style: 'terse', scheme: 'python', start: '5.1.0',
          publishes: ['pypi:tallowmint'] })] }] },
  { slug: 'ledgerfen', name: 'Ledgerfen', category: 'finance',
    description: 'Bookkeeping for one-person firms and their accountants.', tags: ['accounting', 'mobile'],
    parts: ['the shoebox', 'the quarter view', 'the accountant link'],
    products: [
      { name: 'Ledgerfen app', kind: 'mobile', description: 'Receipts on the go.', sources: [
        store('ledgerfen-ios', 30, { name: 'Ledgerfen', start: '1.9.0' })] }],
    sources: [page('whats-new', 22, { name: "What's new in Ledgerfen", style: 'rollup' })] },
];
