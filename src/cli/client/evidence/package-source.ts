// Where published packages come from for a command without a server: the npm registry, asked through the guarded fetch.
import { readConfig } from '../../../config.ts';
import { integrityHolds } from '../../../domain/archive/integrity.ts';
import { ARCHIVE_LIMITS } from '../../../domain/archive/limits.ts';
import type { ListedVersion } from '../../../domain/published-package.ts';
import { REGISTRY_ADAPTERS } from '../../../ingest/registries/adapters.ts';
import { createFetch } from '../../../net/fetch.ts';
import { readVersion } from '../../../version.ts';
import { CommandFailure, type Environment } from '../../command.ts';

export interface Listing {
  latest: string | null;
  versions: readonly ListedVersion[];
}

export interface PackageSource {
  // Null when the registry knows no such package.
  listing(name: string): Promise<Listing | null>;
  archive(version: ListedVersion): Promise<Uint8Array>;
}

const LIMITS = { maxBytes: ARCHIVE_LIMITS.packed, totalMs: 120_000 };

export function openPackageSource(env: Environment, signal: AbortSignal): PackageSource {
  const { packages, egress } = readConfig(env);
  const fetch = createFetch({ userAgent: `ReleaseRegistry/${readVersion()}`, allow: egress.allow, deny: egress.deny });
  const registry = { ecosystem: 'npm', scope: null, url: packages.npmUrl, token: null } as const;
  const known = new Map<string, Promise<Listing | null>>();

  async function list(name: string): Promise<Listing | null> {
    const request = { registry, spelling: name, validators: null, dated: async () => new Set<string>() };
    const answer = await REGISTRY_ADAPTERS.npm.listVersions({ fetch, now: new Date(), signal }, request);
    if (answer.kind === 'listing') return answer.listing;
    if (answer.kind === 'failure' && answer.outcome !== 'not_found') {
      throw new CommandFailure(`the package registry does not tell the versions of ${name}: ${answer.reason}`);
    }
    return null;
  }

  return {
    listing(name) {
      const asked = known.get(name) ?? list(name);
      known.set(name, asked);
      return asked;
    },
    async archive({ tarballUrl, integrity, version }) {
      const url = tarballUrl ?? '';
      const result = await fetch({ url, limits: LIMITS, codings: 'identity', signal });
      if (!result.ok || result.status !== 200) {
        const reason = result.ok ? `http ${result.status}` : result.failure;
        throw new CommandFailure(`the archive of ${version} cannot be downloaded: ${reason}`);
      }
      const bytes = new Uint8Array(result.body);
      if (await integrityHolds(bytes, integrity)) return bytes;
      throw new CommandFailure(`the archive of ${version} is not the one that the registry lists`);
    },
  };
}
