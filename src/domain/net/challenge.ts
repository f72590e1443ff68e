// Tells the page of a bot defence from the page that was asked for. Such pages often answer 200.
import { readPage } from './page-text.ts';

const MAX_VISIBLE = 1500;
// With their scripts these pages come to some hundred kilobytes. Beyond that a stranger's page is not worth the time.
const MAX_LENGTH = 1024 * 1024;

const TITLES = ['just a moment', 'attention required', 'access denied', 'pardon our interruption'];

const REQUESTS = [
  /\b(?:verify|verifying|confirm|prove|make sure|ensure)\b.{0,40}\bhuman\b/,
  /\bare you (?:a )?(?:human|robot)\b|\b(?:you are|you're|you’re) not a (?:ro)?bot\b/,
  /\bhuman verification\b|\bverify (?:that )?(?:this|it) is (?:a|not a) (?:human|robot)\b/,
  /\bchecking (?:your browser|if the site connection is secure)\b/,
  /\bcomplete the security check\b|\bunusual traffic from your (?:computer )?network\b/,
  /\benable (?:javascript|js) and (?:cookies to continue|disable any ad blocker)\b/,
];

// reCAPTCHA is left out: it guards the forms of ordinary pages. So is Cloudflare's `challenge-platform/scripts`, which
// is put into every page of a zone.
const SCRIPTS = [
  'challenges.cloudflare.com/',
  '/cdn-cgi/challenge-platform/h/',
  'captcha-delivery.com/',
  'px-cdn.net/',
  'px-cloud.net/',
  'perimeterx.net/',
  '/_incapsula_resource',
  'hcaptcha.com/',
  'arkoselabs.com/',
  'geetest.com/',
  'ddos-guard.net/',
  'awswaf.com/',
  'kasada.io/',
  '/_sec/cp_challenge/',
  '/.well-known/vercel/security/',
];

export function isChallengePage({
  headers,
  text,
}: {
  // Names in lower case.
  headers: Readonly<Record<string, string>>;
  text: string;
}): boolean {
  if (text.length > MAX_LENGTH) return false;
  const marked = headers['cf-mitigated'] !== undefined;
  // A short changelog may well speak of bot checks; only pages are judged by their text.
  if (!marked && !isHtml(headers['content-type'], text)) return false;
  const page = readPage(text, MAX_VISIBLE);
  if (page === null) return false;
  return (
    marked ||
    TITLES.some((title) => page.title.startsWith(title)) ||
    REQUESTS.some((request) => request.test(page.visible)) ||
    SCRIPTS.some((script) => page.scripts.some((tag) => tag.includes(script)))
  );
}

function isHtml(contentType: string | undefined, text: string): boolean {
  return contentType?.toLowerCase().includes('html') || /^\s{0,100}(?:<!doctype html|<html)/i.test(text.slice(0, 200));
}
