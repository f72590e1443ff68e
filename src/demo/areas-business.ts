import type { Category } from '../contract/enums.ts';
import { type Area, phrases } from './phrases.ts';

// Words of the fields that firms work in: commerce, crm, finance.
// biome-ignore format: phrases read like a table
export const BUSINESS_AREAS = {
  commerce: {
    features: phrases(`discount codes | gift cards | multi-currency prices | abandoned cart mails | product bundles
      | pre-orders | return labels | stock alerts | subscription boxes | tax exemptions | guest checkout | store credit
      | size guides | wholesale price lists | local pickup`),
    parts: phrases(`the checkout | the product editor | the order list | the theme editor | the shipping calculator`),
    activities: phrases(`refunding part of an order | importing products from a spreadsheet | printing packing slips
      | applying two discounts | editing a draft order | changing the currency of a cart | merging customer records`),
    problems: phrases(`wrong rounding of tax on bundles | stock going negative during a flash sale
      | duplicate order confirmation mails | a blank checkout in private windows | expired codes that still applied
      | missing variants in the sales report | shipping rates cached for the wrong address`),
    gains: phrases(`loads in half the time on phones | remembers the last address | checks stock before payment
      | works without third-party cookies | shows duties up front | keeps a cart for thirty days`),
    settings: phrases('currency | tax_mode | stock_policy | checkout_language | return_window_days | rounding'),
    commands: phrases('orders export | products import | stock sync | theme push | rates test'),
    launches: [['A checkout on one page', 'The new checkout fits on one page, asks for less and finishes sooner.'],
      ['Pickup points on the map',
        'Shoppers can choose a pickup point on a map and see its opening hours before paying.']] },
  crm: {
    features: phrases(`custom pipelines | lead scoring | call notes | shared inboxes | duplicate detection
      | deal reminders | contact timelines | territory rules | web forms | meeting links | sequence pauses
      | consent records | email templates | forecast categories | company hierarchies`),
    parts: phrases(`the contact page | the pipeline board | the import wizard | the mail sync | the report builder`),
    activities: phrases(`merging two companies | importing contacts | logging a call | moving a deal backwards
      | sharing a segment | unsubscribing from a sequence | bulk editing owners | syncing a calendar`),
    problems: phrases(`contacts assigned to former colleagues | meetings shown an hour late after the clock change
      | mails matched to the wrong deal | lost line breaks in call notes | segments that counted archived contacts
      | a sync loop between two calendars | broken links in exported reports | duplicate reminders`),
    gains: phrases(`opens ten thousand contacts without paging | suggests the next step | writes notes offline
      | groups mails by conversation | shows who changed what | respects quiet hours`),
    settings: phrases('default_owner | pipeline_id | sync_window_days | quiet_hours | score_decay | merge_policy'),
    commands: phrases('contacts import | segments refresh | deals move | audit export | sync status'),
    launches: [['A calmer inbox for your whole team',
        'Shared inboxes show who is answering, who is waiting and what has gone quiet.'],
      ['Call notes that write themselves',
        'After a call the dialer proposes a short note with the agreed next steps.']] },
  finance: {
    features: phrases(`recurring invoices | bank feeds | expense rules | multi-entity reports | payment links
      | usage-based billing | dunning schedules | tax summaries | approval limits | credit notes | receipt scanning
      | revenue schedules | payout batches | ledger exports | budget alerts`),
    parts: phrases(`the ledger | the invoice editor | the reconciliation view | the payout report`),
    activities: phrases(`splitting a bank transaction | closing a fiscal year | sending a reminder
      | importing a statement | prorating an upgrade | voiding an invoice | changing a tax rate`),
    problems: phrases(`rounding differences of one cent in multi-currency totals | reminders sent for paid invoices
      | statements imported twice | wrong period for credit notes at year end | missing fees in the payout report
      | proration that ignored trial days | a negative balance after a partial refund`),
    gains: phrases(`reconciles a month in one pass | keeps an audit trail of every edit | posts entries in real time
      | explains each proposed match | closes periods without downtime | supports eight-digit account codes`),
    settings: phrases('fiscal_year_start | rounding_mode | invoice_prefix | dunning_days | base_currency'),
    commands: phrases('ledger export | invoices send | rates refresh | period close | events replay'),
    launches: [
      ['Bank feeds for small banks', 'Another four hundred banks are connected, most of them small and local.'],
      ['Receipts in any light', 'The scanner now reads crumpled, faded and handwritten receipts.']] },
} satisfies Partial<Record<Category, Area>>;
