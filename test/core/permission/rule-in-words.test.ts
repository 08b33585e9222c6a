import { expect, test } from 'vitest';
import { ruleInWords } from '../../../core/permission/rule-in-words.ts';

test.each([
  ['bash(git commit *)', 'git commit with any arguments, in this project'],
  ['bash(git commit:*)', 'git commit with any arguments, in this project'],
  ['bash(npm run build)', 'exactly npm run build, in this project'],
  ['bash(ls \\*.ts)', 'exactly ls *.ts, in this project'],
  ['bash(ls \\*)', 'exactly ls *, in this project'],
  ['bash(a * b)', 'every command of the form a * b, in this project'],
  ['bash', 'every call of bash, in this project'],
  ['edit_file(src/a.ts)', 'changes of src/a.ts with edit_file, in this project'],
  ['write_file(src/**)', 'changes of whatever matches src/** with write_file, in this project'],
  ['read_file(/etc/hosts)', 'read_file of /etc/hosts, in this project'],
  ['web_fetch(docs.example.com)', 'web_fetch with docs.example.com, in this project'],
  ['server__tool', 'every call of server__tool, in this project'],
  ['(', '('],
])('%s is %s', (rule, words) => expect(ruleInWords(rule)).toBe(words));
