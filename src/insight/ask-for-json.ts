// Asks a model a question whose answer must be one JSON object.
import { type ChatModel, ModelFailure } from './model/index.ts';

interface JsonQuestion {
  system: string;
  question: string;
  signal?: AbortSignal;
}

// The object; null when the model failed or did not answer in that form. `askForJsonOrThrow` says why.
export async function askForJson(model: ChatModel, question: JsonQuestion): Promise<Record<string, unknown> | null> {
  try {
    return await askForJsonOrThrow(model, question);
  } catch (error) {
    if (error instanceof ModelFailure) return null;
    throw error;
  }
}

export async function askForJsonOrThrow(
  model: ChatModel,
  { system, question, signal }: JsonQuestion,
): Promise<Record<string, unknown> | null> {
  const { text } = await model.chat({ system, messages: [{ role: 'user', content: question }], signal });
  return readObject(text);
}

// Reads the object, which models often put into fences or between a few words.
function readObject(text: string): Record<string, unknown> | null {
  const body = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
