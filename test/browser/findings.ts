// The accessibility violations of a page in both themes, on a wide and on a small screen.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';

const readScript = (path: string) => readFileSync(createRequire(import.meta.url).resolve(path), 'utf8');

// Compiling axe and running it cold costs more than checking one page. So it is loaded once, into a page that opens the
// checked one, and pointed at that window: the script takes `window` and `document` from its outermost function.
const AXE_HEAD = /(function \w+\(window\)\s*\{\s*var (\w+)\s*=\s*window,\s*document\s*=\s*window\.document;)/;
const AIM = '$1window.aimAxe=function(shown){window=$2=shown;document=shown.document;};';

function checkScript(): string {
  const axe = readScript('axe-core/axe.min.js');
  if (!AXE_HEAD.test(axe)) throw new Error('axe begins differently, so it cannot be pointed at another window');
  return `${axe.replace(AXE_HEAD, AIM)}\n${readScript('./page-check.js')}`;
}

// Every rule on a wide screen, and on a small one those whose result may differ there: where other elements are visible than
// on the wide one, that is every rule, once for all pages on which the same elements differ. Colours in both themes. Each step changes the size or the theme, and the last one ends with the theme in which the next page loads.
const APPEARANCES = [
  { width: 1440, colorScheme: 'light', rules: 'all' },
  { width: 1440, colorScheme: 'dark', rules: 'colours' },
  { width: 360, colorScheme: 'dark', rules: 'resized' },
  { width: 360, colorScheme: 'light', rules: 'colours' },
] as const;

// Measuring contrast is most of the work of all rules together, and the result is the same for all texts with the same
// colour, size and backgrounds: each combination is measured once, on the first page and theme that has it. A text that
// cannot be measured, such as one over a picture, is tried again where it has another structure.
const known = new Set<string>();

interface Checked {
  lines: string[];
  known: string[];
}

export interface CheckablePage {
  page: Page;
  // The violations on the current page, one line each. The page has fewer rows afterwards.
  findingsOn(name: string): Promise<string[]>;
}

export async function openCheckable(context: BrowserContext): Promise<CheckablePage> {
  const checker = await context.newPage();
  // Any URL of the same origin; this one has nothing to lay out.
  await checker.goto('/robots.txt');
  // The browser evaluates the script itself, which the content security policy of the page does not forbid.
  const [page] = await Promise.all([checker.waitForEvent('popup'), checker.evaluate(checkScript())]);
  const session = await context.newCDPSession(page);
  // `page.setViewportSize` also resizes the window of the browser, so that the page is laid out twice.
  const resize = (width: number, height: number) =>
    session.send('Emulation.setDeviceMetricsOverride', {
      ...{ width, height, deviceScaleFactor: 1, mobile: false },
      dontSetVisibleSize: true,
    });

  const findingsOn = async (name: string) => {
    const findings: string[] = [];
    let shown: { width: number; colorScheme: 'light' | 'dark' } = { width: 320, colorScheme: 'light' };
    await resize(shown.width, 640);
    const scrolled = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (scrolled > shown.width) {
      const wide = await page.evaluate<string>(
        `[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > ${shown.width} && getComputedStyle(one).display !== 'none').map((one) => one.localName + '.' + one.getAttribute('class')).slice(-3).join(' ')`,
      );
      findings.push(`${name} is ${scrolled} px wide on a screen of ${shown.width} px: ${wide}`);
    }
    await checker.evaluate('pageCheck.thinOut()');
    for (const { rules, ...next } of APPEARANCES) {
      if (next.width !== shown.width) await resize(next.width, 900);
      if (next.colorScheme !== shown.colorScheme) await page.emulateMedia({ colorScheme: next.colorScheme });
      shown = next;
      const input = JSON.stringify({ rules, known: [...known] });
      const checked = await checker.evaluate<Checked>(`pageCheck.check(${input})`);
      for (const colours of checked.known) known.add(colours);
      findings.push(...checked.lines.map((line) => `${name}, ${next.width} px, ${next.colorScheme}: ${line}`));
    }
    return findings;
  };
  return { page, findingsOn };
}
