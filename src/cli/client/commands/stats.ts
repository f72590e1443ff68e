// Commands for the figures of the registry, and for the lookup of a domain.
import type { DomainLookup } from '../../../contract/lookup.ts';
import type { Stats } from '../../../contract/stats.ts';
import { countFlag, EXIT } from '../../command.ts';
import { clientCommand } from '../client-command.ts';
import { printRecord } from '../records.ts';

export const statsCommands = [
  clientCommand({
    name: 'stats',
    summary: 'Figures of the registry and the health of its sources',
    flags: { days: { type: 'string', value: 'n', help: 'days of the period; 30 unless given' } },
    examples: ['registry stats', 'registry stats --days 7 --json'],
    async run({ api, flags, output }) {
      const answer = await api.get<Stats>('/v1/stats', { days: countFlag(flags, 'days', { most: 365 }) });
      const { totals, sourceHealth, period } = answer;
      printRecord(output, {
        answer,
        fields: [
          ['orgs', totals.organizations],
          ['products', totals.products],
          ['sources', totals.sources],
          ['releases', totals.releases],
          [`releases in ${period.days} days`, totals.releasesInPeriod],
          ['sources up to date', sourceHealth.upToDate],
          ['sources stale', sourceHealth.stale],
          ['sources never fetched', sourceHealth.neverFetched],
        ],
      });
      return EXIT.ok;
    },
  }),
  clientCommand({
    name: 'lookup',
    summary: 'The org that has a domain, and the products that carry it',
    arguments: [{ name: 'domain', help: 'a domain, or an address on it' }],
    examples: ['registry lookup acme.example'],
    async run({ args, api, output }) {
      const domain = args.domain ?? '';
      const answer = await api.get<DomainLookup>('/v1/lookups/by-domain', { domain });
      printRecord(output, {
        answer,
        fields: [
          ['domain', answer.domain],
          ['org', answer.org?.slug],
          ['name', answer.org?.name],
          ['id', answer.org?.id],
          ['found by', answer.org?.matchedVia],
          ['product', answer.products.map(({ orgSlug, slug, name }) => `${orgSlug}/${slug} (${name})`)],
        ],
      });
      return EXIT.ok;
    },
  }),
];
