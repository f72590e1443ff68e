// Links that notes in a repository leave implicit: relative URLs are files of the tagged version, and `#12`,
// `owner/repo#12`, `@user` and commit ids are links.
import { escapeHtml } from './escape.ts';
import type { UrlBases } from './safe-attributes.ts';

const GITHUB_TAG = /^(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\/releases\/tag\/([^?#]+)/i;
const GITHUB_FILE = /^(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\/blob\/([^?#]+)/i;
const GITLAB_TAG = /^(https:\/\/[\w.:-]+\/[\w./-]+?\/-)\/(?:releases|tags)\/([^?#]+)/i;
const GITLAB_FILE = /^(https:\/\/[\w.:-]+\/[\w./-]+?\/-)\/blob\/([^?#]+)/i;

export function linkBases(url: string | null): UrlBases {
  const [, github, tag] = GITHUB_TAG.exec(url ?? '') ?? [];
  if (github) return { links: `${github}/blob/${tag}/`, media: `${github}/raw/${tag}/` };
  const [, project, release] = GITLAB_TAG.exec(url ?? '') ?? [];
  if (project) return { links: `${project}/blob/${release}/`, media: `${project}/raw/${release}/` };
  const [, owner, file] = GITHUB_FILE.exec(url ?? '') ?? GITLAB_FILE.exec(url ?? '') ?? [];
  return { links: url, media: owner ? `${owner}/raw/${file}` : url };
}

// `owner/repo` of a URL on GitHub.
export function repositoryOf(url: string | null): string | null {
  const [, repository] =
    /^https:\/\/github\.com\/([\w.-]{1,100}\/[\w.-]{1,100}?)(?:\.git)?(?:[/?#]|$)/i.exec(url ?? '') ?? [];
  return repository ?? null;
}

// Every alternative is bounded and begins at a word boundary, so that the search is linear.
const MENTION =
  /(?<![\w/.@#&-])(?:(?<other>[A-Za-z0-9][\w-]{0,38}\/[\w.-]{1,100})?#(?<issue>\d{1,9})(?!\w)|@(?<user>[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38})(?![\w/-])|(?<commit>[0-9a-f]{7,40})(?![\w/-]))/g;

// Plain text → HTML in which mentions are links.
export function repositoryText(text: string, repository: string): string {
  const out: string[] = [];
  let at = 0;
  for (const match of text.matchAll(MENTION)) {
    const url = mentionUrl(match.groups ?? {}, repository);
    if (url === null) continue;
    out.push(escapeHtml(text.slice(at, match.index)));
    out.push(`<a href="${escapeHtml(url)}" rel="nofollow ugc noopener noreferrer">${escapeHtml(match[0])}</a>`);
    at = match.index + match[0].length;
  }
  out.push(escapeHtml(text.slice(at)));
  return out.join('');
}

function mentionUrl(groups: Record<string, string | undefined>, repository: string): string | null {
  const { other, issue, user, commit } = groups;
  if (issue !== undefined) return `https://github.com/${other ?? repository}/issues/${issue}`;
  if (user !== undefined) return `https://github.com/${user}`;
  // A number, or a word of the letters a to f, is no commit id.
  const isCommit = commit !== undefined && /\d/.test(commit) && /[a-f]/.test(commit);
  return isCommit ? `https://github.com/${repository}/commit/${commit}` : null;
}
