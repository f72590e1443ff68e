// Row types of how organizations and products are sorted: tags, categories and collections.
import type { Category } from '../../contract/enums.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface TaxonomyTables {
  tags: TagRow;
  org_tags: OrgTagRow;
  product_tags: ProductTagRow;
  collections: CollectionRow;
  collection_members: CollectionMemberRow;
  categories: CategoryRow;
}

export interface TagRow {
  id: string;
  slug: string;
  name: string;
  name_key: string;
  created_at: string;
}

interface OrgTagRow {
  org_id: string;
  tag_id: string;
}

interface ProductTagRow {
  product_id: string;
  tag_id: string;
}

export interface CategoryRow {
  slug: Category;
  name: string | null;
  description: string | null;
  aliases: JsonText<string[]>;
  updated_at: string;
}

export interface CollectionRow {
  id: string;
  slug: string;
  name: string;
  name_key: string;
  description: string | null;
  is_featured: Bit;
  embedded_at: string | null;
  created_at: string;
  updated_at: string;
}

interface CollectionMemberRow {
  collection_id: string;
  org_id: string | null;
  product_id: string | null;
  position: number;
  created_at: string;
}
