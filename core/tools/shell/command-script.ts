/** The text that the shell is given for a command, and how it tells where it ended up. */

/** Commands that may move the shell itself; only then it is asked where it is. */
const MAY_MOVE = /\b(?:cd|pushd|popd|chdir|eval|source)\b|(?:^|[\s;&|(])\.\s/;

export interface CommandScript {
  text: string;
  /** The shell writes its final working directory to file descriptor 3. */
  tellsCwd: boolean;
}

/**
 * `closeFd` is a descriptor that the shell inherits by accident. Everything added stands before the command, on its
 * first line: exit codes, traps, here-documents and line numbers in messages stay as they are. An EXIT trap of the
 * command's own replaces ours, and then the working directory is simply not kept.
 */
export function commandScript(command: string, shell: string, closeFd: number | undefined): CommandScript {
  // Numbers of two digits are bash's own extension; commands themselves use the low ones.
  const bash = /(?:^|\/)bash[^/]*$/.test(shell);
  const tellsCwd = MAY_MOVE.test(command);
  const close = bash && closeFd !== undefined && closeFd > 2 ? `exec ${closeFd}>&-; ` : '';
  const fd = bash ? 97 : 9;
  const tell = tellsCwd ? `exec ${fd}>&3 3>&-; trap 'pwd -P >&${fd} 2>/dev/null' EXIT; ` : '';
  return { text: close + tell + command, tellsCwd };
}
