/** Whether a value looks like a secret, so that it may be replaced wherever it stands: ordinary words must not be. */

const MIN_VALUE = 8;
/** Without digits only so long a value is no word. */
const MIN_LETTERS = 20;
const PATH_LIKE = /^(~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|file:)/;
/** Values that say how, not what: a switch, a number, an address without a password. */
const SETTING =
  /^(true|false|[\d.,:_-]{1,19}|(password|keyring|disabled|enabled|required|optional|none)+|[a-z][a-z0-9+.-]*:\/\/[^@?]*)$/i;
/** Words that stand for a secret where none is needed; with digits behind them they are still those words. */
const PLACEHOLDER =
  /^(?=.*[a-z])(postgres(ql)?|mysql|mariadb|mongo(db)?|redis|rabbitmq|guest|admin(istrator)?|root|user(name)?|default|local(host)?|dev(elop(ment)?)?|prod(uction)?|stag(e|ing)|test(ing)?|demo|example|sample|dummy|fake|none|null|undefined|public|private|internal|change|me|my|your|the|app|api|web|db|database|server|service|secret|token|key|pass(wd|word|phrase)?|pwd|auth|insecure|placeholder|replace|here|todo|qwerty|letmein|welcome|[^a-z])+$/i;

/** For a value whose name says that it is secret: long enough, and letters with digits, or a run without spaces. */
export function looksSecret(value: string): boolean {
  if (value.length < MIN_VALUE || PATH_LIKE.test(value) || SETTING.test(value)) return false;
  // The expression above looks at every word once: a long value is no placeholder.
  if (value.length < 64 && PLACEHOLDER.test(value)) return false;
  if (/\p{L}/u.test(value) && /\d/.test(value)) return true;
  return value.length >= MIN_LETTERS && !/\s/.test(value);
}

/**
 * For a value whose name says nothing: it must look drawn by lot. Names, versions, regions, addresses, paths and dates have
 * digits too, but not in one long word, and letters and digits do not change places in them again and again.
 */
export function looksRandom(value: string): boolean {
  if (!looksSecret(value) || value.length < 12 || /[\s@]|:\/\/|^\d{4}-\d\d-\d\d/.test(value)) return false;
  if (/^(?=.*\d)[A-Za-z0-9+=]{16,}$/.test(value) || changes(value) >= 4) return true;
  return (value.match(/[A-Za-z0-9+]{10,}/g) ?? []).some((word) => changes(word) >= 2);
}

/** How often letters and digits change places, side by side. */
const changes = (text: string): number => (text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []).length;
