// /{org}/{source}/changelog: a tracked file in windows, with its headings beside it.
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { ChangelogSlice } from '../../contract/changelog.ts';
import { limitLike, text } from '../../contract/query.ts';
import type { SourceDetail } from '../../contract/source.ts';
import { resolveSource, type SourcePath } from '../../entities/resolve.ts';
import { readChangelogSlice } from '../../releases/changelog-files/read-slice.ts';
import { sourceDetail } from '../../releases/details/source.ts';
import { contents, contentsWithin } from '../components/contents.ts';
import { formatCount, html } from '../components/html.ts';
import { renderedNotes } from '../components/prose.ts';
import { sourceHead, sourceTrail } from '../components/source-frame.ts';
import { exact, timeMark } from '../components/time.ts';
import { breadcrumbs, type WebPage } from '../frame/document.ts';
import type { Shell } from '../frame/shell.ts';
import { outsideUrl, sourcePath, withQuery } from '../links.ts';
import { page } from '../page.ts';
import { movedSource } from './moved-source.ts';

const WINDOW = 20_000;

const changelogQuery = { path: text({ max: 500 }), offset: limitLike({ default: 0, min: 0, max: 100_000_000 }) };

type ChangelogQuery = z.output<z.ZodObject<typeof changelogQuery>>;

export const changelogOf = {
  summary: 'A changelog file in parts',
  dependsOn: 'resolved' as const,
  query: changelogQuery,
  load: async (ctx: Context, address: SourcePath, query: ChangelogQuery) => {
    const found = await resolveSource(ctx, address);
    const [detail, slice] = await Promise.all([
      sourceDetail(ctx, found, { filter: {}, page: { limit: 1, includeContent: false }, number: 1 }),
      readChangelogSlice(ctx, address, { path: query.path, offset: query.offset, limit: WINDOW }),
    ]);
    return {
      source: detail,
      slice,
      notes: await renderedNotes({ content: slice.content, base: slice.url, inRepository: true }),
    };
  },
  show: ({ source, slice, notes }: Changelog, shell: Shell, query: ChangelogQuery): WebPage => {
    const path = `${sourcePath(source.orgSlug, source.slug)}/changelog`;
    const previous = query.offset > 0 ? Math.max(0, query.offset - WINDOW) : null;
    const last = Math.min(slice.totalChars, slice.offset + slice.content.length);
    const link = (offset: number) => withQuery(path, shell.query, { offset: String(offset) });
    return {
      name: 'changelog',
      head: {
        title: `${source.name} changelog`,
        description: `${slice.filename} of ${source.name}, as its repository holds it.`,
        canonical: path,
        robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
        jsonLd: [
          breadcrumbs(shell, [
            ...sourceTrail(source),
            { name: source.name, path: sourcePath(source.orgSlug, source.slug) },
            { name: 'Changelog', path },
          ]),
        ],
      },
      body: html`${sourceHead(source, shell, { current: 'changelog' })}
<div class="sheet">${contents(notes.headings, 'In this part')}
<article class="article" id="passage"><h2 class="sr">${slice.filename}</h2>${contentsWithin(notes.headings, 'In this part')}<div class="prose">${notes.html}</div>
<nav class="pager" aria-label="Parts of the file"><span>Characters ${formatCount(slice.offset)} to ${formatCount(last)} of ${formatCount(slice.totalChars)}</span><span class="actions">${previous === null ? '' : html`<a class="btn" href="${link(previous)}" rel="prev">Previous</a>`}${slice.nextOffset === null ? '' : html`<a class="btn" href="${link(slice.nextOffset)}" rel="next">Next</a>`}</span></nav></article>
<aside class="panel" aria-label="The file"><section><h2>Files</h2><ul class="linklist">${slice.files.map((file) => html`<li><a href="${withQuery(path, new URLSearchParams(), { path: file.path })}"${file.path === slice.path ? html` aria-current="page"` : ''}>${file.path}</a></li>`)}</ul></section>
<section><h2>Where it comes from</h2><p>${outsideUrl(slice.url) ? html`<a href="${slice.url}" rel="nofollow noopener noreferrer">${slice.filename}</a>, ` : ''}read ${timeMark(slice.fetchedAt, exact(slice.fetchedAt))} UTC</p></section></aside></div>`,
    };
  },
};

interface Changelog {
  source: SourceDetail;
  slice: ChangelogSlice;
  notes: Awaited<ReturnType<typeof renderedNotes>>;
}

export const changelogPage = page({
  ...changelogOf,
  path: '/{org}/{source}/changelog',
  moved: movedSource('/changelog'),
  load: (ctx, { params: { org = '', source = '' }, query }) => changelogOf.load(ctx, { org, source }, query),
  show: (data, shell, { query }) => changelogOf.show(data, shell, query),
});
