// A registry with a few packages, and a client that asks what changed in them.

import type { Context } from '../../src/context.ts';
import type { ReleaseInput } from '../../src/contract/release-input.ts';
import { updateSource } from '../../src/entities/sources/update.ts';
import type { Answer } from '../support/client.ts';
import type { TestAppOptions, TestEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

export type Stored = string | ({ version: string; day?: number } & Partial<ReleaseInput>);

type SourceOptions = NonNullable<Parameters<typeof createSource>[1]>;

export interface UpgradeWorld {
  ctx: Context;
  orgId: string;
  orgSlug: string;
  service: Service;
  // Each version is a day after the one before, unless dates are given.
  fill(versions: readonly Stored[], more?: SourceOptions): Promise<{ id: string; slug: string }>;
  ask(query: Record<string, string>): Promise<Answer>;
}

export async function openUpgradeWorld(engine: TestEngine, options?: TestAppOptions): Promise<UpgradeWorld> {
  const app = await engine.openTestApp(options);
  const { ctx } = app;
  const org = await createOrg(ctx);
  const service = await startService(app);
  return {
    ctx,
    orgId: org.id,
    orgSlug: org.slug,
    service,
    async fill(versions, more = {}) {
      const { isHidden, ...options } = more;
      const source = await createSource(ctx, { orgId: org.id, ...options });
      const rows = versions.map((given, index) => storedRow(source.id, given, index));
      if (rows.length > 0) await postReleases(ctx, source.id, rows, { silent: true });
      if (isHidden) await updateSource(ctx, { src: source.id }, { isHidden });
      return source;
    },
    ask: (query) => service.anonymous.get(`/v1/whats-changed?${new URLSearchParams(query).toString()}`),
  };
}

function storedRow(sourceId: string, given: Stored, index: number): ReleaseInput {
  const { version, day = index, ...more } = typeof given === 'string' ? { version: given } : given;
  const publishedAt = new Date(Date.UTC(2025, 0, 1 + day)).toISOString();
  const url = `https://releases.example/${sourceId}/${encodeURIComponent(version)}`;
  return releaseRow(version, { publishedAt, url, ...more });
}

export function versionsOf({ body }: Answer): string[] {
  return body.entries.map((entry: { version: string }) => entry.version);
}
