// Embedded players of known video hosts, and the pages that show the same videos.

const ID = '(?<id>[\\w-]{1,64})';
const PLAYERS: readonly [host: RegExp, path: RegExp, watch: (id: string) => string][] = [
  [
    /^(?:www\.|m\.)?youtube(?:-nocookie)?\.com$/,
    path(`/(?:embed|v|shorts)/${ID}`),
    (id) => `https://www.youtube.com/watch?v=${id}`,
  ],
  [/^youtu\.be$/, path(`/${ID}`), (id) => `https://www.youtube.com/watch?v=${id}`],
  [/^player\.vimeo\.com$/, path('/video/(?<id>\\d{1,20})'), (id) => `https://vimeo.com/${id}`],
  [
    /^fast\.wistia\.(?:com|net)$/,
    path(`/embed/(?:iframe|medias)/${ID}`),
    (id) => `https://fast.wistia.net/embed/iframe/${id}`,
  ],
  [/^(?:www\.)?loom\.com$/, path(`/(?:embed|share)/${ID}`), (id) => `https://www.loom.com/share/${id}`],
  [/^(?:www\.)?dailymotion\.com$/, path(`/embed/video/${ID}`), (id) => `https://www.dailymotion.com/video/${id}`],
  [/^play\.vidyard\.com$/, path(`/${ID}`), (id) => `https://share.vidyard.com/watch/${id}`],
];

function path(pattern: string): RegExp {
  return new RegExp(`^${pattern}(?:[/.]|$)`);
}

// The page of the video in an embedded player; null for frames of any other kind.
export function watchUrl(frameUrl: string): string | null {
  const url = URL.parse(frameUrl);
  if (url === null) return null;
  const playlist = url.searchParams.get('list');
  if (/youtube/.test(url.hostname) && /^\/embed\/videoseries\/?$/.test(url.pathname)) {
    return playlist ? `https://www.youtube.com/playlist?list=${encodeURIComponent(playlist)}` : null;
  }
  for (const [host, path, watch] of PLAYERS) {
    const id = host.test(url.hostname) ? path.exec(url.pathname)?.groups?.id : undefined;
    if (id) return watch(id);
  }
  return null;
}
