const LINK = /<(?<target>[^<>]{1,2048})>(?<parameters>[^<]*)/g;
const REL_NEXT = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i;

// The address under `rel=next` of a `Link` header, null at the last page.
export function nextPage(link: string | undefined, base: string): string | null {
  for (const { groups } of (link ?? '').matchAll(LINK)) {
    if (REL_NEXT.test(groups?.parameters ?? '')) return URL.parse(groups?.target ?? '', base)?.href ?? null;
  }
  return null;
}
