/**
 * A command as it is judged and run: models that write for other systems end its lines with a carriage return, which a
 * shell would take for a part of the last word. What judges a command and what runs it both read it through here.
 */
export const unixLineEnds = (command: string): string => command.replace(/\r\n/g, '\n');
