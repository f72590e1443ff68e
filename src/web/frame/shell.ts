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
  // Null: nobody is signed in, or nobody has looked: a page that is one for all readers, or one that says what went wrong
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
