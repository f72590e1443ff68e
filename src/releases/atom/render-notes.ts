// The notes of a release as HTML. Long ones are rendered on a thread, so that they do not delay other requests. The
// result is cached by a hash of the input, because feeds and pages show the same notes often, and for longer than the
// pages themselves are cached.
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../domain/markdown-html/escape.ts';
import { RENDERER, type RenderOptions, renderMarkdown } from '../../domain/markdown-html/render.ts';
import { RenderCache } from '../../domain/markdown-html/render-cache.ts';
import type { RenderedText } from '../../domain/markdown-html/sanitize.ts';
import { onThread } from '../../threads/documents.ts';
import { TaskStopped, TooManyTasks, threadTask } from '../../threads/task.ts';

interface NotesText extends RenderOptions {
  markdown: string;
}

// A shorter text is rendered faster than it is looked up.
const TINY = 200;
// The first text in a process also pays for compiling the renderer: this length costs at most 30 ms then.
const RENDERED_INLINE = 4_000;
const SHOWN_ANYWAY = 1_000;
const rendered = new RenderCache();

export function renderDocument({ markdown, ...options }: NotesText): RenderedText {
  return renderMarkdown(markdown, options);
}

const RENDERING = threadTask(import.meta.url, renderDocument);

export async function renderNotes(notes: NotesText): Promise<RenderedText> {
  const { markdown, ...options } = notes;
  if (markdown.length <= TINY) return renderDocument(notes);
  const key = createHash('sha256')
    .update(`${RENDERER.version}\n${JSON.stringify(options)}\n${markdown}`)
    .digest('base64');
  const known = rendered.get(key);
  if (known !== undefined) return known;
  try {
    const isShort = markdown.length <= RENDERED_INLINE;
    const text = isShort ? renderDocument(notes) : await onThread(RENDERING, notes);
    rendered.set(key, text);
    return text;
  } catch (error) {
    if (!(error instanceof TaskStopped || error instanceof TooManyTasks)) throw error;
    const beginning = escapeHtml(markdown.slice(0, SHOWN_ANYWAY));
    return { html: `<p>${beginning}</p>\n<p>The rest could not be prepared in time.</p>`, headings: [] };
  }
}
