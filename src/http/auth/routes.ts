// The routes under /api/auth. The library has more endpoints; those that are not listed here do not exist.

import type { RouteDeclaration } from '../kernel/route.ts';
import { deleteAccount, pass, signIn, signInSocial, signUp, socialCallback, updateUser } from './accounts.ts';
import { authorize } from './authorize.ts';
import { deviceCheck, deviceCode, deviceDecision, deviceToken } from './device.ts';
import { changeEmail, sendVerification, undoChange, verifyEmail } from './email.ts';
import { changePassword, requestReset, resetPassword } from './passwords.ts';
import { register } from './register.ts';
import { introspect, revoke, userInfo } from './revoke.ts';
import { type AuthParts, type AuthRoute, authRoute } from './route.ts';
import { revokeOtherSessions, revokeSession, showSession } from './sessions.ts';
import { token } from './token.ts';

type AuthRule = Pick<AuthRoute, 'access' | 'handle' | 'limiters'>;

export function authRoutes(parts: AuthParts): RouteDeclaration[] {
  const plain = (method: AuthRoute['method'], path: string, rule: AuthRule) =>
    authRoute(parts, { method, path, format: 'plain', ...rule });
  const oauth = (method: AuthRoute['method'], path: string, rule: AuthRule) =>
    authRoute(parts, { method, path, format: 'oauth', ...rule });
  return [
    plain('POST', '/sign-up/email', { access: 'public', handle: signUp }),
    plain('POST', '/sign-in/email', { access: 'public', handle: signIn }),
    plain('POST', '/sign-in/social', { access: 'public', handle: signInSocial }),
    plain('POST', '/link-social', { access: 'session:recent', handle: signInSocial }),
    plain('GET', '/callback/{provider}', { access: 'visitor', handle: socialCallback }),
    plain('POST', '/sign-out', { access: 'visitor', handle: pass }),
    plain('GET', '/get-session', { access: 'visitor', handle: showSession }),
    plain('GET', '/list-sessions', { access: 'session:recent', handle: showSession }),
    plain('POST', '/revoke-session', { access: 'session:recent', handle: revokeSession }),
    plain('POST', '/revoke-other-sessions', { access: 'session:recent', handle: revokeOtherSessions }),
    plain('POST', '/change-password', { access: 'session:recent', handle: changePassword }),
    plain('POST', '/change-email', { access: 'session:recent', handle: changeEmail }),
    plain('POST', '/undo-change-email', { access: 'public', handle: undoChange }),
    plain('POST', '/update-user', { access: 'session', handle: updateUser }),
    plain('POST', '/delete-user', { access: 'session:recent', handle: deleteAccount }),
    plain('POST', '/request-password-reset', { access: 'public', handle: requestReset }),
    plain('POST', '/reset-password', { access: 'public', handle: resetPassword }),
    plain('POST', '/send-verification-email', { access: 'public', handle: sendVerification }),
    plain('GET', '/verify-email', { access: 'visitor', handle: verifyEmail }),
    plain('GET', '/jwks', { access: 'public', handle: pass }),
    oauth('GET', '/oauth2/authorize', { access: 'visitor', handle: authorize }),
    oauth('POST', '/oauth2/token', { access: 'public', handle: token }),
    oauth('POST', '/oauth2/register', { access: 'public', limiters: REGISTRATION, handle: register }),
    oauth('POST', '/oauth2/introspect', { access: 'public', handle: introspect }),
    oauth('POST', '/oauth2/revoke', { access: 'public', handle: revoke }),
    oauth('GET', '/oauth2/userinfo', { access: 'public', handle: userInfo }),
    oauth('POST', '/oauth2/userinfo', { access: 'public', handle: userInfo }),
    oauth('POST', '/oauth2/consent', { access: 'session', handle: pass }),
    oauth('GET', '/oauth2/end-session', { access: 'visitor', handle: pass }),
    oauth('POST', '/oauth2/end-session', { access: 'visitor', handle: pass }),
    oauth('POST', '/oauth2/end-session/confirm', { access: 'visitor', handle: pass }),
    oauth('POST', '/device/code', { access: 'public', limiters: ['device-code'], handle: deviceCode }),
    oauth('POST', '/device/token', { access: 'public', handle: deviceToken }),
    // Codes are short, so an account has only a few attempts.
    oauth('GET', '/device', { access: 'session', limiters: ['user-code'], handle: deviceCheck }),
    oauth('POST', '/device/approve', { access: 'session', limiters: ['user-code'], handle: deviceDecision }),
    oauth('POST', '/device/deny', { access: 'session', limiters: ['user-code'], handle: deviceDecision }),
  ];
}

const REGISTRATION = ['registration', 'registration-daily'] as const;
