// Listings of videos as sources. `adapter.ts` is the adapter, `address.ts` knows the address forms.
import type { SourceTypeDescriptor } from '../source-type.ts';

export const video: SourceTypeDescriptor = {
  fetch: async (ctx, input) => (await import('./adapter.ts')).fetchVideo(ctx, input),
  address({ video_provider: provider, url }, { youtubeUrl, vimeoUrl, wistiaUrl }) {
    if (provider === 'youtube') return youtubeUrl;
    if (provider === 'vimeo') return vimeoUrl;
    return provider === 'wistia' ? wistiaUrl : url;
  },
};
