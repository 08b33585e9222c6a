/** What a session gives to the tools that start shells. */
export interface BashOptions {
  /** Environment that commands inherit. */
  env: NodeJS.ProcessEnv;
  /** Path of the shell; by default bash, where there is none sh. */
  shell?: string;
}
