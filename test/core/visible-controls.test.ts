import { expect, it } from 'vitest';
import { visibleControls } from '../../core/visible-controls.ts';

it.each([
  ['rm -rf x\recho hi', 'rm -rf x␍echo hi'],
  ['a\x1b[2Kb\x7f\x9b', 'a␛[2Kb␡‹U+009B›'],
  ['x\u202ey\u200bz\ufeff', 'x‹U+202E›y‹U+200B›z‹U+FEFF›'],
  ['a\u2028b\u00adc\u061cd\u{e0041}\r\n', 'a‹U+2028›b‹U+00AD›c‹U+061C›d‹U+E0041›␍\n'],
  ['r\u200dm\ufe0f 👩\u200d👧 ❤\ufe0f \ud800', 'r‹U+200D›m‹U+FE0F› 👩\u200d👧 ❤\ufe0f \ufffd'],
  ['tab\tand\nline 🙂 é', 'tab\tand\nline 🙂 é'],
])('gives a sign for what commands a terminal or cannot be seen: %j', (text, shown) => {
  expect(visibleControls(text)).toBe(shown);
});
