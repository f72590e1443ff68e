// The entry of the delivery thread. A thread does not inherit the cache of compiled code, which halves its start.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./deliver.ts');
