// Apps of the App Store as sources. `fetch-appstore.ts` is the adapter, `identify.ts` knows how an app is named.
import { nothingFound } from '../findings.ts';
import type { SourceTypeDescriptor } from '../source-type.ts';
import { readAppAddress } from './identify.ts';

export const appstore: SourceTypeDescriptor = {
  fetch: async (ctx, input) => (await import('./fetch-appstore.ts')).fetchAppstore(ctx, input),
  address: (_source, { itunesUrl }) => itunesUrl,
  evaluation: {
    recognizes: (url) => readAppAddress(url) !== null,
    async evaluate({ proofs }, url) {
      const proof = await proofs.app(url);
      if (proof.verdict !== 'proven') return proof;
      const { appId, platform, storefront, iconUrl, name, items } = proof;
      return {
        ...nothingFound(url),
        appStore: { appId, platform, storefront, iconUrl },
        options: [{ method: 'appstore', url, reason: 'listing of the app store', confidence: 'high', name, items }],
      };
    },
  },
};
