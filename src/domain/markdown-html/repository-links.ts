// What notes of a repository leave out: the repository itself. Relative addresses are files of the tagged version, and
// `#12`, `owner/repo#12`, `@user` and commit ids are links.
import { escapeHtml } from './escape.ts';

interface LinkBases {
  // What addresses of links are relative to; null: relative ones are dropped.
  links: string | null;
  media: string | null;
}

const GITHUB_TAG = /^(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\/releases\/tag\/([^?#]+)/i;
const GITHUB_FILE = /^(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\/blob\/([^?#]+)/i;
const GITLAB_TAG = /^(https:\/\/[\w.:-]+\/[\w./-]+?\/-)\/(?:releases|tags)\/([^?#]+)/i;
const GITLAB_FILE = /^(https:\/\/[\w.:-]+\/[\w./-]+?\/-)\/blob\/([^?#]+)/i;

export function linkBases(url: string | null): LinkBases {
  const [, github, tag] = GITHUB_TAG.exec(url ?? '') ?? [];
  if (github) return { links: `${github}/blob/${tag}/`, media: `${github}/raw/${tag}/` };
  const [, project, release] = GITLAB_TAG.exec(url ?? '') ?? [];
  if (project) return { links: `${project}/blob/${release}/`, media: `${project}/raw/${release}/` };
  const [, owner, file] = GITHUB_FILE.exec(url ?? '') ?? GITLAB_FILE.exec(url ?? '') ?? [];
  return { links: url, media: owner ? `${owner}/raw/${file}` : url };
}

// `owner/repo` of an address on GitHub.
export function repositoryOf(url: string | null): string | null {
  const [, repository] =
    /^https:\/\/github\.com\/([\w.-]{1,100}\/[\w.-]{1,100}?)(?:\.git)?(?:[/?#]|$)/i.exec(url ?? '') ?? [];
  return repository ?? null;
}

// Every form is bounded and begins at the edge of a word, so that the text is read once.
const MENTION =
  /(?<![\w/.@#&-])(?:(?<other>[A-Za-z0-9][\w-]{0,38}\/[\w.-]{1,100})?#(?<issue>\d{1,9})(?!\w)|@(?<user>[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38})(?![\w/-])|(?<commit>[0-9a-f]{7,40})(?![\w/-]))/g;

// Plain text → HTML with links.
export function repositoryText(text: string, repository: string): string {
  const out: string[] = [];
  let at = 0;
  for (const match of text.matchAll(MENTION)) {
    const address = addressOf(match.groups ?? {}, repository);
    if (address === null) continue;
    out.push(escapeHtml(text.slice(at, match.index)));
    out.push(`<a href="${escapeHtml(address)}" rel="nofollow ugc noopener noreferrer">${escapeHtml(match[0])}</a>`);
    at = match.index + match[0].length;
  }
  out.push(escapeHtml(text.slice(at)));
  return out.join('');
}

function addressOf(groups: Record<string, string | undefined>, repository: string): string | null {
  const { other, issue, user, commit } = groups;
  if (issue !== undefined) return `https://github.com/${other ?? repository}/issues/${issue}`;
  if (user !== undefined) return `https://github.com/${user}`;
  // Numbers and words of the first letters are no commits.
  const isCommit = commit !== undefined && /\d/.test(commit) && /[a-f]/.test(commit);
  return isCommit ? `https://github.com/${repository}/commit/${commit}` : null;
}
