// Documents of package registries are read where they are parsed.
import { readNpmDocument } from '../domain/registries/npm-document.ts';
import { readPypiDocument } from '../domain/registries/pypi-document.ts';
import { jsonReader } from './json.ts';

// A thread finds the readers among the exports of this module.
export { readNpmDocument, readPypiDocument };

export const NPM_DOCUMENT = jsonReader(import.meta.url, readNpmDocument);
export const PYPI_DOCUMENT = jsonReader(import.meta.url, readPypiDocument);
