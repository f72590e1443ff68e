// Commands for the figures of the registry, and for the lookup of a domain or a package.

import type { DomainLookup } from '../../../contract/lookup.ts';
import type { LookupAnswer } from '../../../contract/lookup-run.ts';
import type { PackageDetail } from '../../../contract/package.ts';
import type { Stats } from '../../../contract/stats.ts';
import { ECOSYSTEMS, type PackageName, withEcosystem } from '../../../domain/ecosystems/index.ts';
import { CommandFailure, countFlag, EXIT } from '../../command.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { printRecord } from '../records.ts';
import { awaitReadings } from '../upgrade/await-reading.ts';
import { scoped } from '../views.ts';

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
    summary:
      'The org that has a domain; or a package by its name, which is read when the registry does not know it yet',
    arguments: [
      {
        name: 'domain',
        help: `a domain, an address on it, or ${ECOSYSTEMS.map((one) => `${one}:name`).join(' or ')} for a package`,
      },
    ],
    examples: ['registry lookup acme.example', 'registry lookup npm:zod'],
    async run(session) {
      const { args, api, output } = session;
      const domain = args.domain ?? '';
      const named = withEcosystem(domain);
      if (named) return lookUpPackage(session, { ecosystem: named.ecosystem, name: named.rest });
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

const WORDS: Record<LookupAnswer['status'], string> = {
  existing: 'is in the registry',
  indexed: 'was read just now',
  empty: 'has no notes: no releases, no version tags, and no changelog in the repository or the package',
  not_found: 'is in no registry that can be asked',
  deferred: 'is being read by the server',
};

// What is known of the package orders what is missing. True when there was something to wait for.
async function awaitPackage(session: Session, { ecosystem, name }: PackageName): Promise<boolean> {
  try {
    const path = `/v1/packages/${ecosystem}/${encodeURIComponent(name)}`;
    const { reading } = await session.api.get<PackageDetail>(path);
    return await awaitReadings(session, [reading]);
  } catch (error) {
    if (error instanceof CommandFailure) return false;
    throw error;
  }
}

async function lookUpPackage(session: Session, named: PackageName): Promise<number> {
  const { api, output } = session;
  const body = { ecosystem: named.ecosystem, package: named.name };
  const ask = () => api.send<LookupAnswer>({ method: 'POST', path: '/v1/lookups', body });
  const first = await ask();
  const answer = first.status === 'deferred' && (await awaitPackage(session, named)) ? await ask() : first;
  const { status, source, releases = [], relatedOrg } = answer;
  printRecord(output, {
    answer,
    fields: [
      ['package', `${named.ecosystem}:${named.name}`],
      ['status', `${status}: it ${WORDS[status]}`],
      ['source', source && scoped(source.orgSlug, source.slug)],
      ['id', source?.id],
      ['address', source?.url],
      ['newest', releases[0]?.version],
      ['related org', relatedOrg?.org.slug],
    ],
  });
  return status === 'not_found' ? EXIT.failure : EXIT.ok;
}
