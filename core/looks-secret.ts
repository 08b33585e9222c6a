/** Whether a value looks like a secret, so that it may be replaced wherever it stands: ordinary words must not be. */
import { inCapitals, isSecretVariable, speaksOfSecret } from './permission/sensitive-names.ts';

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

/** A long value of words alone is none only where it says so. */
const SAYS_PLACEHOLDER =
  /example|change[-_ ]?(me|this)|your[-_ ]|my[-_ ]?(api|password)|placeholder|replace|insert|todo|dummy|fake|sample|insecure|do[-_ ]?not|not[-_ ]?(a[-_ ])?(real|secret)|^<.*>$|\$\{|x{4}|\.\.\.|…/i;
const MIN_WORDED = 16;

/** Behind these also words may be a secret; a key of an object store or of a table is no phrase. */
const PHRASE_NAME = /(PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|SECRET|TOKEN|CREDENTIAL)S?$|SECRET_?KEY(_BASE)?$/;
const KEY_NAME = /KEYS?$/;

/** Whether the value of a variable is to be hidden; `isSetting`: of a file whose other values may be secrets too. */
export function isSecretValue(name: string, value: string, isSetting = false): boolean {
  const upper = inCapitals(name);
  if (speaksOfSecret(upper))
    return isSetting && value.length >= MIN_LETTERS && changes(value) >= 4 && looksRandom(value);
  if (!isSecretVariable(name)) return isSetting && looksRandom(value);
  return looksSecret(value) || isPhrase(upper, value);
}

/** A passphrase: three words or more, or long; words with signs between them. `upper`: the name, in capitals. */
export function isPhrase(upper: string, value: string): boolean {
  if (value.length < MIN_VALUE || !/\p{L}/u.test(value) || PATH_LIKE.test(value) || SETTING.test(value)) return false;
  if (value.length < MIN_WORDED && value.split(/\s+/).length < 3) return false;
  if (SAYS_PLACEHOLDER.test(value)) return false;
  return PHRASE_NAME.test(upper) || (KEY_NAME.test(upper) && /^[\p{L}\d _-]+$/u.test(value));
}

/** For a value whose name says that it is secret: `least` long, and letters with digits, or a run without spaces. */
export function looksSecret(value: string, least = MIN_VALUE): boolean {
  if (value.length < least || PATH_LIKE.test(value) || SETTING.test(value)) return false;
  // The expression above looks at every word once: a long value is no placeholder.
  if (value.length < 64 && PLACEHOLDER.test(value)) return false;
  if (/\p{L}/u.test(value) && /\d/.test(value)) return true;
  return value.length >= MIN_LETTERS && !/\s/.test(value) && !SAYS_PLACEHOLDER.test(value);
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
