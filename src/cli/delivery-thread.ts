// The entry point of the delivery thread. A thread does not inherit the compile cache, which halves its start time.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./deliver.ts');
