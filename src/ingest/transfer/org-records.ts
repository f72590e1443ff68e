// Records of organizations and products, and of categories, tags and collections.
import { z } from 'zod';
import { CATEGORIES, DISCOVERIES, KINDS, LOCATION_BASES, ORG_STATUSES } from '../../contract/enums.ts';
import {
  flag,
  id,
  json,
  longText,
  nullableId,
  nullableInteger,
  nullableOneOf,
  nullableText,
  nullableTime,
  nullableUrl,
  oneOf,
  plainText,
  type RecordTable,
  text,
  time,
} from './columns.ts';
import { accounts, aliases, members, tags } from './record-children.ts';
import { childSlug, coordinate, domain, httpsUrl, notice, orgSlug, slugText } from './record-texts.ts';

const name = plainText(120, 1);
const description = longText(2000);

export const ORG_RECORDS = {
  category: {
    table: 'categories',
    key: 'slug',
    columns: {
      slug: oneOf(CATEGORIES),
      name: nullableText(plainText(200, 1)),
      description: nullableText(description),
      aliases: json(z.array(slugText).max(20)),
      updated_at: time,
    },
  },
  // Records refer to a tag by its slug, because two registries give the same tag different ids.
  tag: {
    table: 'tags',
    key: 'slug',
    columns: { slug: text(slugText), name: text(plainText(60, 1)), created_at: time },
  },
  org: {
    table: 'orgs',
    columns: {
      id: id('org'),
      slug: text(orgSlug),
      name: text(name),
      domain: nullableText(domain),
      description: nullableText(description),
      category: nullableOneOf(CATEGORIES),
      avatar_url: nullableText(httpsUrl),
      status: oneOf(ORG_STATUSES),
      discovery: oneOf(DISCOVERIES),
      featured: flag,
      fetch_paused: flag,
      auto_generate_content: flag,
      overview_cadence_days: nullableInteger,
      tracking_requested_at: nullableTime,
      notice: json(notice),
      self_declared: json(z.array(plainText(60)).max(50)),
      created_at: time,
      updated_at: time,
    },
    children: { tags, accounts, aliases },
    isSoftDeleted: true,
    isEmbedded: true,
  },
  product: {
    table: 'products',
    columns: {
      id: id('prod'),
      org_id: id('org'),
      slug: text(childSlug),
      name: text(name),
      url: nullableUrl,
      description: nullableText(description),
      category: nullableOneOf(CATEGORIES),
      kind: nullableOneOf(KINDS),
      avatar_url: nullableText(httpsUrl),
      notice: json(notice),
      created_at: time,
      updated_at: time,
    },
    children: { tags, aliases },
    parents: { org_id: 'orgs' },
    isSoftDeleted: true,
    isEmbedded: true,
  },
  location: {
    table: 'release_locations',
    columns: {
      id: id('loc'),
      org_id: id('org'),
      product_id: nullableId('prod'),
      source_id: nullableId('src'),
      url: nullableUrl,
      feed: nullableUrl,
      github: nullableText(coordinate),
      appstore: nullableUrl,
      file: nullableUrl,
      title: nullableText(plainText(200)),
      canonical: flag,
      basis: oneOf(LOCATION_BASES),
      created_at: time,
      updated_at: time,
    },
    parents: { org_id: 'orgs', product_id: 'products', source_id: 'sources' },
    isSoftDeleted: true,
  },
  collection: {
    table: 'collections',
    columns: {
      id: id('col'),
      slug: text(childSlug),
      name: text(plainText(200, 1)),
      description: nullableText(description),
      is_featured: flag,
      created_at: time,
      updated_at: time,
    },
    children: { members },
    isEmbedded: true,
  },
} satisfies Record<string, RecordTable>;
