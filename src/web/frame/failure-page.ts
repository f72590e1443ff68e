// The page that a failed request for a page is answered with.

import type { ReadingState } from '../../contract/reading.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { html as htmlReply } from '../../http/kernel/reply.ts';
import type { FailureFormat } from '../../http/kernel/route.ts';
import { isBeingRead, readingBox, renewed } from '../components/reading.ts';
import { trackPackage } from '../components/track.ts';
import { waitWords } from '../forms/refusal.ts';
import { packagePath } from '../links.ts';
import { errorPage } from '../pages/error.ts';
import { documentHtml, type WebPage } from './document.ts';
import { readFailureShell } from './read-shell.ts';
import type { Shell } from './shell.ts';

export const pageFailure: FailureFormat = async (error, ctx, recognize) => {
  const { status } = error;
  const shell = await readFailureShell(ctx, { status, recognize });
  const { track, reason, reading } = (error.details ?? {}) as {
    track?: PackageName;
    reason?: string;
    reading?: ReadingState;
  };
  const page = track
    ? unknownPackage(track, shell, reading)
    : reason === 'too_long'
      ? slowAnswer()
      : errorPage(status, waitWords(error));
  return htmlReply(String(documentHtml(shell, page)), status);
};

// The registry itself is well.
function slowAnswer(): WebPage {
  return errorPage(503, 'Ask for less at once, such as a shorter range of versions, or try again in half a minute.', {
    title: 'This took too long to answer',
  });
}

// A package that nobody has asked for is not a lost page.
function unknownPackage(named: PackageName, shell: Shell, reading: ReadingState | undefined): WebPage {
  if (reading) {
    const address = packagePath(named.ecosystem, named.name);
    const isRead = isBeingRead(reading.state);
    return errorPage(404, isRead ? 'It is being read. This page changes by itself.' : undefined, {
      title: isRead ? `${named.name} was not known here` : `${named.name} is not known here`,
      more: renewed(reading, readingBox(reading, address, shell.now)),
    });
  }
  return errorPage(404, 'Its repository, or the package where that has no notes, is read once, now.', {
    title: `${named.name} is not known here yet`,
    more: trackPackage(shell, named),
  });
}
