/** Variables of the environment that are on or off: how a value of one is read, the same for every reader. */

const NO = new Set(['', '0', 'false', 'no', 'off']);
const YES = new Set(['1', 'true', 'yes', 'on']);

const plain = (value: string | undefined): string => (value ?? '').trim().toLowerCase();

/** For what closes something: on unless it is unset, empty or says no. A word that nobody knows closes too. */
export const isSwitchedOn = (value: string | undefined): boolean => !NO.has(plain(value));

/** For what allows something: on only where it says yes. Undefined: it says neither yes nor no. */
export function saysYes(value: string | undefined): boolean | undefined {
  const said = plain(value);
  return YES.has(said) ? true : NO.has(said) ? false : undefined;
}
