// The fields of orgs and products that people edit, for command lines and forms. Names and kinds are those of the bodies of the
// API, which the compiler checks; no schema is loaded, because the client starts without them.
import type { Kind } from './enums.ts';
import type { OrgChange } from './org-input.ts';
import type { ProductChange } from './product-input.ts';

export interface EditedField {
  name: string;
  kind: 'text' | 'number' | 'switch' | 'list';
  // What its flag means.
  help: string;
  choices?: readonly string[];
  // The name of the flag, where it differs.
  flag?: string;
  // What stands beside the field of a form.
  label?: string;
  isLong?: boolean;
  // The field can be set to nothing.
  clears?: boolean;
}

type KindOf<Value> = Value extends boolean ? 'switch' : Value extends readonly string[] ? 'list' : 'text';
type Change = OrgChange & ProductChange;
type Edits = {
  [Name in keyof Change]?: Omit<EditedField, 'name'> & {
    name: Name;
    kind: KindOf<NonNullable<Change[Name]>>;
  } & (null extends Change[Name] ? { clears: true } : { clears?: false });
};

const KINDS: readonly Kind[] = ['platform', 'sdk', 'mobile', 'desktop', 'docs', 'integration', 'tool'];

export const EDITED = {
  name: { name: 'name', kind: 'text', label: 'Name', help: 'another name' },
  slug: { name: 'slug', kind: 'text', help: 'slug; else made from the name' },
  url: { name: 'url', kind: 'text', help: 'page of the product', clears: true },
  domain: { name: 'domain', kind: 'text', label: 'Domain', help: 'domain of the org', clears: true },
  description: {
    name: 'description',
    kind: 'text',
    label: 'Description',
    help: 'what it is',
    isLong: true,
    clears: true,
  },
  category: { name: 'category', kind: 'text', label: 'Category', help: 'category or one of its aliases', clears: true },
  kind: { name: 'kind', kind: 'text', help: 'kind', choices: KINDS, clears: true },
  avatarUrl: { name: 'avatarUrl', kind: 'text', label: 'Picture', help: 'https address of a picture', clears: true },
  tags: { name: 'tags', kind: 'list', label: 'Tags', help: 'tags; an edit replaces them all' },
  aliases: {
    name: 'aliases',
    kind: 'list',
    label: 'Other domains',
    help: 'further domains; an edit replaces them all',
  },
  featured: { name: 'featured', kind: 'switch', label: 'Featured', help: 'shown first' },
  isHidden: {
    name: 'isHidden',
    kind: 'switch',
    label: 'Hidden from the public',
    help: 'not shown to the public',
    flag: 'hidden',
  },
  fetchPaused: {
    name: 'fetchPaused',
    kind: 'switch',
    label: 'Pause the fetching of all its sources',
    help: 'fetch none of its sources',
  },
} as const satisfies Edits;

const edits = <Body>(...names: readonly (keyof Body & keyof typeof EDITED)[]): EditedField[] =>
  names.map((name) => EDITED[name]);

export const ORG_EDITS = [
  ...edits<OrgChange>('name', 'slug', 'domain', 'description', 'category', 'avatarUrl', 'tags', 'aliases'),
  ...edits<OrgChange>('featured', 'isHidden', 'fetchPaused'),
];
export const PRODUCT_EDITS = [
  ...edits<ProductChange>('name', 'slug', 'url', 'description', 'category', 'kind', 'avatarUrl'),
  ...edits<ProductChange>('tags', 'aliases', 'isHidden'),
];
