// Cards as PNG, drawn on threads of their own. Who asks for the same card gets the same bytes; where nothing can be drawn, the
// picture of the site stands for it.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { TaskPool } from '../../threads/pool.ts';
import { TaskFailed, TaskStopped, TooManyTasks, threadTask } from '../../threads/task.ts';

const pool = new TaskPool({ name: 'pictures', limitMs: 5_000, maxQueued: 50 });
const MAX_KEPT = 10_000;
const MAX_KEPT_BYTES = 64_000_000;
// `tools/card-fonts.ts` makes the files.
const FONTS = [
  fileURLToPath(new URL('./fonts/ibm-plex-mono-latin-400-normal.ttf', import.meta.url)),
  fileURLToPath(new URL('./fonts/ibm-plex-mono-latin-600-normal.ttf', import.meta.url)),
];
const FONT = { loadSystemFonts: false, fontFiles: FONTS, defaultFontFamily: 'IBM Plex Mono' };

// `null`: the part that draws is not installed on this machine.
export async function drawCard({ svg }: { svg: string }): Promise<Uint8Array | null> {
  const renderer = await import('@resvg/resvg-js').catch(() => null);
  if (renderer === null) return null;
  return new Uint8Array(new renderer.Resvg(svg, { font: FONT }).render().asPng());
}

const DRAWING = threadTask(import.meta.url, drawCard);

const kept = new Map<string, Uint8Array>();
let keptBytes = 0;

export async function cardPicture(svg: string): Promise<Uint8Array | null> {
  const key = createHash('sha256').update(svg).digest('base64url');
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const drawn = await pool.run(DRAWING, { svg }).catch((error: unknown) => {
    if (error instanceof TaskStopped || error instanceof TooManyTasks || error instanceof TaskFailed) return null;
    throw error;
  });
  if (drawn) keep(key, drawn);
  return drawn;
}

function keep(key: string, picture: Uint8Array): void {
  kept.set(key, picture);
  keptBytes += picture.byteLength;
  for (const [oldest, { byteLength }] of kept) {
    if (kept.size <= MAX_KEPT && keptBytes <= MAX_KEPT_BYTES) return;
    kept.delete(oldest);
    keptBytes -= byteLength;
  }
}
