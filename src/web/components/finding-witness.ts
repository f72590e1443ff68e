// The code that shows a finding: it compiles with the older version and not with the newer one.
import type { EvidenceFinding } from '../../contract/evidence.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';

// The two versions that were compared.
export interface ComparedVersions {
  from: string;
  to: string;
}

export function findingWitness({ witness, text }: EvidenceFinding, versions: ComparedVersions | null): Html {
  if (!witness) return '';
  const said = versions
    ? `This compiles with ${versions.from} and not with ${versions.to}`
    : 'This compiles with the older version and not with the newer one';
  const label = `Code that shows: ${text.replaceAll('`', '')}`;
  return html`<details class="fold"><summary>${icon('chevron')}${said}</summary><div class="code bare"><pre tabindex="0" role="region" aria-label="${label}"><code>${witness.code.trimEnd()}</code></pre><button class="iconbtn" type="button" data-copy hidden aria-label="Copy the code">${icon('copy')}</button></div><p class="muted small">${witness.error}</p></details>`;
}
