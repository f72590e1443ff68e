// The operator area below /admin. Its pages and forms read and write through the routes of the API, which src/cli
// passes in.
import type { OperatorSessions } from '../accounts/operator-sessions.ts';
import type { RouteDeclaration, RouteGroup } from '../http/kernel/route.ts';
import { collectionForms } from './forms/operator/collections.ts';
import { noticeForm } from './forms/operator/notice.ts';
import { orgForms, productForms } from './forms/operator/orgs.ts';
import { packageForms } from './forms/operator/packages.ts';
import { releaseForms } from './forms/operator/releases.ts';
import { addForm, sourceForms } from './forms/operator/sources.ts';
import { starterForm } from './forms/operator/starter.ts';
import { tokenForms } from './forms/operator/tokens.ts';
import { waitingForms } from './forms/operator/waiting.ts';
import { webhookForms } from './forms/operator/webhooks.ts';
import { serveForm, servePage } from './operator/serve.ts';
import { addPage } from './pages/operator/add.ts';
import { auditPage } from './pages/operator/audit.ts';
import { collectionsEditorPage } from './pages/operator/collections.ts';
import { fetchLogPage } from './pages/operator/fetch-log.ts';
import { noticePage } from './pages/operator/notice.ts';
import { orgEditorPage } from './pages/operator/org.ts';
import { orgsPage } from './pages/operator/orgs.ts';
import { overviewPage } from './pages/operator/overview.ts';
import { packagesPage } from './pages/operator/packages.ts';
import { releaseEditorPage } from './pages/operator/release.ts';
import { sourcesPage } from './pages/operator/sources.ts';
import { starterPage } from './pages/operator/starter.ts';
import { stuckPage } from './pages/operator/stuck.ts';
import { tokensPage } from './pages/operator/tokens.ts';
import { viewPages } from './pages/operator/view.ts';
import { waitingPage } from './pages/operator/waiting.ts';
import { webhooksPage } from './pages/operator/webhooks.ts';

const PAGES = [
  overviewPage,
  sourcesPage,
  packagesPage,
  fetchLogPage,
  stuckPage,
  waitingPage,
  starterPage,
  addPage,
  orgsPage,
  orgEditorPage,
  releaseEditorPage,
  collectionsEditorPage,
  noticePage,
  tokensPage,
  webhooksPage,
  auditPage,
];

// Each form makes one or two calls of the API with the rights of the session's token.
const FORMS = [
  ...sourceForms,
  addForm,
  ...productForms,
  ...releaseForms,
  ...orgForms,
  ...collectionForms,
  noticeForm,
  ...tokenForms,
  ...webhookForms,
  ...waitingForms,
  starterForm,
  ...packageForms,
];

export function operatorGroup(sessions: OperatorSessions, routes: readonly RouteDeclaration[]): RouteGroup {
  return {
    prefix: '',
    // Only the cookie of an operator session is accepted; other credentials are ignored.
    credentials: {
      identify: async () => null,
      identifyCookie: async (cookies) => {
        const caller = await sessions.identify(cookies);
        return caller && { caller, setCookie: null };
      },
    },
    vary: ['Cookie'],
    routes: [
      ...PAGES.map((page) => servePage(page, routes)),
      ...viewPages,
      ...FORMS.map((form) => serveForm(form, routes)),
    ],
  };
}
