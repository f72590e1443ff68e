// Renders the picture of link previews: src/web/assets/icon/social.png. Run it by hand when the design changes.
import { writeFileSync } from 'node:fs';
import { launchBrowser } from '../test/support/browser.ts';

const WIDTH = 1200;
const HEIGHT = 630;
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#00617b"/>
<g fill="#fff"><rect x="96" y="96" width="54" height="108" rx="9"/><rect x="162" y="132" width="30" height="72" rx="7"/><rect x="204" y="174" width="18" height="30" rx="6"/></g>
<g fill="#fff" font-family="sans-serif" font-weight="600" font-size="76"><text x="96" y="400">Will this update</text><text x="96" y="496">break my code?</text></g>
</svg>`;

const browser = await launchBrowser();
if (!browser) throw new Error('no browser on this machine');
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
await page.setContent(`<style>body{margin:0}</style>${DRAWING}`);
const picture = await page.screenshot({ type: 'png' });
writeFileSync(new URL('../src/web/assets/icon/social.png', import.meta.url), picture);
await browser.close();
