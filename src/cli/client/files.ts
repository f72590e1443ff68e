// Reads the files that are named on the command line.
import { readFileSync } from 'node:fs';
import { errorMessage } from '../../domain/records.ts';
import { CommandFailure } from '../command.ts';

export function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${errorMessage(error)}`);
  }
}

export function readTextFile(file: string): string {
  return readFile(file).toString('utf8');
}

export function readJsonFile(file: string): unknown {
  const text = readTextFile(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${file} is no JSON: ${errorMessage(error)}`);
  }
}
