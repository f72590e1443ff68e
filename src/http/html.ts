// The little HTML that the kernel writes itself.
import type { Config } from '../config.ts';
import { HTML_TYPE } from './answer.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; media-src 'self' https:; " +
  "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
  'web-share',
  'xr-spatial-tracking',
];

export function pageHeaders({ baseUrl }: Pick<Config, 'baseUrl'>): Record<string, string> {
  return {
    'Content-Type': HTML_TYPE,
    'Content-Security-Policy': POLICY,
    'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
    ...(baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

export interface Page {
  title: string;
  stylesheet: string;
  script?: string;
  body: string;
}

export function htmlPage({ title, stylesheet, script, body }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${stylesheet}">
${script ? `<script type="module" src="${script}"></script>\n` : ''}</head>
<body>
${body}
</body>
</html>
`;
}
