// Makes a report with an address of what a check has looked at, on the server that was named.
import type { NewReport } from '../../../contract/report.ts';
import type { ProjectUpgrades } from '../../../domain/upgrade/lockfiles/upgrades.ts';
import { CommandFailure } from '../../command.ts';
import type { Api } from '../api.ts';
import type { Output } from '../output.ts';

export type SharedReport = Pick<NewReport, 'id' | 'webUrl' | 'expiresAt' | 'deletionToken'>;

// The failure is told after the report itself, which is not lost by it.
type Shared = { made: SharedReport } | { failure: Error };

export async function shareReport(api: Api, packages: ProjectUpgrades): Promise<Shared> {
  if (packages.upgrades.length === 0) {
    return {
      failure: new CommandFailure('nothing is shared: no package of this check is one that everybody may know'),
    };
  }
  try {
    const body = { read: JSON.stringify(packages) };
    const { id, webUrl, expiresAt, deletionToken } = await api.send<NewReport>({
      method: 'POST',
      path: '/v1/reports',
      body,
    });
    return { made: { id, webUrl, expiresAt, deletionToken } };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { failure: error };
  }
}

export function printShared(output: Output, { server }: Pick<Api, 'server'>, shared: Shared): void {
  if ('failure' in shared) throw shared.failure;
  const { id, webUrl, expiresAt, deletionToken } = shared.made;
  const until = expiresAt === null ? '' : ` It goes away on ${expiresAt.slice(0, 10)}.`;
  output.note(`Shared: ${webUrl}`);
  output.note(`Anyone with the address can read it: names and versions, no code.${until}`);
  output.note(`To delete it: curl -X DELETE -H 'X-Deletion-Token: ${deletionToken}' ${server}/v1/reports/${id}`);
}
