// Texts of records with the rules that the API has for them: slugs, domains, coordinates, notices.
import { z } from 'zod';
import { avatarUrlInput, slugInput } from '../../contract/org-input.ts';
import { mediaItem } from '../../contract/release.ts';
import { httpUrl } from '../../contract/release-input.ts';
import { noticeText } from '../../contract/scalars.ts';
import { isReservedChildSlug, isReservedOrgSlug, normalizeDomain } from '../../domain/slugs.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import { longText, plainText } from './columns.ts';

export const slugText = slugInput;
export const orgSlug = slugInput.refine((slug) => !isReservedOrgSlug(slug), 'is a reserved word');
export const childSlug = slugInput.refine((slug) => !isReservedChildSlug(slug), 'is a reserved word');
export const domain = z.string().refine((text) => normalizeDomain(text) === text, 'must be a domain, as it is stored');
export const coordinate = z
  .string()
  .refine((text) => githubCoordinate(text)?.toLowerCase() === text.toLowerCase(), 'must be owner/repository');
export const httpsUrl = avatarUrlInput;

// Copies of pictures lie in the registry that made them, under paths of its own.
const ownPath = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[\w./-]*$/, 'must be a path of the registry');

export const media = z
  .array(
    mediaItem.extend({
      url: httpUrl,
      alt: longText(2000).optional(),
      r2Key: plainText(500).optional(),
      r2Url: z.union([ownPath, httpUrl]).optional(),
      linkUrl: httpUrl.optional(),
    }),
  )
  .max(50);

export const notice = noticeText
  .extend({ message: longText(280), linkText: plainText(60).optional(), coordinate: plainText(200).optional() })
  .nullable();
