import type { Category } from '../contract/enums.ts';
import { type Area, phrases } from './phrases.ts';

// Words of the fields that hold and move data: ai, cloud, database, infrastructure.
// biome-ignore format: phrases read like a table
export const DATA_AREAS = {
  ai: {
    features: phrases(`structured output | prompt caching | batch inference | streaming tool calls
      | speculative decoding | function schemas | evaluation suites | fine-tuning jobs | multi-turn memory
      | image inputs | embedding truncation | token usage reports | safety filters | prompt versions`),
    parts: phrases(`the inference server | the tokenizer | the prompt editor | the model router`),
    activities: phrases(`streaming a long answer | cancelling a batch | loading quantised weights | counting tokens
      | switching models in a conversation | uploading a training file | retrying a failed tool call`),
    problems: phrases(`truncated output when the stop sequence spans two tokens | a memory leak in long sessions
      | wrong token counts for emoji | stuck batches after a worker restart
      | duplicate tool calls in streamed responses | missing citations in grounded answers`),
    gains: phrases(`answers first tokens 40% sooner | keeps warm weights between requests | reports cost for every call
      | handles contexts of 256k tokens | batches small requests | falls back to a smaller model under load`),
    settings: phrases('max_output_tokens | context_window | draft_model | cache_ttl | top_k | stop_sequences'),
    commands: phrases('models pull | eval run | serve | tokens count | adapters list'),
    launches: [['Batch inference at half the price',
        'Jobs that can wait a few hours now run on idle capacity and cost half as much.'],
      ['Tool calls you can replay',
        'When an agent goes wrong you can now replay its run step by step with the same inputs.']] },
  cloud: {
    features: phrases(`preview environments | private networking | scale to zero | scheduled jobs | custom domains
      | regional failover | spending limits | volume snapshots | deploy tokens | build caching | health checks
      | static egress addresses | wildcard certificates | instance metrics | per-branch databases`),
    parts: phrases(`the deploy pipeline | the dashboard | the edge router | the build cache | the log drain`),
    activities: phrases(`deploying from a fork | attaching a volume | rolling back a deploy | rotating a certificate
      | scaling a service to zero | moving a project between teams | streaming build logs | resizing an instance`),
    problems: phrases(`slow cold starts in small regions | a build that never finished after a lost connection
      | stale DNS answers after a domain move | volumes left attached to deleted services
      | health checks that ignored the configured path | double billing of paused instances`),
    gains: phrases(`starts containers in under 300 ms | retries failed pulls | spreads replicas over zones
      | shows what a change will cost | drains connections before a restart | keeps the last ten builds warm`),
    settings: phrases('min_instances | max_instances | healthcheck_path | region | idle_timeout | build_command'),
    commands: phrases('deploy | logs tail | volumes attach | scale set | domains add'),
    launches: [['Scale to zero is available to everyone',
        'Services without traffic now stop after a few minutes and wake on the next request, on every plan.'],
      ['Builds are twice as fast',
        'We moved the build cache next to the builders and rewrote how layers are compared.']] },
  database: {
    features: phrases(`parallel index builds | online schema changes | point-in-time restore | column compression
      | generated columns | row-level policies | read replicas | partial indexes | logical replication
      | window functions | query hints | materialised views | change streams | approximate counts`),
    parts: phrases(`the query planner | the write-ahead log | the storage engine | the replication stream`),
    activities: phrases(`restoring a snapshot | adding a column with a default | failing over to a replica
      | joining on a nullable column | sorting text in a non-default collation | dropping a partition`),
    problems: phrases(`a race between compaction and checkpointing | duplicate rows after a failover
      | wrong results for anti-joins over empty partitions | a crash on corrupt page headers
      | stalled replication after a schema change | planner estimates that ignored partial indexes`),
    gains: phrases(`uses a third less memory for hash joins | skips blocks by their statistics
      | flushes in larger batches | reuses prepared plans | recovers in seconds after a crash`),
    settings: phrases('max_connections | checkpoint_interval | work_memory | replica_lag_limit | page_cache_size'),
    commands: phrases('snapshot restore | cluster upgrade | index rebuild | replica promote | stats dump'),
    launches: [['A planner that learns from its mistakes',
        'When an estimate was far off, the planner now remembers and chooses better the next time.'],
      ['Replicas in one command', 'A replica can now be added, watched and promoted from the command line.']] },
  infrastructure: {
    features: phrases(`tiered storage | consumer groups | dead-letter queues | geo routing | lifecycle rules
      | request mirroring | schema registry | exactly-once delivery | signed zones | object locks | rate limiting
      | traffic splitting | zone transfers | compacted topics | multi-part uploads`),
    parts: phrases(`the broker | the gateway | the control plane | the object index | the health prober`),
    activities: phrases(`rebalancing partitions | replacing a failed disk | reloading the configuration
      | moving a bucket | draining a node | renewing a zone signature | replaying a topic | splitting traffic`),
    problems: phrases(`lost acknowledgements during a leader change | a slow leak of idle connections
      | stale routes after a configuration reload | incomplete listings over page boundaries | retries without jitter
      | a panic on empty batches | wrong sizes for compressed objects`),
    gains: phrases(`moves partitions without pausing producers | serves 15% more requests per core
      | verifies checksums on read | applies changes without a restart | exposes lag per consumer`),
    settings: phrases('replication_factor | retention_hours | max_batch_bytes | probe_interval | ack_timeout'),
    commands: phrases('topics describe | node drain | zone sign | bucket verify | config reload'),
    launches: [['Objects that nobody can delete',
        'Object locks keep data unchanged until a date, even against an administrator.'],
      ['Rolling upgrades with a brake', 'An upgrade now watches error rates and stops by itself between two nodes.']] },
} satisfies Partial<Record<Category, Area>>;
