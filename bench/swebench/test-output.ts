/** Reads which tests passed from what a test runner prints. */

export type TestResults = ReadonlyMap<string, 'passed' | 'failed'>;

/**
 * Understands pytest with `-rA` (ids as `path::name`) and the trees of mocha and jest (ids as suite names and title
 * joined by spaces). A skipped test has no result. A test that is reported twice has passed only if it passed twice.
 */
export function parseTestOutput(output: string): TestResults {
  const results = new Map<string, 'passed' | 'failed'>();
  const add = (name: string, passed: boolean) => {
    results.set(name, passed && results.get(name) !== 'failed' ? 'passed' : 'failed');
  };
  const lines = output.replace(/\u001b\[[0-9;]*m/g, '').split(/\r?\n/);
  readPytest(lines, add);
  readTree(lines, add);
  return results;
}

type Add = (name: string, passed: boolean) => void;

function readPytest(lines: readonly string[], add: Add) {
  for (const line of lines) {
    const match = /^(PASSED|XPASS|XFAIL|FAILED|ERROR) (\S+?\.py(?:::.*| - .*)?)$/.exec(line);
    if (!match) continue;
    // A reason follows the id after " - ", except for PASSED; parameters may hold spaces.
    const name = match[1] === 'PASSED' ? match[2]! : match[2]!.replace(/ - .*$/, '');
    add(name, match[1] !== 'FAILED' && match[1] !== 'ERROR');
  }
}

/** Suites are indented headings, tests lines with a mark or, for mocha's failures, a number. */
function readTree(lines: readonly string[], add: Add) {
  let suites: { indent: number; name: string }[] = [];
  // Failures are told once more below: after mocha's count, and in jest after a dot until the next file.
  let details = false;
  for (const line of lines) {
    if (/^\s+\d+ failing\b/.test(line) || /^\s*● /.test(line)) details = true;
    else if (/^(PASS|FAIL) /.test(line)) details = false;
    if (details || line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    const text = line.trim();
    const mark = /^(?:([✓✔√])|([✕✗✖×])|([○-])|(\d+\)))\s+(.+?)(?: \(\d+(?:\.\d+)? ?m?s\))?$/.exec(text);
    // Both runners indent suites; a line at the margin is a file's name or other output.
    if (indent === 0) suites = [];
    if (indent === 0) continue;
    suites = suites.filter((suite) => suite.indent < indent);
    if (!mark) {
      suites.push({ indent, name: text });
      continue;
    }
    if (mark[3] !== undefined) continue;
    add([...suites.map((suite) => suite.name), mark[5]!].join(' '), mark[1] !== undefined);
  }
}
