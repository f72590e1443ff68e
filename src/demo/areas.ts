// The words of every field, by category.
import type { Category } from '../contract/enums.ts';
import { BUSINESS_AREAS } from './areas-business.ts';
import { CODE_AREAS } from './areas-code.ts';
import { DATA_AREAS } from './areas-data.ts';
import { DESK_AREAS } from './areas-desk.ts';
import type { Area } from './phrases.ts';

export const AREAS: Record<Category, Area> = { ...BUSINESS_AREAS, ...CODE_AREAS, ...DATA_AREAS, ...DESK_AREAS };
