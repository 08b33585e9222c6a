/** Why a session does not take a command, for a person. */
export const REFUSED = {
  busy: 'a turn is running; Esc interrupts it',
  closed: 'this conversation is closed',
  invalid: 'that cannot be done here',
} as const;
