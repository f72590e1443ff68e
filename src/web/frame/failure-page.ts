// The page that a failed request for a page is answered with.

import type { PackageName } from '../../domain/upgrade/asked.ts';
import { html as htmlReply } from '../../http/kernel/reply.ts';
import type { FailureFormat } from '../../http/kernel/route.ts';
import { trackPackage } from '../components/track.ts';
import { waitWords } from '../forms/refusal.ts';
import { errorPage } from '../pages/error.ts';
import { documentHtml } from './document.ts';
import { readFailureShell } from './read-shell.ts';

export const pageFailure: FailureFormat = async (error, ctx, recognize) => {
  const { status } = error;
  const shell = await readFailureShell(ctx, { status, recognize });
  const { track } = (error.details ?? {}) as { track?: PackageName };
  const more = track ? trackPackage(shell, track) : '';
  return htmlReply(String(documentHtml(shell, errorPage(status, waitWords(error), more))), status);
};
