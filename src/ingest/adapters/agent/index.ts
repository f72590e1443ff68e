// Sources that only a model can read. The model chooses pages and copies; `check-entry.ts` decides what counts.
export { fetchAgent } from './fetch-agent.ts';
