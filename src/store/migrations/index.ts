import { catalog } from './001-catalog.ts';
import { releases } from './002-releases.ts';
import { curation } from './003-curation.ts';
import { operation } from './004-operation.ts';
import { ingest } from './005-ingest.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [catalog, releases, curation, operation, ingest];
