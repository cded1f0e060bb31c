/** Something a person did or chose cannot be carried out; the message says what and what to do. Shown, not logged as a fault. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
