// A real browser for page tests: the one that the environment names, otherwise the packaged one, otherwise an installed
// one.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

// The headless shell comes first: it lacks the browser's own windows, which take a third of the processor time of a test.
const INSTALLED = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

// One set for every platform. The packaged browser's own flags are left out: they run everything in one process, which
// ends with the first page that closes, and switch off the web security that page tests rely on. Tests contact only
// their own service; the sandbox of the browser cannot start as root.
const FLAGS = [
  '--headless=shell',
  '--no-zygote',
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
];

// Null, with the reason on the terminal, where no browser is packaged for the platform and none is installed. A browser
// that ends before it is closed fails the running test with its log, whatever that test is waiting for.
export async function launchBrowser(
  more: readonly string[] = [],
  { died = failRunningTest }: { died?: (error: Error) => void } = {},
): Promise<Browser | null> {
  const executablePath = await findExecutable();
  if (executablePath === null) {
    const reason =
      `no browser: nothing is packaged for ${process.platform} ${process.arch}, and none of ${INSTALLED.join(', ')} ` +
      'is installed; install chromium, or set REGISTRY_TEST_BROWSER to the path of one';
    // Where a browser is required, as in CI, page tests fail instead of being skipped.
    if (process.env.REGISTRY_TEST_BROWSER_REQUIRED) throw new Error(reason);
    console.error(reason);
    return null;
  }
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, ...more] });
  await watchForDeath(browser, died);
  return browser;
}

function failRunningTest(error: Error): void {
  process.nextTick(() => {
    throw error;
  });
}

// Only an operation that the death interrupts is told the browser's log, so one is always under way.
async function watchForDeath(browser: Browser, died: (error: Error) => void): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const close = browser.close.bind(browser);
  let closing = false;
  browser.close = (options) => {
    closing = true;
    return close(options);
  };
  page
    .evaluate(() => new Promise(() => {}))
    .catch((cause: Error) => {
      if (!closing) died(new Error(`the browser ended during a test\n${cause.message}`, { cause }));
    });
}

async function findExecutable(): Promise<string | null> {
  const named = process.env.REGISTRY_TEST_BROWSER;
  if (named) return named;
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: packaged } = await import('@sparticuz/chromium');
    return packaged.executablePath();
  }
  return INSTALLED.find((path) => existsSync(path)) ?? null;
}
