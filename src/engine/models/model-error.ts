/** A model cannot be used. The message says what is wrong, in which file, and what to do. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}
