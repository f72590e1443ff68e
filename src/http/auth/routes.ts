// What is offered under /api/auth. The library has more; what is not listed here is not there.
import {
  changeEmail,
  changePassword,
  deleteAccount,
  pass,
  passWithSafeReturns,
  requestReset,
  resetPassword,
  signIn,
  signInSocial,
  signUp,
  socialCallback,
  updateUser,
} from './accounts.ts';
import { authorize } from './authorize.ts';
import { deviceCheck, deviceCode, deviceDecision, deviceToken } from './device.ts';
import type { AuthRoute } from './door.ts';
import { register } from './register.ts';
import { introspect, revoke, userInfo } from './revoke.ts';
import { revokeOtherSessions, revokeSession, showSession } from './sessions.ts';
import { token } from './token.ts';

type Handler = AuthRoute['handle'];
type Method = AuthRoute['methods'][number];

function plain(method: Method, path: string, session: AuthRoute['session'], handle: Handler): AuthRoute {
  return { methods: [method], path, form: 'plain', session, handle };
}

function oauth(
  methods: Method | readonly Method[],
  path: string,
  session: AuthRoute['session'],
  handle: Handler,
): AuthRoute {
  return { methods: [methods].flat() as Method[], path, form: 'oauth', session, handle };
}

export const AUTH_ROUTES: readonly AuthRoute[] = [
  plain('POST', '/sign-up/email', 'none', signUp),
  plain('POST', '/sign-in/email', 'none', signIn),
  plain('POST', '/sign-in/social', 'none', signInSocial),
  plain('POST', '/link-social', 'recent', signInSocial),
  plain('GET', '/callback/:provider', 'any', socialCallback),
  plain('POST', '/sign-out', 'any', pass),
  plain('GET', '/get-session', 'any', showSession),
  plain('GET', '/list-sessions', 'recent', showSession),
  plain('POST', '/revoke-session', 'recent', revokeSession),
  plain('POST', '/revoke-other-sessions', 'recent', revokeOtherSessions),
  plain('POST', '/change-password', 'recent', changePassword),
  plain('POST', '/change-email', 'recent', changeEmail),
  plain('POST', '/update-user', 'needed', updateUser),
  plain('POST', '/delete-user', 'recent', deleteAccount),
  plain('POST', '/request-password-reset', 'none', requestReset),
  plain('POST', '/reset-password', 'none', resetPassword),
  plain('GET', '/verify-email', 'any', passWithSafeReturns),
  plain('GET', '/jwks', 'none', pass),
  oauth('GET', '/oauth2/authorize', 'any', authorize),
  oauth('POST', '/oauth2/token', 'none', token),
  oauth('POST', '/oauth2/register', 'none', register),
  oauth('POST', '/oauth2/introspect', 'none', introspect),
  oauth('POST', '/oauth2/revoke', 'none', revoke),
  oauth(['GET', 'POST'], '/oauth2/userinfo', 'none', userInfo),
  oauth('POST', '/oauth2/consent', 'needed', pass),
  oauth(['GET', 'POST'], '/oauth2/end-session', 'any', pass),
  oauth('POST', '/oauth2/end-session/confirm', 'any', pass),
  oauth('POST', '/device/code', 'none', deviceCode),
  oauth('POST', '/device/token', 'none', deviceToken),
  oauth('GET', '/device', 'needed', deviceCheck),
  oauth('POST', '/device/approve', 'needed', deviceDecision),
  oauth('POST', '/device/deny', 'needed', deviceDecision),
];
