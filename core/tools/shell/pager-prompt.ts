/**
 * `less FILE` and `more FILE` ask the terminal for a key after each page, also where nobody has a keyboard, and no setting
 * makes them print all of a file to a terminal. So they are told to go on.
 */

/** What shows the next page. */
export const NEXT_PAGE = ' ';

/** True when live output ends with the prompt of a pager: of `less` the one that its settings give it, of `more` its own. */
export const asksForKey = (text: string): boolean => /(?:^|[\n\r])(?::|--More--(?:\([^\n]*\))?)$/.test(text);
