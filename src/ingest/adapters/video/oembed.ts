// The oEmbed facts of one video.

import type { VideoProvider } from '../../../contract/enums.ts';
import { absoluteUrl } from '../../../domain/html/addresses.ts';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import type { AdapterContext, AdapterSettings } from '../contract.ts';
import { readableAnswer } from '../outcomes.ts';

export interface OembedInfo {
  poster: string | null;
  title: string | null;
  seconds: number | null;
}

const ENDPOINTS: Partial<Record<VideoProvider, (settings: AdapterSettings) => string>> = {
  vimeo: ({ vimeoUrl }) => `${vimeoUrl}/api/oembed.json`,
  wistia: ({ wistiaUrl }) => `${wistiaUrl}/oembed`,
};

// Null when the provider has no oEmbed service or it does not answer; a video is complete without it.
export async function askOembed(
  ctx: AdapterContext,
  provider: VideoProvider,
  watchUrl: string,
): Promise<OembedInfo | null> {
  const endpoint = ENDPOINTS[provider]?.(ctx.settings);
  if (endpoint === undefined) return null;
  const url = `${endpoint}?url=${encodeURIComponent(watchUrl)}`;
  const answer = readableAnswer(await ctx.fetch({ url, headers: { accept: 'application/json' } }), ctx.now);
  if ('outcome' in answer) return null;
  const text = new TextDecoder().decode(answer.body);
  return readDocument(OEMBED, text, text.length);
}

export function parseOembed(text: string): OembedInfo | null {
  const value = parsed(text);
  if (value === null || typeof value !== 'object') return null;
  const { thumbnail_url: poster, title, duration } = value as Record<string, unknown>;
  const seconds = Number(duration);
  return {
    poster: typeof poster === 'string' ? absoluteUrl(poster, null) : null,
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : null,
    seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
  };
}

const OEMBED = threadTask(import.meta.url, parseOembed);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
