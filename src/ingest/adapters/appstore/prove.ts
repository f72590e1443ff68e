import type { AdapterContext } from '../contract.ts';
import { questionAbout, samples, unproven } from '../probing.ts';
import type { AppFacts, Proof } from '../proofs.ts';
import { fetchAppstore } from './fetch-appstore.ts';
import { identifyApp } from './identify.ts';

// One id can be an app of both platforms; iOS is tried first when the address names none.
export async function proveApp(ctx: AdapterContext, url: string): Promise<Proof<AppFacts>> {
  let last: Proof<AppFacts> = { verdict: 'refused', reason: 'not_an_app' };
  for (const platform of ['ios', 'macos'] as const) {
    last = await proveOn(ctx, url, platform);
    if (last.verdict !== 'refused' || last.reason !== 'empty') return last;
  }
  return last;
}

async function proveOn(ctx: AdapterContext, url: string, platform: AppFacts['platform']): Promise<Proof<AppFacts>> {
  const input = questionAbout({ type: 'appstore', url, app_platform: platform });
  const identity = identifyApp(input.source);
  if (!identity) return { verdict: 'refused', reason: 'not_an_app' };
  const result = await fetchAppstore(ctx, input);
  if (result.outcome !== 'success') return unproven(result);
  const { name, app_icon_url } = result.sourceChanges;
  const facts = { appId: identity.id, platform, storefront: identity.storefront, developer: null };
  const items = samples(result.items);
  return { verdict: 'proven', ...facts, name: name ?? `App ${identity.id}`, iconUrl: app_icon_url ?? null, items };
}
