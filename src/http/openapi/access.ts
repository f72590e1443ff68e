// Who may call an operation, as a sentence at the end of its description.
import type { Access, SessionAccess } from '../kernel/route.ts';

const SENTENCES: Record<Exclude<Access, SessionAccess>, string> = {
  public: 'Anyone may call it.',
  credential: 'Any valid credential may call it.',
  account: 'For the session, a user key or an app of an account.',
  'account:write': 'For the session or a user key of an account, or an app that was granted `account`.',
  'account:session': "For an account's own session only.",
  write: 'Needs the scope `write`.',
  admin: 'Needs the scope `admin`.',
};

export function accessText(access: Access): string {
  return access in SENTENCES ? SENTENCES[access as keyof typeof SENTENCES] : '';
}

// The scope that the security extension of the document names; null for public operations.
export function scopeOf(access: Access): string | null {
  if (access === 'public') return null;
  return access === 'credential' ? 'read' : access;
}
