/** The argument first, then the piped text, without the line feeds that a pipe ends with (CONTRACT, "Commands"). */
export function joinPrompt(argument: string, piped: string): string {
  const text = piped.trim() === '' ? '' : piped.replace(/[\r\n]+$/, '');
  return argument && text ? `${argument}\n\n${text}` : argument || text;
}
