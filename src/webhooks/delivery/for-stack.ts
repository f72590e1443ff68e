// The body of a delivery to a webhook of a stack: the event, and what it means for the version that is installed.

import { onBehalfOf } from '../../accounts/on-behalf-of.ts';
import { type Context, queries } from '../../context.ts';
import { JUDGEMENT_WORDS } from '../../domain/upgrade/verdict-words.ts';
import { packageOfRelease } from '../../packages/listings/of-release.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';

type StackSubscription = Pick<WebhookSubscriptionRow, 'stack_id' | 'user_id' | 'format'>;

interface SentRelease {
  id: string;
  version: string | null;
  summary: string | null;
}

// The event as it is where the stack no longer has the package.
export async function bodyForStack(ctx: Context, subscription: StackSubscription, payload: string): Promise<string> {
  const { stack_id, user_id, format } = subscription;
  if (stack_id === null || user_id === null) return payload;
  const event = JSON.parse(payload) as { release: SentRelease };
  const installed = await installedPackage(ctx, stack_id, event.release.id);
  if (!installed) return payload;
  const { ecosystem, name, version, stack } = installed;
  const to = event.release.version ?? 'latest';
  // Loaded for the first webhook of a stack, because it would make up an eighth of the start of the delivery thread.
  const { whatsChangedBatch } = await import('../../packages/whats-changed/index.ts');
  const { items } = await whatsChangedBatch(
    onBehalfOf(ctx, user_id),
    { items: [{ package: name, ecosystem, from: version, to }] },
    null,
  );
  const [answer] = items;
  const judgement = answer && 'judgement' in answer ? (answer.judgement ?? 'not_known') : 'not_known';
  const { webUrl } = ctx.config;
  const told = {
    name: stack,
    ecosystem,
    package: name,
    installed: version,
    judgement,
    webUrl: `${webUrl}/whats-changed?${new URLSearchParams({ package: name, ecosystem, from: version, to })}`,
    stackUrl: `${webUrl}/account/stacks/${stack}`,
  };
  if (format === 'json') return JSON.stringify({ ...event, stack: told });
  const words = `${stack} has ${name} ${version}. ${JUDGEMENT_WORDS[judgement]}. ${told.webUrl}`;
  const summary = event.release.summary ? `${words}\n${event.release.summary}` : words;
  return JSON.stringify({ ...event, release: { ...event.release, summary }, stack: told });
}

// The lowest version, where the stack has several.
async function installedPackage(ctx: Context, stackId: string, releaseId: string) {
  return queries(ctx)
    .selectFrom('releases as r')
    .innerJoin('packages as m', 'm.source_id', 'r.source_id')
    .innerJoin('stack_packages as k', (join) =>
      join.onRef('k.ecosystem', '=', 'm.ecosystem').onRef('k.name', '=', 'm.name'),
    )
    .innerJoin('stacks as t', 't.id', 'k.stack_id')
    .select(['k.ecosystem', 'k.name', 'k.version', 't.name as stack'])
    .where('r.id', '=', releaseId)
    .where('k.stack_id', '=', stackId)
    .where(packageOfRelease())
    .orderBy('k.version_sort')
    .limit(1)
    .executeTakeFirst();
}
