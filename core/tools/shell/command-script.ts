/** The text that the shell is given for a command, and how it tells where it ended up. */

/** Commands that may move the shell itself; only then it is asked where it is. */
const MAY_MOVE = /\b(?:cd|pushd|popd|chdir|eval|source)\b|(?:^|[\s;&|(])\.\s/;

export const isBash = (shell: string): boolean => /(?:^|\/)bash[^/]*$/.test(shell);

/** True when the shell must be asked for its directory after the command. */
export const mayMove = (command: string): boolean => MAY_MOVE.test(command);

/**
 * Commands after which a terminal is not used again, because they may have changed how it behaves. Programs that draw
 * find a terminal that can nothing (`TERM=dumb`) and change nothing.
 */
export const mayAlterTerminal = (command: string): boolean => /\b(?:stty|tset|reset|termios|tty\.set)/.test(command);

/**
 * The command with what makes the shell write its last directory to descriptor `fd`. It stands before the command, on
 * its first line: exit codes, traps, here-documents and line numbers in messages stay as they are. An EXIT trap of the
 * command's own replaces it, and then the directory is simply not kept.
 */
export const tellingDirectory = (command: string, fd: number): string =>
  `trap 'pwd -P >&${fd} 2>/dev/null || printf "%s\\n" "$PWD" >&${fd}' EXIT; ${command}`;

/** Closes descriptors that a shell inherits by accident. Numbers of two digits are bash's own extension. */
export const closing = (fds: Iterable<number>): string => [...fds].map((fd) => `exec ${fd}>&-; `).join('');
