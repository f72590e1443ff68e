// When an overview is due to be written again.
import type { OrgRow, PageRow } from '../../store/schema.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
const BUSY_DAYS = 2;
const BUSY_RELEASES = 15;

interface OverviewState {
  org: Pick<OrgRow, 'auto_generate_content' | 'overview_cadence_days'>;
  page: Pick<PageRow, 'generated_at' | 'updated_at'> | undefined;
  // Published since the page was last changed; without a page, in the last 90 days.
  newReleases: number;
  now: Date;
}

export function isOverviewDue({ org, page, newReleases, now }: OverviewState): boolean {
  if (!org.auto_generate_content || newReleases === 0) return false;
  if (!page) return true;
  const cadence = org.overview_cadence_days ?? (newReleases >= BUSY_RELEASES ? BUSY_DAYS : USUAL_DAYS);
  return now.getTime() - Date.parse(page.generated_at) >= cadence * DAY_MS;
}
