import type { AdapterContext } from '../contract.ts';
import { questionAbout, samples, unproven } from '../probing.ts';
import type { AppInfo, Proof } from '../proofs.ts';
import { fetchAppstore } from './fetch-appstore.ts';
import { identifyApp } from './identify.ts';

// One id can be an app of both platforms; iOS is tried first when the address names none.
export async function probeApp(ctx: AdapterContext, url: string): Promise<Proof<AppInfo>> {
  let last: Proof<AppInfo> = { verdict: 'refused', reason: 'not_an_app' };
  for (const platform of ['ios', 'macos'] as const) {
    last = await probeOn(ctx, url, platform);
    if (last.verdict !== 'refused' || last.reason !== 'empty') return last;
  }
  return last;
}

async function probeOn(ctx: AdapterContext, url: string, platform: AppInfo['platform']): Promise<Proof<AppInfo>> {
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
