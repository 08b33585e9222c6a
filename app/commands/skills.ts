/** `ada skills`: the procedures that ada can follow in this project. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { nearest } from '../../core/nearest.ts';
import { findProject, isTrusted } from '../../core/project.ts';
import { loadSkills, type SkillInfo, type SkillSource } from '../../core/skills/index.ts';
import { workingDirectory } from '../compose-options.ts';
import type { Parsed } from '../flags.ts';
import { complain, openStandardOutput } from '../output.ts';
import { packageRoot } from '../package-root.ts';
import { oneLine, plainText } from '../plain-text.ts';
import { StartError } from '../start-error.ts';

export async function run({ flags, rest }: Parsed): Promise<number> {
  const [action = 'list', ...words] = rest;
  const home = process.env.HOME || homedir();
  const adaHome = process.env.ADA_HOME || join(home, '.ada');
  const project = findProject(workingDirectory(flags), home);
  const trusted = flags.trust === true || isTrusted(adaHome, project);
  const source = loadSkills({ builtin: join(packageRoot(), 'skills'), adaHome, project, trusted });
  const text = answer(source, action, words.join(' '), flags.json === true);
  for (const { file, line, message } of source.problems()) {
    complain(`ada: ${oneLine(`${file}${line === null ? '' : `:${line}`}: ${message}`, 500)}`);
  }
  const output = openStandardOutput();
  output.write(text);
  await output.flush();
  return 0;
}

function answer(source: SkillSource, action: string, argument: string, json: boolean): string {
  switch (action) {
    case 'list': {
      const skills = source.list(argument || undefined);
      if (skills.length === 0 && argument && !json) throw new StartError(`no skills in the category ${argument}`);
      return json ? `${JSON.stringify({ skills })}\n` : skillLines(skills);
    }
    case 'find': {
      if (!argument) throw new StartError('ada skills find needs a query');
      const skills = source.find(argument);
      return json ? `${JSON.stringify({ skills })}\n` : skillLines(skills);
    }
    case 'show': {
      if (!argument) throw new StartError('ada skills show needs a name');
      const skill = source.load(argument);
      if (!skill) throw new StartError(`no skill ${argument}${closest(source, argument)}`);
      return json ? `${JSON.stringify(skill)}\n` : `${plainText(skill.body)}\n`;
    }
    default:
      throw new StartError(`unknown action ${action}; ada skills knows list, find and show`);
  }
}

function closest(source: SkillSource, name: string): string {
  const near = nearest(
    name,
    source.list().map((skill) => skill.name),
  );
  return near ? `; the nearest is ${near}` : '';
}

const skillLines = (skills: readonly SkillInfo[]): string =>
  skills.length === 0
    ? 'no skills\n'
    : skills
        .map(
          ({ category, name, description }) =>
            `${category ? `${category}/` : ''}${name}\n    ${oneLine(description, 300)}\n`,
        )
        .join('');
