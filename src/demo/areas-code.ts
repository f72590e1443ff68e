import type { Category } from '../contract/enums.ts';
import { type Area, phrases } from './phrases.ts';

// Words of the fields whose readers write software and run it.
// biome-ignore format: phrases read like a table
export const CODE_AREAS = {
  'developer-tools': {
    features: phrases(`workspace search | inline diagnostics | remote sessions | snapshot tests | request collections
      | watch mode | monorepo support | code lenses | plugin hooks | offline documentation | lockfile checks
      | environment profiles | parallel test shards | shell completions | rename refactoring | incremental builds`),
    parts: phrases(`the language server | the command palette | the test runner | the debugger | the resolver`),
    activities: phrases(`opening a workspace with many folders | running tests in watch mode | resolving optional peers
      | formatting mixed line endings | attaching to a child process | renaming an exported symbol`),
    problems: phrases(`a hang on circular imports | wrong line numbers in stack traces
      | stale diagnostics after a rename | tests reported twice in watch mode | a crash on paths with spaces
      | ignored settings in nested folders | broken colours in narrow terminals`),
    gains: phrases(`starts in under 100 ms | caches parsed files | explains why a file was skipped
      | runs only the tests that a change can reach | prints shorter traces | works without network access`),
    settings: phrases('maxWorkers | cacheDir | strictPeers | testTimeout | logLevel | watchIgnore'),
    commands: phrases('init | test --changed | doctor | cache clean | add'),
    launches: [['One config file instead of five',
        'Format, lint, test and build settings now share one file and one set of globs.'],
      ['A plugin system you can reason about', 'Plugins now declare what they read and write, and run in that order.']] },
  devops: {
    features: phrases(`matrix builds | reusable workflows | drift detection | canary rollouts | approval gates
      | policy checks | ephemeral runners | secret scopes | deploy windows | build provenance | step retries
      | plan previews | artifact retention | cost estimates | environment locks`),
    parts: phrases(`the runner | the pipeline editor | the plan view | the artifact store | the scheduler`),
    activities: phrases(`re-running a failed job | cancelling a queued pipeline | planning against a locked state
      | uploading large artifacts | rolling back a canary | expanding a matrix | importing existing resources`),
    problems: phrases(`jobs that started twice after a runner restart | masked values printed in debug logs
      | plans that showed changes for equal lists | a stuck approval after its author left
      | artifacts expired before their pipeline ended | wrong exit codes from composite steps`),
    gains: phrases(`starts jobs in two seconds | shows the first failing line | compresses logs on the fly
      | retries flaky downloads | signs every artifact | shares caches between projects`),
    settings: phrases('max_parallel | retry_limit | artifact_ttl | runner_labels | drift_interval | approval_timeout'),
    commands: phrases('plan | apply | runner register | pipeline lint | rollout pause'),
    launches: [
      ['Runners that live for one job', 'Each job can now have a fresh machine that is gone when the job ends.'],
      ['Policies written as tests', 'A policy is now a small test over the plan, with a name, a reason and examples.']] },
  framework: {
    features: phrases(`nested layouts | streaming rendering | typed routes | server actions | form helpers
      | scoped styles | lazy components | middleware chains | error boundaries | data loaders | view transitions
      | signal-based state | background tasks | dependency injection | schema validation | partial hydration`),
    parts: phrases(`the router | the compiler | the dev server | the template engine | the request context`),
    activities: phrases(`navigating back to a scrolled page | hydrating streamed markup | hot reloading a layout
      | uploading several files | rendering deeply nested lists | throwing inside a loader`),
    problems: phrases(`a hydration mismatch for boolean attributes | lost scroll position after back navigation
      | stale loader data after a redirect | styles applied twice in development | a leak of request contexts
      | wrong types for catch-all routes | middleware that ran twice on rewrites`),
    gains: phrases(`emits 20% less code | renders lists without extra nodes | reports unused routes
      | streams the first byte before data is ready | infers types of nested loaders | rebuilds in 50 ms`),
    settings: phrases('basePath | trailingSlash | strictMode | streamTimeout | cacheControl | inlineLimit'),
    commands: phrases('dev | build | routes list | migrate | generate component'),
    launches: [
      ['Forms that work before scripts load', 'Forms now post, validate and show errors with or without script.'],
      ['Testing pages like a person', 'The test client now clicks, types and waits the way that a visitor would.']] },
  observability: {
    features: phrases(`trace search | alert grouping | log patterns | service maps | anomaly bands | saved queries
      | on-call schedules | status pages | histogram metrics | exemplar links | sampling rules | error budgets
      | live tail | custom dashboards | synthetic checks`),
    parts: phrases(`the collector | the query editor | the alert engine | the trace view | the log pipeline`),
    activities: phrases(`querying a week of logs | silencing an alert | zooming into a flame graph
      | dropping a noisy label | sharing a dashboard | backfilling metrics | acknowledging from a chat`),
    problems: phrases(`gaps in graphs after daylight saving | alerts that resolved and fired every minute
      | spans attached to the wrong parent | percentiles averaged over hosts | lost tags on restarted collectors
      | a query that ignored its time range | duplicate notifications during failover | truncated stack traces`),
    gains: phrases(`answers common queries from summaries | groups related alerts | samples slow requests first
      | keeps rare errors | shows the deploy behind a change | ships with half the memory`),
    settings: phrases('sample_rate | scrape_interval | retention_days | alert_delay | max_series | buffer_size'),
    commands: phrases('agent check | query run | alerts test | traces export | buffers flush'),
    launches: [['Keep the rare, drop the rest', 'Sampling now looks at what is unusual instead of rolling dice.'],
      ['Error budgets people agree on',
        'Set a target in plain words and see how much of it is left, per team and per service.']] },
  security: {
    features: phrases(`passkey sign-in | secret rotation | reachability analysis | audit exports | session limits
      | policy as code | device trust | break-glass access | signed webhooks | key escrow | license checks
      | step-up authentication | leaked credential alerts | directory sync | scoped tokens`),
    parts: phrases(`the vault | the scanner | the policy engine | the sign-in page | the audit log`),
    activities: phrases(`rotating a root key | scanning a large lockfile | signing in from a new device
      | revoking a token | importing a policy | unsealing the vault | restoring an audit archive`),
    problems: phrases(`tokens that stayed valid for a minute after revocation | a timing difference in code checks
      | findings reported for development dependencies | sessions kept after a password change
      | missing actor in audit entries | a bypass of the rate limit with mixed-case names`),
    gains: phrases(`checks policies in under a millisecond | writes audit entries before acting
      | rejects weak keys at creation | proves each step with a signature | hides findings that cannot be reached`),
    settings: phrases('session_ttl | max_lease | password_policy | allowed_origins | rotation_days | seal_type'),
    commands: phrases('secrets rotate | scan | policy test | token revoke | audit verify'),
    launches: [['An audit log you can prove', 'Each entry is chained to the one before, so a missing line shows.'],
      ['Tokens that can do one thing', 'A token can now be limited to one action on one resource from one network.']] },
} satisfies Partial<Record<Category, Area>>;
