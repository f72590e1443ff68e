// The data of the frame around every page, read once per request.
import type { SiteNotice } from '../../contract/notice.ts';

export interface Shell {
  siteName: string;
  // The public URL of the web pages, without a trailing slash.
  webUrl: string;
  version: string;
  now: number;
  // The requested path, without its query.
  path: string;
  query: URLSearchParams;
  notice: SiteNotice | null;
  lastFetchAt: string | null;
  // Null when nobody is signed in, or when that was not checked: on pages that are the same for all readers, and on
  // error pages of a failing service.
  account: ShellAccount | null;
  isAccountKnown: boolean;
  // The browser has a session of the operator area.
  isOperator: boolean;
  // The hidden field of a form that is sent to this path.
  csrf(action: string): string;
  assets: Assets;
}

export interface ShellAccount {
  name: string;
  email: string;
  // The ids of what the account follows.
  orgs: ReadonlySet<string>;
  products: ReadonlySet<string>;
  packages: ReadonlySet<string>;
}

export interface Assets {
  style: string;
  theme: string;
  script: string;
  font: string;
}
