// Patterns of secrets that must never be in a log. They are separate from those that the logger removes, so that a gap
// in one shows in the other.
const FORMS: Record<string, RegExp> = {
  'machine token': /\brelk_[0-9A-Za-z]{12}/,
  'user key': /\brelu_[A-Za-z]{12}/,
  'feed token': /\brelf_[0-9A-Za-z]{12}/,
  'refresh token': /\brelo_[0-9A-Za-z]{12}/,
  'client secret': /\breloc_[0-9A-Za-z]{12}/,
  'signing key': /\bwhsec_[A-Za-z0-9+/]{12}/,
  'signed token': /\bey[JI][\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/,
  'Bearer value': /\bBearer\s+[\w.~+/-]{8,}/i,
  'Authorization header': /"(?:proxy-)?authorization":\s*\[?"(?!\[redacted\]")[^"]+"/i,
  'Cookie header': /"(?:set-)?cookie":\s*\[?"(?!\[redacted\]")[^"]+"/i,
  'session cookie': /\bregistry\.session_token=(?!\[redacted\])[^;"\s]{8,}/,
  'operator cookie': /\bregistry_operator=(?!\[redacted\])[^;"\s]{8,}/,
  'chat hook': /\bhooks\.slack(?:-gov)?\.com\/(?!\[redacted\])\w[^"\s]*/,
  'chat hook (Discord)': /\bdiscord(?:app)?\.com\/api\/webhooks\/(?!\[redacted\])[^"\s]+/,
  'chat hook (Teams)': /\b(?:azure|powerplatform)\.com(?::\d+)?\/(?!\[redacted\])[^"\s]*workflows\/[^"\s]+/,
  'chat hook (Google Chat)': /\bchat\.googleapis\.com\/(?!\[redacted\])\w[^"\s]*/,
  'root key': /\btest-root-key-[\w-]+/,
};

interface Finding {
  line: number;
  kind: string;
}

export function findSecrets(text: string): Finding[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      Object.entries(FORMS).flatMap(([kind, form]) => (form.test(line) ? [{ line: index + 1, kind }] : [])),
    );
}
