// The script of all pages, which also work without it. Each module looks for its own elements and does nothing when
// they are absent.
import { startAsking } from './ask-field.js';
import { startCopying } from './copy.js';
import { startFollowing } from './follow.js';
import { startLive } from './live.js';
import { startNotice } from './notice.js';
import { startQuickSearch } from './quick-search.js';
import { startReference } from './reference.js';
import { startRenewing } from './renew.js';
import { startSearchPage } from './search-page.js';
import { startTail } from './tail.js';
import { startTheme } from './theme-toggle.js';

startTheme();
startAsking();
startNotice();
startCopying();
startFollowing();
startQuickSearch();
startSearchPage();
startLive();
startReference();
startTail();
startRenewing();
