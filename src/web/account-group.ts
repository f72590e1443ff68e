// The pages and forms of one account: sign-in, following, settings. Only a session cookie identifies the reader; a
// bearer token in a request for a page is ignored.
import { requireSecrets } from '../accounts/sealing.ts';
import type { CredentialCheck } from '../http/kernel/caller.ts';
import type { FailureFormat, RouteDeclaration, RouteGroup } from '../http/kernel/route.ts';
import { authClient } from './forms/auth-client.ts';
import { consentForm, deviceForms } from './forms/consent.ts';
import { digestForms } from './forms/digest.ts';
import { followAfterSignIn, followPost } from './forms/follow.ts';
import { feedForms, keyForms } from './forms/keys.ts';
import { loginForms } from './forms/login.ts';
import { passwordForms, undoEmailForm } from './forms/password-reset.ts';
import { sentence, waitWords } from './forms/refusal.ts';
import { securityForms } from './forms/security.ts';
import { logoutForm, logoutLink, signupForms } from './forms/signup.ts';
import { stackForms } from './forms/stacks.ts';
import { webhookForms } from './forms/webhooks.ts';
import { readFailureShell } from './frame/read-shell.ts';
import { digestPage } from './pages/account/digest.ts';
import { feedPage } from './pages/account/feed.ts';
import { followingPage } from './pages/account/following.ts';
import { keysPage } from './pages/account/keys.ts';
import { overviewPage } from './pages/account/overview.ts';
import { securityPage } from './pages/account/security.ts';
import { stackPage } from './pages/account/stack.ts';
import { stacksPage } from './pages/account/stacks.ts';
import { webhookPage } from './pages/account/webhook.ts';
import { webhooksPage } from './pages/account/webhooks.ts';
import { errorPage } from './pages/error.ts';
import { consentPage } from './pages/sign-in/consent.ts';
import { devicePage } from './pages/sign-in/device.ts';
import { forgotPasswordPage } from './pages/sign-in/forgot-password.ts';
import { loginPage } from './pages/sign-in/login.ts';
import { resetPasswordPage } from './pages/sign-in/reset-password.ts';
import { signupPage } from './pages/sign-in/signup.ts';
import { undoEmailPage } from './pages/sign-in/undo-email.ts';
import { answerPage } from './visit.ts';

// The error message is shown only for statuses where the reader can act on it.
const failure: FailureFormat = async (error, ctx, recognize) => {
  const { status, message } = error;
  const words = waitWords(error) ?? (status < 500 || status === 503 ? sentence(message) : undefined);
  const shell = await readFailureShell(ctx, { status, recognize });
  return answerPage({ ctx, shell }, errorPage(status, words), { status });
};

// The sign-in routes are a parameter because src/web may not import the route list of src/http, which is built on the
// same kernel.
export function accountGroup(signInRoutes: readonly RouteDeclaration[], credentials: CredentialCheck): RouteGroup {
  const auth = authClient(signInRoutes);
  return {
    prefix: '',
    credentials: { ...credentials, identify: async () => null },
    requires: requireSecrets,
    vary: ['Authorization', 'Cookie'],
    failure,
    routes: [
      loginPage,
      ...loginForms(auth),
      signupPage,
      ...signupForms(auth),
      logoutLink,
      logoutForm(auth),
      forgotPasswordPage,
      resetPasswordPage,
      ...passwordForms(auth),
      undoEmailPage,
      undoEmailForm(auth),
      devicePage(auth),
      ...deviceForms(auth),
      consentPage,
      consentForm(auth),
      followPost,
      followAfterSignIn,
      followingPage,
      overviewPage,
      stacksPage,
      stackPage,
      ...stackForms,
      digestPage,
      ...digestForms,
      webhooksPage,
      webhookPage,
      ...webhookForms,
      keysPage,
      ...keyForms,
      feedPage,
      ...feedForms,
      securityPage(auth),
      ...securityForms(auth),
    ],
  };
}
