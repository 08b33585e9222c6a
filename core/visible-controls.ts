/** Characters that command a terminal, or make a line read as another one. Line feed and tab do neither. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A command or a name with a sign for each of them: nothing in it hides the rest. */
export const visibleControls = (text: string): string => text.replace(CONTROLS, signOf);

function signOf(found: string): string {
  const code = found.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}
