import type { Category } from '../contract/enums.ts';

/**
 * Material of one field of software. Grammar is part of the contract, so that any sentence frame fits any phrase:
 * features are noun phrases used without a verb, parts are singular with their article, activities are gerunds,
 * problems follow "Fixed", gains follow a singular subject and "now", launches are a title and its first sentence.
 */
export type Area = {
  features: string[];
  parts: string[];
  activities: string[];
  problems: string[];
  gains: string[];
  settings: string[];
  commands: string[];
  launches: [title: string, lead: string][];
};

// Phrases between bars; line breaks of the source do not count.
function phrases(text: string): string[] {
  return text
    .split('|')
    .map((phrase) => phrase.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);
}

// biome-ignore format: a title and its first sentence read like a table
export const AREAS: Record<Category, Area> = {
  ai: {
    features: phrases(`structured output | prompt caching | batch inference | streaming tool calls | speculative decoding
      | function schemas | evaluation suites | fine-tuning jobs | multi-turn memory | image inputs | embedding truncation
      | token usage reports | safety filters | prompt versions | document grounding | confidence scores`),
    parts: phrases(`the inference server | the tokenizer | the prompt editor | the model router | the evaluation runner
      | the embedding endpoint | the playground | the fine-tuning queue`),
    activities: phrases(`streaming a long answer | cancelling a batch | loading quantised weights | counting tokens
      | switching models in a conversation | uploading a training file | retrying a failed tool call
      | running two evaluations at once | parsing partial JSON | resuming a fine-tuning job`),
    problems: phrases(`truncated output when the stop sequence spans two tokens | a memory leak in long sessions
      | wrong token counts for emoji | stuck batches after a worker restart | duplicate tool calls in streamed responses
      | missing citations in grounded answers | an off-by-one in the context window
      | empty embeddings for whitespace input | a deadlock while swapping adapters | garbled output at temperature zero`),
    gains: phrases(`answers first tokens 40% sooner | keeps warm weights between requests | reports cost for every call
      | handles contexts of 256k tokens | batches small requests | falls back to a smaller model under load`),
    settings: phrases(`max_output_tokens | context_window | draft_model | cache_ttl | top_k | stop_sequences
      | tool_choice | batch_size`),
    commands: phrases('models pull | eval run | serve | tokens count | adapters list'),
    launches: [
      ['Grounded answers with citations you can check',
        'Every sentence of a grounded answer now points at the passage it came from, and sentences without one are marked.'],
      ['Batch inference at half the price',
        'Jobs that can wait a few hours now run on idle capacity and cost half as much.'],
      ['Evaluations that live next to your prompts',
        'A prompt without a test is a guess, so test cases now sit in the same file and run on every change.'],
      ['A smaller model that follows instructions better',
        'The new compact model fits on one mid-range card and beats our previous mid-size model on instruction tests.'],
      ['Long-term memory, under your control',
        'Assistants can now remember facts between conversations, and people can read, edit and erase what is kept.'],
      ['Tool calls you can replay',
        'When an agent goes wrong you can now replay its run step by step with the same inputs.'],
    ],
  },
  cloud: {
    features: phrases(`preview environments | private networking | scale to zero | scheduled jobs | custom domains
      | regional failover | spending limits | volume snapshots | deploy tokens | build caching | health checks
      | static egress addresses | wildcard certificates | instance metrics | per-branch databases`),
    parts: phrases(`the deploy pipeline | the dashboard | the edge router | the build cache | the log drain
      | the autoscaler | the volume manager | the billing page`),
    activities: phrases(`deploying from a fork | attaching a volume | rolling back a deploy | rotating a certificate
      | scaling a service to zero | moving a project between teams | streaming build logs | resizing an instance
      | deleting a preview environment | importing environment variables`),
    problems: phrases(`slow cold starts in small regions | a build that never finished after a lost connection
      | stale DNS answers after a domain move | volumes left attached to deleted services
      | health checks that ignored the configured path | double billing of paused instances
      | missing lines at the end of build logs | certificates renewed a day late
      | a redirect loop on apex domains | deploys stuck in the queue after a cancelled build`),
    gains: phrases(`starts containers in under 300 ms | retries failed pulls | spreads replicas over zones
      | shows what a change will cost | drains connections before a restart | keeps the last ten builds warm`),
    settings: phrases(`min_instances | max_instances | healthcheck_path | region | idle_timeout | build_command
      | egress_mode | restart_policy`),
    commands: phrases('deploy | logs tail | volumes attach | scale set | domains add'),
    launches: [
      ['Scale to zero is available to everyone',
        'Services without traffic now stop after a few minutes and wake on the next request, on every plan.'],
      ['A new region on the northern coast',
        'Our eleventh region is open, with its own object storage, private network and two independent power feeds.'],
      ['Spending limits that really stop spending',
        'Set an amount for a project and pick what happens when it is reached: a message, a pause or a full stop.'],
      ['Preview environments with their own data',
        'Each branch can now get a copy of your database, cut down to size and with personal fields masked.'],
      ['Private networking between regions',
        'Services in different regions can now talk over an encrypted private network without any gateway of your own.'],
      ['Builds are twice as fast',
        'We moved the build cache next to the builders and rewrote how layers are compared.'],
    ],
  },
  commerce: {
    features: phrases(`discount codes | gift cards | multi-currency prices | abandoned cart mails | product bundles
      | pre-orders | return labels | stock alerts | subscription boxes | tax exemptions | guest checkout
      | store credit | size guides | wholesale price lists | local pickup`),
    parts: phrases(`the checkout | the product editor | the order list | the theme editor | the shipping calculator
      | the inventory screen | the customer portal | the sales report`),
    activities: phrases(`refunding part of an order | importing products from a spreadsheet | printing packing slips
      | applying two discounts | editing a draft order | changing the currency of a cart | merging customer records
      | exporting orders | scheduling a sale | splitting a shipment`),
    problems: phrases(`wrong rounding of tax on bundles | stock going negative during a flash sale
      | duplicate order confirmation mails | a blank checkout in private windows | expired codes that still applied
      | missing variants in the sales report | shipping rates cached for the wrong address
      | gift card balances shown in the wrong currency | images that lost their order after an import
      | refunds that did not restock`),
    gains: phrases(`loads in half the time on phones | remembers the last address | checks stock before payment
      | works without third-party cookies | shows duties up front | keeps a cart for thirty days`),
    settings: phrases(`currency | tax_mode | stock_policy | checkout_language | return_window_days | rounding
      | order_prefix | cart_ttl`),
    commands: phrases('orders export | products import | stock sync | theme push | rates test'),
    launches: [
      ['Sell in every currency, settle in yours',
        'Shoppers now see and pay prices in their own currency while your payouts stay in one.'],
      ['Returns without the back and forth',
        'Customers can start a return themselves, print a label and follow the parcel until the refund arrives.'],
      ['A checkout on one page', 'The new checkout fits on one page, asks for less and finishes sooner.'],
      ['Wholesale without a second store',
        'Price lists, minimum amounts and payment terms for business buyers now live in the store you already have.'],
      ['Bundles that count stock correctly',
        'A bundle is now made of real products, so stock, tax and returns follow each item in it.'],
      ['Pickup points on the map',
        'Shoppers can choose a pickup point on a map and see its opening hours before paying.'],
    ],
  },
  crm: {
    features: phrases(`custom pipelines | lead scoring | call notes | shared inboxes | duplicate detection
      | deal reminders | contact timelines | territory rules | web forms | meeting links | sequence pauses
      | consent records | email templates | forecast categories | company hierarchies`),
    parts: phrases(`the contact page | the pipeline board | the import wizard | the mail sync | the report builder
      | the mobile dialer | the segment editor | the activity feed`),
    activities: phrases(`merging two companies | importing contacts | logging a call | moving a deal backwards
      | sharing a segment | unsubscribing from a sequence | bulk editing owners | syncing a calendar
      | exporting a forecast | recording consent`),
    problems: phrases(`contacts assigned to former colleagues | meetings shown an hour late after the clock change
      | mails matched to the wrong deal | lost line breaks in call notes | segments that counted archived contacts
      | a sync loop between two calendars | broken links in exported reports | duplicate reminders
      | forecast totals that ignored currency | forms that dropped uploaded files`),
    gains: phrases(`opens ten thousand contacts without paging | suggests the next step | writes notes offline
      | groups mails by conversation | shows who changed what | respects quiet hours`),
    settings: phrases(`default_owner | pipeline_id | sync_window_days | quiet_hours | score_decay | merge_policy
      | form_redirect | currency`),
    commands: phrases('contacts import | segments refresh | deals move | audit export | sync status'),
    launches: [
      ['Pipelines that match how you sell',
        'Each team can now have its own stages, required fields and reminders, and reports still add up.'],
      ['A calmer inbox for your whole team',
        'Shared inboxes show who is answering, who is waiting and what has gone quiet.'],
      ['Find duplicates before they find you',
        'A nightly check compares names, domains and phone numbers and proposes merges that you approve in one click.'],
      ['Forecasts you can explain',
        'Open any number of the forecast to see the deals behind it and how each has moved since last week.'],
      ['Call notes that write themselves', 'After a call the dialer proposes a short note with the agreed next steps.'],
      ['Consent, recorded where it was given',
        'Forms, imports and calls now keep the wording, the time and the source of every consent.'],
    ],
  },
  database: {
    features: phrases(`parallel index builds | online schema changes | point-in-time restore | column compression
      | generated columns | row-level policies | read replicas | partial indexes | logical replication | window functions
      | query hints | materialised views | change streams | approximate counts | connection pooling | foreign tables`),
    parts: phrases(`the query planner | the write-ahead log | the storage engine | the replication stream
      | the vacuum process | the wire protocol | the backup tool | the lock manager`),
    activities: phrases(`restoring a snapshot | adding a column with a default | failing over to a replica
      | joining on a nullable column | sorting text in a non-default collation | dropping a partition
      | cancelling a long query | importing large files | rebuilding an index | upgrading a cluster in place`),
    problems: phrases(`a race between compaction and checkpointing | duplicate rows after a failover
      | wrong results for anti-joins over empty partitions | a crash on corrupt page headers
      | stalled replication after a schema change | planner estimates that ignored partial indexes
      | leaked file handles after failed backups | integer overflow in the sequence cache
      | a lock that outlived its session | slow startup with many databases`),
    gains: phrases(`uses a third less memory for hash joins | skips blocks by their statistics
      | flushes in larger batches | reuses prepared plans | recovers in seconds after a crash
      | reads compressed pages without copying`),
    settings: phrases(`max_connections | checkpoint_interval | work_memory | replica_lag_limit | page_cache_size
      | statement_timeout | fsync_mode | autovacuum_delay`),
    commands: phrases('snapshot restore | cluster upgrade | index rebuild | replica promote | stats dump'),
    launches: [
      ['Online schema changes without the waiting',
        'Adding, dropping and retyping columns no longer blocks writers, whatever the size of the table.'],
      ['Restore to any second of the last month',
        'Backups now keep the log between them, so a table or a whole cluster can go back to a chosen second.'],
      ['Compression that pays for itself',
        'A new column format halves the size of typical tables and makes scans faster, because less is read.'],
      ['Change streams for every table',
        'Applications can follow inserts, updates and deletes in commit order and resume where they stopped.'],
      ['A planner that learns from its mistakes',
        'When an estimate was far off, the planner now remembers and chooses better the next time.'],
      ['Replicas in one command', 'A replica can now be added, watched and promoted from the command line.'],
    ],
  },
  design: {
    features: phrases(`shared libraries | variable fonts | auto layout | component variants | vector brushes
      | colour profiles | version branches | prototype transitions | developer handoff | accessibility checks
      | offline files | boolean shapes | comment threads | icon exports | grid presets`),
    parts: phrases(`the canvas | the layer list | the colour picker | the export panel | the pen tool
      | the component browser | the prototype player | the inspector`),
    activities: phrases(`dragging nested groups | exporting at triple size | pasting from a browser
      | renaming many layers | zooming with a trackpad | undoing a boolean operation | opening very large files
      | replacing a font | presenting a prototype | merging a branch`),
    problems: phrases(`blurred strokes on fractional pixels | a crash when the clipboard held a broken image
      | lost kerning in exported text | shadows drawn outside their mask | comments that jumped to another page
      | wrong colours in wide-gamut exports | flicker while zooming | a cursor that stayed in the resize shape
      | missing glyphs in variable fonts | slow selection in files with many frames`),
    gains: phrases(`draws at 120 frames per second | opens files while they load | snaps to optical edges
      | keeps text sharp at any zoom | remembers export settings per layer | uses half the memory for images`),
    settings: phrases(`snapDistance | exportScale | colorSpace | gridSize | autosaveMinutes | nudgeAmount
      | previewQuality | fontFallback`),
    commands: phrases('export | tokens build | library publish | fonts scan | file repair'),
    launches: [
      ['Design tokens that speak to code',
        'Name a colour once and it reaches every file, every platform and every pull request with the same name.'],
      ['Branches for design files',
        'Try a large change in a branch, show it, and merge only the frames that everyone agreed on.'],
      ['A pen tool worth waiting for', 'The new pen tool keeps curves smooth while you add, move and remove points.'],
      ['Prototypes that feel like the real thing',
        'Scrolling areas, springs and shared elements now behave in a prototype as they will in the product.'],
      ['Accessibility checks while you draw', 'Contrast, target size and reading order are checked as you work.'],
      ['Libraries without surprises', 'An update of a shared library now shows what would change before it does.'],
    ],
  },
  'developer-tools': {
    features: phrases(`workspace search | inline diagnostics | remote sessions | snapshot tests | request collections
      | watch mode | monorepo support | code lenses | plugin hooks | offline documentation | lockfile checks
      | environment profiles | parallel test shards | shell completions | rename refactoring | incremental builds`),
    parts: phrases(`the language server | the command palette | the test runner | the debugger | the resolver
      | the formatter | the terminal | the config loader`),
    activities: phrases(`opening a workspace with many folders | running tests in watch mode | resolving optional peers
      | formatting mixed line endings | attaching to a child process | renaming an exported symbol
      | installing behind a proxy | generating a client | sourcing shell completions | hoisting shared packages`),
    problems:
      phrases(`a hang on circular imports | wrong line numbers in stack traces | stale diagnostics after a rename
      | tests reported twice in watch mode | a crash on paths with spaces | ignored settings in nested folders
      | broken colours in narrow terminals | files left open after a failed install
      | a prompt that swallowed the first key | completions that hid snippets`),
    gains: phrases(`starts in under 100 ms | caches parsed files | explains why a file was skipped
      | runs only the tests that a change can reach | prints shorter traces | works without network access`),
    settings: phrases(`maxWorkers | cacheDir | strictPeers | testTimeout | logLevel | watchIgnore | registryUrl
      | formatOnSave`),
    commands: phrases('init | test --changed | doctor | cache clean | add'),
    launches: [
      ['Tests that know what changed',
        'The runner now follows imports from your change and starts with the tests that can reach it.'],
      ['Remote sessions without setup',
        'Open a folder on another machine over a plain secure shell, with nothing to install on the far side.'],
      ['One config file instead of five',
        'Format, lint, test and build settings now share one file and one set of globs.'],
      ['A plugin system you can reason about', 'Plugins now declare what they read and write, and run in that order.'],
      ['Installs that finish before your coffee',
        'The resolver was rewritten around a binary lockfile and a shared cache.'],
      ['Request collections in plain text',
        'Collections are now readable files that live, diff and merge with your code.'],
    ],
  },
  devops: {
    features: phrases(`matrix builds | reusable workflows | drift detection | canary rollouts | approval gates
      | policy checks | ephemeral runners | secret scopes | deploy windows | build provenance | step retries
      | plan previews | artifact retention | cost estimates | environment locks`),
    parts: phrases(`the runner | the pipeline editor | the plan view | the artifact store | the scheduler
      | the state backend | the rollout controller | the webhook receiver`),
    activities: phrases(`re-running a failed job | cancelling a queued pipeline | planning against a locked state
      | uploading large artifacts | rolling back a canary | expanding a matrix | importing existing resources
      | approving a deploy from a phone | caching dependencies between branches | draining a runner`),
    problems: phrases(`jobs that started twice after a runner restart | masked values printed in debug logs
      | plans that showed changes for equal lists | a stuck approval after its author left
      | artifacts expired before their pipeline ended | wrong exit codes from composite steps
      | caches restored from another branch | slow checkouts of repositories with many tags
      | a lock kept by a cancelled run | webhooks answered after their timeout`),
    gains: phrases(`starts jobs in two seconds | shows the first failing line | compresses logs on the fly
      | retries flaky downloads | signs every artifact | shares caches between projects`),
    settings: phrases(`max_parallel | retry_limit | artifact_ttl | runner_labels | drift_interval | approval_timeout
      | state_lock | canary_percent`),
    commands: phrases('plan | apply | runner register | pipeline lint | rollout pause'),
    launches: [
      ['Canary rollouts that stop themselves',
        'Pick a metric and a limit, and a rollout that crosses it now goes back without anybody being woken up.'],
      ['Drift detection, every hour',
        'Your real infrastructure is now compared with its description every hour, and differences open a plan.'],
      ['Runners that live for one job', 'Each job can now have a fresh machine that is gone when the job ends.'],
      ['Build provenance without extra steps',
        'Every artifact now carries a signed statement of the source, the builder and the inputs it was made from.'],
      ['Policies written as tests', 'A policy is now a small test over the plan, with a name, a reason and examples.'],
      ['A pipeline editor for humans', 'The new editor draws the graph, checks it while you type and explains errors.'],
    ],
  },
  finance: {
    features: phrases(`recurring invoices | bank feeds | expense rules | multi-entity reports | payment links
      | usage-based billing | dunning schedules | tax summaries | approval limits | credit notes | receipt scanning
      | revenue schedules | payout batches | ledger exports | budget alerts`),
    parts: phrases(`the ledger | the invoice editor | the reconciliation view | the payout report
      | the tax calculator | the receipt scanner | the billing portal | the approvals queue`),
    activities: phrases(`splitting a bank transaction | closing a fiscal year | sending a reminder
      | importing a statement | prorating an upgrade | voiding an invoice | changing a tax rate
      | matching payments in bulk | exporting the ledger | approving an expense`),
    problems: phrases(`rounding differences of one cent in multi-currency totals | reminders sent for paid invoices
      | statements imported twice | wrong period for credit notes at year end | missing fees in the payout report
      | proration that ignored trial days | a negative balance after a partial refund
      | receipts rotated by ninety degrees | tax summaries that skipped reverse charge
      | invoices numbered out of order under load`),
    gains: phrases(`reconciles a month in one pass | keeps an audit trail of every edit | posts entries in real time
      | explains each proposed match | closes periods without downtime | supports eight-digit account codes`),
    settings: phrases(`fiscal_year_start | rounding_mode | invoice_prefix | dunning_days | base_currency
      | tax_region | payout_schedule | approval_limit`),
    commands: phrases('ledger export | invoices send | rates refresh | period close | events replay'),
    launches: [
      ['Close the month in an afternoon',
        'A guided close now lists what is missing, who has it and what changed since the last close.'],
      ['Usage-based billing that customers understand',
        'Invoices now show how each amount was counted, day by day, and customers can check it before they pay.'],
      ['Bank feeds for small banks', 'Another four hundred banks are connected, most of them small and local.'],
      ['Approvals that follow the money',
        'Approval limits now look at the whole commitment, not at each invoice, so splitting a bill changes nothing.'],
      ['Receipts in any light', 'The scanner now reads crumpled, faded and handwritten receipts.'],
      ['A ledger you can query', 'Every entry can now be read through the API, with filters, totals and history.'],
    ],
  },
  framework: {
    features: phrases(`nested layouts | streaming rendering | typed routes | server actions | form helpers
      | scoped styles | lazy components | middleware chains | error boundaries | data loaders | view transitions
      | signal-based state | background tasks | dependency injection | schema validation | partial hydration`),
    parts: phrases(`the router | the compiler | the dev server | the template engine | the request context
      | the form layer | the component runtime | the test client`),
    activities: phrases(`navigating back to a scrolled page | hydrating streamed markup | hot reloading a layout
      | uploading several files | rendering deeply nested lists | throwing inside a loader
      | matching optional segments | building for production | mounting a sub-application | validating nested forms`),
    problems: phrases(`a hydration mismatch for boolean attributes | lost scroll position after back navigation
      | stale loader data after a redirect | styles applied twice in development | a leak of request contexts
      | wrong types for catch-all routes | middleware that ran twice on rewrites
      | missing source maps in production builds | forms that reset after a failed action
      | flaky hot reload on network drives`),
    gains: phrases(`emits 20% less code | renders lists without extra nodes | reports unused routes
      | streams the first byte before data is ready | infers types of nested loaders | rebuilds in 50 ms`),
    settings: phrases(`basePath | trailingSlash | strictMode | streamTimeout | cacheControl | inlineLimit
      | sourceMaps | defaultLocale`),
    commands: phrases('dev | build | routes list | migrate | generate component'),
    launches: [
      ['Streaming by default',
        'Pages now send their frame at once and fill in the rest as data arrives, without any change to your code.'],
      ['Routes with types, all the way down',
        'Parameters, search values and loader results are now typed from the file name.'],
      ['A compiler that gets out of the way',
        'The new compiler removes the wrapper components that you used to write by hand.'],
      ['Forms that work before scripts load', 'Forms now post, validate and show errors with or without script.'],
      ['Background tasks without another service',
        'Work that may outlive a request can now be queued, retried and watched inside the framework.'],
      ['Testing pages like a person', 'The test client now clicks, types and waits the way that a visitor would.'],
    ],
  },
  infrastructure: {
    features: phrases(`tiered storage | consumer groups | dead-letter queues | geo routing | lifecycle rules
      | request mirroring | schema registry | exactly-once delivery | signed zones | object locks | rate limiting
      | traffic splitting | zone transfers | compacted topics | multi-part uploads`),
    parts: phrases(`the broker | the gateway | the control plane | the object index | the health prober
      | the admin API | the replication agent | the config store`),
    activities: phrases(`rebalancing partitions | replacing a failed disk | reloading the configuration
      | moving a bucket | draining a node | renewing a zone signature | replaying a topic | splitting traffic
      | listing very large buckets | upgrading a rolling cluster`),
    problems: phrases(`lost acknowledgements during a leader change | a slow leak of idle connections
      | stale routes after a configuration reload | incomplete listings over page boundaries
      | retries without jitter | a panic on empty batches | wrong sizes for compressed objects
      | health probes that kept failed nodes in rotation | offset commits that went backwards
      | expired signatures served after renewal`),
    gains: phrases(`moves partitions without pausing producers | serves 15% more requests per core
      | verifies checksums on read | applies changes without a restart | exposes lag per consumer
      | heals under-replicated objects first`),
    settings: phrases(`replication_factor | retention_hours | max_batch_bytes | probe_interval | ack_timeout
      | tls_min_version | part_size | rebalance_rate`),
    commands: phrases('topics describe | node drain | zone sign | bucket verify | config reload'),
    launches: [
      ['Tiered storage for topics that never end',
        'Old segments now move to object storage on their own, and consumers can still read them as before.'],
      ['Traffic splitting by header, cookie or coin toss',
        'A route can now divide its traffic by any rule you can write down.'],
      ['Objects that nobody can delete',
        'Object locks keep data unchanged until a date, even against an administrator.'],
      ['Rolling upgrades with a brake', 'An upgrade now watches error rates and stops by itself between two nodes.'],
      ['Exactly once, explained',
        'Producers and consumers can now share a transaction, and we wrote down what that means.'],
      ['Five milliseconds closer',
        'Six new edge sites bring most of our users five milliseconds closer to their answers.'],
    ],
  },
  observability: {
    features: phrases(`trace search | alert grouping | log patterns | service maps | anomaly bands | saved queries
      | on-call schedules | status pages | histogram metrics | exemplar links | sampling rules | error budgets
      | live tail | custom dashboards | synthetic checks`),
    parts: phrases(`the collector | the query editor | the alert engine | the trace view | the log pipeline
      | the dashboard grid | the notification router | the status page`),
    activities: phrases(`querying a week of logs | silencing an alert | zooming into a flame graph
      | dropping a noisy label | sharing a dashboard | backfilling metrics | acknowledging from a chat
      | following a trace over a queue | parsing multi-line logs | editing a schedule`),
    problems: phrases(`gaps in graphs after daylight saving | alerts that resolved and fired every minute
      | spans attached to the wrong parent | percentiles averaged over hosts | lost tags on restarted collectors
      | a query that ignored its time range | duplicate notifications during failover
      | truncated stack traces | dashboards that reloaded while being edited | counters that dropped on reset`),
    gains: phrases(`answers common queries from summaries | groups related alerts | samples slow requests first
      | keeps rare errors | shows the deploy behind a change | ships with half the memory`),
    settings: phrases(`sample_rate | scrape_interval | retention_days | alert_delay | max_series | buffer_size
      | exclude_labels | quiet_period`),
    commands: phrases('agent check | query run | alerts test | traces export | buffers flush'),
    launches: [
      ['Alerts that arrive once',
        'Related alerts are now grouped by cause, so that one broken disk is one message and not sixty.'],
      ['From a graph to the line of code',
        'Click a spike to see the traces behind it, the deploy before it and the line that changed.'],
      ['Keep the rare, drop the rest', 'Sampling now looks at what is unusual instead of rolling dice.'],
      ['Error budgets people agree on',
        'Set a target in plain words and see how much of it is left, per team and per service.'],
      ['Logs without the bill shock',
        'Patterns are now stored once, with their variables apart, which shrinks most logs by 80%.'],
      ['Status pages your customers will read',
        'The new status page says what is affected, since when and what we do about it.'],
    ],
  },
  productivity: {
    features: phrases(`recurring tasks | backlinks | quick capture | shared calendars | focus timers | board templates
      | offline mode | voice notes | table views | keyboard shortcuts | reading lists | task dependencies
      | guest access | natural-language dates | home screen widgets`),
    parts: phrases(`the editor | the sidebar | the calendar view | the search bar | the sync engine
      | the board | the reminder screen | the share sheet`),
    activities: phrases(`pasting a long table | dragging an event across midnight | sharing a note with a guest
      | searching while offline | moving a card between boards | importing a notebook | editing on two devices
      | printing a page | snoozing a reminder | undoing a bulk edit`),
    problems: phrases(`reminders that fired in the wrong time zone | lost edits after airplane mode
      | a cursor that jumped to the end | checklists that lost their order | events doubled by shared calendars
      | a keyboard that covered the last line | search results for deleted notes | slow typing in long pages
      | missing attachments in exports | widgets stuck on yesterday`),
    gains: phrases(`opens where you left off | syncs in the background | finds words inside images
      | keeps your place while others type | shows conflicts side by side | works fully offline`),
    settings: phrases(`week_start | default_view | sync_interval | reminder_sound | time_format | archive_after
      | font_size | guest_role`),
    commands: phrases('export | import | sync now | links check | backup create'),
    launches: [
      ['Your week at a glance',
        'A new week view puts tasks and events on one line of time, so that plans meet reality.'],
      ['Notes that find each other',
        'Pages that mention the same people, places or projects now suggest links to each other.'],
      ['Offline means offline',
        'Everything you opened in the last month is now on your device, editable, and merged later.'],
      ['Boards for more than one team', 'A card can now live on two boards at once and keep one history.'],
      ['Say it, and it is written down', 'Hold a key, speak, and the note is there when you let go.'],
      ['Guests without the account dance',
        'Invite anybody with a link, choose what they can do and when the link ends.'],
    ],
  },
  security: {
    features: phrases(`passkey sign-in | secret rotation | reachability analysis | audit exports | session limits
      | policy as code | device trust | break-glass access | signed webhooks | key escrow | license checks
      | step-up authentication | leaked credential alerts | directory sync | scoped tokens`),
    parts: phrases(`the vault | the scanner | the policy engine | the sign-in page | the audit log
      | the token service | the agent | the admin console`),
    activities: phrases(`rotating a root key | scanning a large lockfile | signing in from a new device
      | revoking a token | importing a policy | unsealing the vault | restoring an audit archive
      | syncing a directory of many groups | ignoring a finding | renewing a lease`),
    problems: phrases(`tokens that stayed valid for a minute after revocation | a timing difference in code checks
      | findings reported for development dependencies | sessions kept after a password change
      | missing actor in audit entries | a bypass of the rate limit with mixed-case names
      | leases renewed past their maximum | log lines that held header values
      | a redirect that accepted foreign hosts | group membership cached too long`),
    gains: phrases(`checks policies in under a millisecond | writes audit entries before acting
      | rejects weak keys at creation | proves each step with a signature | hides findings that cannot be reached
      | rotates secrets without downtime`),
    settings: phrases(`session_ttl | max_lease | password_policy | allowed_origins | rotation_days | seal_type
      | audit_sink | token_prefix`),
    commands: phrases('secrets rotate | scan | policy test | token revoke | audit verify'),
    launches: [
      ['Passkeys for everyone',
        'Passwordless sign-in is on for all accounts, with recovery that does not depend on mail.'],
      ['Only the findings that matter',
        'The scanner now follows calls and hides findings that your code can never reach.'],
      ['Secrets that rotate themselves',
        'Databases, queues and cloud keys can now rotate on a schedule without a restart.'],
      ['An audit log you can prove', 'Each entry is chained to the one before, so a missing line shows.'],
      ['Break the glass, leave a trace', 'Emergency access now needs two people, ends on its own and writes a report.'],
      ['Tokens that can do one thing', 'A token can now be limited to one action on one resource from one network.'],
    ],
  },
};
