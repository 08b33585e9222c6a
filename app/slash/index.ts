/** The slash commands, in the order of the menu: one file and one line each. */
import { ask } from './ask.ts';
import { auto } from './auto.ts';
import { clear } from './clear.ts';
import type { SlashCommand } from './command.ts';
import { compact } from './compact.ts';
import { contextBar } from './context.ts';
import { cost } from './cost.ts';
import { diff } from './diff.ts';
import { exit } from './exit.ts';
import { exportCommand } from './export.ts';
import { fork } from './fork.ts';
import { help } from './help.ts';
import { mode } from './mode.ts';
import { model } from './model.ts';
import { models } from './models.ts';
import { permissions } from './permissions.ts';
import { plan } from './plan.ts';
import { rename } from './rename.ts';
import { resume } from './resume.ts';
import { rewind } from './rewind.ts';
import { run } from './run.ts';
import { sessions } from './sessions.ts';
import { todos } from './todos.ts';
import { tree } from './tree.ts';

export const slashCommands: readonly SlashCommand[] = [
  help,
  ask,
  plan,
  auto,
  mode,
  run,
  permissions,
  model,
  models,
  todos,
  diff,
  contextBar,
  cost,
  compact,
  rewind,
  fork,
  rename,
  sessions,
  tree,
  resume,
  exportCommand,
  clear,
  exit,
];

/** The command of a name or another name for it. */
export const findSlashCommand = (name: string): SlashCommand | undefined =>
  slashCommands.find((command) => command.name === name || command.aliases?.includes(name));
