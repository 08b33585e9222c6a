/**
 * Nothing could be started: 2 for usage or settings, 3 when no model can be reached. The message is one line that
 * tells a person what to do; a door prints it on standard error and exits with the code.
 */
export class StartError extends Error {
  readonly exitCode: 2 | 3;

  constructor(message: string, exitCode: 2 | 3 = 2) {
    super(message);
    this.name = 'StartError';
    this.exitCode = exitCode;
  }
}
