/** Every quote, dash and space in its plain form. Each character becomes exactly one, so that places stay comparable. */
export const plainMarks = (text: string): string => (/[^\x00-\x7f]/.test(text) ? replaceMarks(text) : text);

const replaceMarks = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
