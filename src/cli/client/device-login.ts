// Signing in from a terminal (RFC 8628): a person approves the request in a browser.
import { CommandFailure } from '../command.ts';
import type { Api } from './api.ts';
import { ApiFailure } from './api-failure.ts';
import type { Session } from './client-command.ts';
import { printableLine } from './printable.ts';

interface DeviceCode {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

const CLIENT_ID = 'registry-cli';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const SLOWER_SECONDS = 5;

// Runs the work with the session that the person grants, and signs that session out afterwards.
export async function withDeviceSession<T>(session: Session, work: (api: Api) => Promise<T>): Promise<T> {
  const token = await askForSession(session);
  const api = session.apiWith(token);
  try {
    return await work(api);
  } finally {
    // The work is done, so a failed sign-out is ignored.
    await api.send({ method: 'POST', path: '/api/auth/sign-out', body: {} }).catch(() => {});
  }
}

async function askForSession(session: Session): Promise<string> {
  const { flags, terminal } = session;
  const api = session.apiWith(undefined);
  const body = { client_id: CLIENT_ID, scope: 'read' };
  const issued = await api.send<DeviceCode>({ method: 'POST', path: '/api/auth/device/code', body });
  terminal.err(`Open ${printableLine(issued.verification_uri)} and enter the code ${printableLine(issued.user_code)}`);
  if (!flags['no-browser']) terminal.openBrowser?.(issued.verification_uri_complete);
  return poll(session, api, issued);
}

async function poll(session: Session, api: Api, issued: DeviceCode): Promise<string> {
  let interval = issued.interval;
  for (let waited = 0; waited <= issued.expires_in; waited += interval) {
    await session.wait(interval * 1000);
    try {
      const body = { grant_type: GRANT, device_code: issued.device_code, client_id: CLIENT_ID };
      const { access_token: token } = await api.send<{ access_token: string }>({
        method: 'POST',
        path: '/api/auth/device/token',
        body,
      });
      return token;
    } catch (error) {
      const code = error instanceof ApiFailure ? error.body?.code : undefined;
      if (code === 'slow_down') interval += SLOWER_SECONDS;
      else if (code === 'access_denied') throw new CommandFailure('the request was denied in the browser');
      else if (code === 'expired_token') break;
      else if (code !== 'authorization_pending') throw error;
    }
  }
  throw new CommandFailure('nobody approved the request in time; run the command again');
}
