import type { Config } from '../../config.ts';
import type { SourceRow } from '../../store/schema.ts';
import { adapterNameOf } from '../pipeline/route.ts';
import { NO_HOST } from '../queue/job.ts';

type Located = Pick<SourceRow, 'type' | 'url' | 'github_coordinate' | 'feed_url' | 'video_provider'>;

/** The host that a fetch of the source talks to, and whose turn it therefore takes. */
export function hostOf(source: Located, upstream: Config['upstream']): string {
  return URL.parse(addressOf(source, upstream))?.host ?? NO_HOST;
}

function addressOf(source: Located, upstream: Config['upstream']): string {
  switch (adapterNameOf(source)) {
    case 'github':
      return upstream.githubApiUrl;
    case 'appstore':
      return upstream.itunesUrl;
    case 'video':
      return videoAddress(source, upstream);
    case 'feed':
      return source.feed_url ?? source.url;
    default:
      return source.url;
  }
}

function videoAddress({ video_provider: provider, url }: Located, upstream: Config['upstream']): string {
  if (provider === 'youtube') return upstream.youtubeUrl;
  if (provider === 'vimeo') return upstream.vimeoUrl;
  return provider === 'wistia' ? upstream.wistiaUrl : url;
}
