// Row types of organizations and products: their accounts, domains and the locations of their releases.
import type { Category, Discovery, Kind, LocationBasis, OrgStatus } from '../../contract/enums.ts';
import type { EntityNotice } from '../../contract/scalars.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface OrgTables {
  orgs: OrgRow;
  org_accounts: OrgAccountRow;
  products: ProductRow;
  domain_aliases: DomainAliasRow;
  release_locations: ReleaseLocationRow;
}

export interface OrgRow {
  id: string;
  slug: string;
  name: string;
  name_key: string;
  domain: string | null;
  description: string | null;
  category: Category | null;
  avatar_url: string | null;
  status: OrgStatus;
  discovery: Discovery;
  is_hidden: Bit;
  featured: Bit;
  fetch_paused: Bit;
  auto_generate_content: Bit;
  overview_cadence_days: number | null;
  tracking_requested_at: string | null;
  promoting_at: string | null;
  notice: JsonText<EntityNotice> | null;
  self_declared: JsonText<string[]>;
  manifest_hash: string | null;
  manifest_checked_at: string | null;
  embedded_at: string | null;
  // Visible releases of visible sources, maintained by writes so that the org list reads no release.
  release_count: number;
  // Its visible sources, by the same rule.
  source_count: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

interface OrgAccountRow {
  id: string;
  org_id: string;
  platform: string;
  handle: string;
  created_at: string;
  deleted_at: string | null;
}

export interface ProductRow {
  id: string;
  org_id: string;
  slug: string;
  name: string;
  name_key: string;
  url: string | null;
  description: string | null;
  category: Category | null;
  kind: Kind | null;
  avatar_url: string | null;
  is_hidden: Bit;
  notice: JsonText<EntityNotice> | null;
  embedded_at: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

interface DomainAliasRow {
  id: string;
  domain: string;
  org_id: string | null;
  product_id: string | null;
  created_at: string;
  deleted_at: string | null;
}

export interface ReleaseLocationRow {
  id: string;
  org_id: string;
  product_id: string | null;
  source_id: string | null;
  url: string | null;
  feed: string | null;
  github: string | null;
  appstore: string | null;
  file: string | null;
  title: string | null;
  canonical: Bit;
  basis: LocationBasis;
  match_key: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}
