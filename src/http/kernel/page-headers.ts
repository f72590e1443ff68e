// The headers that every HTML page carries.
import { HTML_TYPE } from './reply.ts';

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
  'xr-spatial-tracking',
];

export function pageHeaders(): Record<string, string> {
  return {
    'Content-Type': HTML_TYPE,
    'Content-Security-Policy': POLICY,
    'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
  };
}
