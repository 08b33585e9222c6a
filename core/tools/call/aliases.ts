/** Names of tools and arguments that other agents taught models, and what they are here. */

type Input = Record<string, unknown>;

/** Other names of a tool, compared without case and separators. */
const TOOL_NAMES: Record<string, string> = {
  read_file:
    'read cat view open_file view_file file_read read_files read_text_file fs_read get_file_contents open head tail read_many_files',
  write_file:
    'write create create_file save_file write_to_file file_write new_file fs_write overwrite_file create_new_file',
  edit_file:
    'edit str_replace replace search_replace search_and_replace replace_in_file apply_edit multi_edit string_replace edit_files file_edit modify_file update_file replace_string_in_file insert_edit_into_file apply_diff',
  bash: 'shell run run_command execute execute_command exec exec_command terminal run_shell_command run_terminal_cmd run_terminal_command run_in_terminal local_shell shell_command sh command cmd execute_bash run_bash container_exec powershell',
  ls: 'list list_dir list_files list_directory dir list_folder directory_list read_dir tree',
  glob: 'find_files file_search find glob_search glob_files find_file_by_name search_files_by_name file_glob',
  grep: 'search rg ripgrep grep_search search_content code_search search_file_content search_files search_text grep_files find_in_files search_code text_search',
  update_todos:
    'todo_write todos write_todos update_plan todo todo_list update_todo_list manage_todo_list set_todos plan',
  use_tool: 'call_tool invoke_tool tool tool_call run_tool',
  list_skills: 'skills skill_list',
  find_skill: 'search_skills find_skills skill_search',
  use_skill: 'skill load_skill apply_skill read_skill activate_skill',
  apply_patch: 'patch applypatch',
};

const PATH =
  'file_path filepath filename file file_name target_file absolute_path relative_path abs_path target_path pathname uri notebook_path';
const FOLDER =
  'dir directory dir_path directory_path folder folder_path relative_workspace_path target_directory root cwd base_path search_path in paths';

/** Other names of arguments. */
const ARGUMENTS: Record<string, Record<string, string>> = {
  read_file: {
    path: `${PATH} paths`,
    offset: 'start_line line_start start line from start_line_one_indexed start_line_number line_offset',
    limit: 'num_lines max_lines count lines line_count line_limit n',
  },
  write_file: { path: PATH, content: 'contents text file_text code data body new_content file_content source' },
  edit_file: {
    path: PATH,
    old: 'old_string old_text old_str oldstring search find original search_string target old_content from',
    new: 'new_string new_text new_str newstring replace replacement replace_string replace_with updated new_content to',
    all: 'replace_all all_occurrences global multiple allow_multiple',
    edits: 'changes replacements edit_list',
  },
  bash: {
    command: 'cmd script code commands shell_command bash_command command_line input',
    timeout: 'timeout_seconds timeout_s timeout_sec timeout_secs',
    cwd: 'workdir working_directory working_dir directory dir work_dir path',
  },
  ls: { path: `${FOLDER} ${PATH}` },
  glob: { pattern: 'glob glob_pattern query file_pattern name patterns include filename', path: FOLDER },
  grep: {
    pattern: 'query regex search q text search_query regexp pattern_to_search search_term keyword',
    path: `${FOLDER} file_path file filename`,
    glob: 'include include_pattern file_pattern file_glob includes globs',
    context: 'context_lines -c -a -b lines_around before after context_size',
    limit: 'head_limit max_results max_count max_matches count',
  },
  apply_patch: { patch: 'input diff content text patch_text patch_content' },
  update_todos: { items: 'todos plan tasks list todo_list steps todo' },
  use_tool: { name: 'tool tool_name function', input: 'arguments args parameters params tool_input' },
  list_skills: { category: 'categories group' },
  find_skill: { query: 'q task description search text name' },
  use_skill: { name: 'skill skill_name id' },
};

const TODO: Record<string, string> = { text: 'content task step title description name label', status: 'state' };
const STATUS: Record<string, string> = {
  inprogress: 'active',
  doing: 'active',
  current: 'active',
  started: 'active',
  completed: 'done',
  complete: 'done',
  finished: 'done',
  cancelled: 'done',
  canceled: 'done',
  todo: 'pending',
  open: 'pending',
  notstarted: 'pending',
  '': 'pending',
};

/** Lower case, without separators and without the prefix that some models put before every tool (`functions.`). */
export const plainName = (name: string): string =>
  name
    .replace(/^(?:functions?|default_api|tools?)[.:/]+/i, '')
    .replace(/[\s_-]/g, '')
    .toLowerCase();

const BY_ALIAS = lazily(() => {
  const map = new Map<string, string>();
  for (const [tool, names] of Object.entries(TOOL_NAMES)) {
    for (const name of [tool, ...names.split(' ')]) map.set(plainName(name), tool);
  }
  return map;
});

/** The tool that is meant by a name that no tool has; undefined when none is. */
export const aliasOf = (name: string): string | undefined => BY_ALIAS().get(plainName(name));

/** The input with the argument names of `tool`. What the tool knows itself always wins over an alias. */
export function adaptArguments(tool: string, given: Input): Input {
  const table = ARGUMENTS[tool];
  if (!table) return given;
  const input = rename(given, table);
  if (tool === 'read_file') readRange(input);
  else if (tool === 'edit_file' && Array.isArray(input.edits)) {
    const { old, new: fresh, all } = table as { old: string; new: string; all: string };
    input.edits = input.edits.map((edit) => (isObject(edit) ? rename(edit, { old, new: fresh, all }) : edit));
  } else if (tool === 'bash') shellInput(input);
  else if (
    tool === 'grep' &&
    (input.case_insensitive === true || input['-i'] === true || input.case_sensitive === false)
  ) {
    if (typeof input.pattern === 'string') input.pattern = `(?i)${input.pattern}`;
  } else if (tool === 'update_todos' && Array.isArray(input.items)) input.items = input.items.map(todoItem);
  return input;
}

/** Tools that do several things, told apart by a `command` argument (`str_replace_based_edit_tool` and its like). */
export function splitEditor(name: string, input: Input): { name: string; input: Input } | undefined {
  if (!/^(?:strreplace(?:based)?edit(?:or|tool)|strreplaceeditor|editor|texteditor)/.test(plainName(name)))
    return undefined;
  const { command, insert_line: _, ...rest } = input;
  const tool = { view: 'read_file', create: 'write_file', str_replace: 'edit_file' }[String(command)];
  return tool ? { name: tool, input: rest } : undefined;
}

function rename(given: Input, table: Record<string, string>): Input {
  const input: Input = { ...given };
  const plain = new Map(Object.keys(given).map((key) => [plainName(key), key]));
  for (const [name, aliases] of Object.entries(table)) {
    if (input[name] !== undefined) continue;
    for (const alias of [name, ...aliases.split(' ')]) {
      const key = plain.get(plainName(alias));
      if (key === undefined || given[key] === undefined || given[key] === null || key in table) continue;
      input[name] = given[key];
      delete input[key];
      break;
    }
  }
  return input;
}

function readRange(input: Input): void {
  const range = Array.isArray(input.view_range) ? input.view_range : input.range;
  if (Array.isArray(range) && range.length === 2 && input.offset === undefined) {
    input.offset = range[0];
    if (Number(range[1]) >= Number(range[0])) input.limit = Number(range[1]) - Number(range[0]) + 1;
  }
  const end = input.end_line ?? input.endLine ?? input.line_end ?? input.end_line_one_indexed_inclusive;
  if (end !== undefined && input.limit === undefined && Number(end) >= Number(input.offset ?? 1)) {
    input.limit = Number(end) - Number(input.offset ?? 1) + 1;
  }
  if (Array.isArray(input.path) && input.path.length === 1) input.path = input.path[0];
}

function shellInput(input: Input): void {
  for (const key of ['timeout_ms', 'timeoutMs', 'timeout_millis']) {
    if (input.timeout === undefined && Number(input[key]) > 0) input.timeout = Number(input[key]) / 1000;
  }
  const words = input.command;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return;
  const [program = '', flag = '', script] = words as string[];
  const wrapped = /(?:^|\/)(?:ba|z|da)?sh$/.test(program) && /^-l?i?c$/.test(flag) && words.length === 3;
  input.command = wrapped ? script : (words as string[]).map(quote).join(' ');
}

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function todoItem(item: unknown): unknown {
  if (typeof item === 'string') return { text: item, status: 'pending' };
  if (!isObject(item)) return item;
  const todo = rename(item, TODO);
  if (todo.done === true || todo.completed === true) todo.status ??= 'done';
  const status = plainName(String(todo.status ?? ''));
  return { ...todo, status: STATUS[status] ?? status };
}

export const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
