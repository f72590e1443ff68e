// What the frame around every page needs to know, read once for a request.
import type { SiteNotice } from '../../contract/notice.ts';

export interface Shell {
  siteName: string;
  // Where pages are reached from outside, without a slash at its end.
  webUrl: string;
  version: string;
  now: number;
  // The path that was asked for, without its query.
  path: string;
  query: URLSearchParams;
  notice: SiteNotice | null;
  lastFetchAt: string | null;
  // Null when nobody is signed in, or when it was not checked: on pages that are the same for all readers, and on error pages
  // while the service could not be asked.
  account: ShellAccount | null;
  isAccountKnown: boolean;
  // The hidden field of a form that is sent to this path.
  csrf(action: string): string;
  assets: Assets;
}

export interface ShellAccount {
  name: string;
  email: string;
  // Ids of what the account follows.
  orgs: ReadonlySet<string>;
  products: ReadonlySet<string>;
}

export interface Assets {
  style: string;
  theme: string;
  script: string;
  font: string;
}
