// The device authorization grant (RFC 8628), for sign-in on a device without a browser.
import {
  addressOfDevice,
  isDeviceClient,
  normalUserCode,
  shownUserCode,
  slowDown,
} from '../../accounts/auth/device-codes.ts';
import { fieldsOf, pick, textOf, withJson } from './call.ts';
import { fieldsIn, oauthError } from './errors.ts';
import type { AuthHandler } from './route.ts';

export const deviceCode: AuthHandler = async (call, parts) => {
  if (!isDeviceClient(call.ctx.config, textOf(call, 'client_id'))) return unknownClient();
  const response = await parts.pass(withJson(call, pick(fieldsOf(call), ['client_id', 'scope'])));
  if (response.status !== 200) return response;
  const issued = await fieldsIn(response);
  await addressOfDevice(call.ctx, { deviceCode: String(issued.device_code), address: call.request.client.ip });
  const userCode = shownUserCode(String(issued.user_code));
  const complete = `${issued.verification_uri}?user_code=${userCode}`;
  return Response.json({ ...issued, user_code: userCode, verification_uri_complete: complete });
};

export const deviceToken: AuthHandler = async (call, parts) => {
  if (!isDeviceClient(call.ctx.config, textOf(call, 'client_id'))) return unknownClient();
  const fields = pick(fieldsOf(call), ['grant_type', 'device_code', 'client_id']);
  const response = await parts.pass(withJson(call, fields));
  if (response.status === 400) {
    const { error } = await fieldsIn(response);
    if (error === 'slow_down') await slowDown(call.ctx, String(fields.device_code));
  }
  return response;
};

export const deviceCheck: AuthHandler = async (call, parts) => {
  const query = new URLSearchParams({ user_code: normalUserCode(call.query.get('user_code') ?? '') });
  return parts.pass({ ...call, query });
};

export const deviceDecision: AuthHandler = async (call, parts) => {
  return parts.pass(withJson(call, { userCode: normalUserCode(textOf(call, 'userCode') ?? '') }));
};

function unknownClient(): Response {
  return oauthError('invalid_client', 'there is no such client');
}
