/** Programs that are given commands as text, to run them again, side by side, or between other things, as data. */
import type { Surrounding } from './surroundings.ts';

const least = { least: ['unknown', 'runs commands that it is given'] as const };
/** Options whose value is a command; the words behind `--`, or behind `skip` operands, are one as well. */
const inOptions = (code: string, values = '', at = ''): Surrounding => ({
  rows: [{ at, code, values, dashes: true, own: true, ...least }],
});
/** Every word is a command of its own. */
const inWords = (values = '', code = ''): Surrounding => ({
  rows: [{ at: '', skip: 0, codes: true, values, code, own: true, ...least }],
});
/** The words are one command. */
const behind = (at: string, values = '', skip = 0): Surrounding => ({
  rows: at.split('|').map((one) => ({ at: one, values, skip, own: true as const, ...least })),
});
const concurrently = inWords(
  '-n --names -c --prefix-colors -p --prefix -l --prefix-length -m --max-processes -s --success --restart-tries --restart-after --name-separator --default-input-target --cwd --hide --timestamp-format --kill-signal --ks',
);
const cargoWatch = inOptions(
  '-s --shell',
  '-x --exec -w --watch -i --ignore -d --delay -C --workdir -B --features -F',
  'watch',
);

export const CODE_RUNNERS: Readonly<Record<string, Surrounding>> = {
  concurrently,
  conc: concurrently,
  'start-server-and-test': inWords('--expect'),
  'server-test': inWords('--expect'),
  'tsc-watch': inOptions(
    '--onSuccess --onFirstSuccess --onFailure --onCompilationStarted --onCompilationComplete --onEmit',
  ),
  tsup: inOptions('--onSuccess', '-d --out-dir --format --target --config --tsconfig'),
  chokidar: inOptions('-c --command', '-d --debounce -t --throttle -i --ignore'),
  onchange: inOptions('', '-e --exclude -d --delay -f --filter -a --await-write-finish'),
  watchfiles: inWords('--filter --args --ignore-paths --target-type --sigint-timeout --sigkill-timeout'),
  watchmedo: inOptions('-c --command', '-p --patterns -i --ignore-patterns', 'shell-command'),
  hyperfine: inWords(
    '-w --warmup -m --min-runs -M --max-runs -r --runs -N -P --parameter-scan -D --parameter-step-size -L --parameter-list --style -u --time-unit --export-asciidoc --export-csv --export-json --export-markdown --output --input -n --command-name -S --shell',
    '-p --prepare -c --cleanup -s --setup --conclude --reference',
  ),
  reflex: behind('', '-r -R -g -G -d --regex --glob --inverse-regex --inverse-glob --decoration'),
  ptw: inOptions('--runner --onpass --onfail --beforerun --afterrun --onexit', '--ignore --ext --config'),
  'pytest-watch': inOptions('--runner --onpass --onfail --beforerun --afterrun --onexit', '--ignore --ext --config'),
  'cross-env': behind(''),
  'cross-env-shell': inWords(),
  'env-cmd': behind('', '-f --file -r --rc-file -e --environments'),
  dotenvx: behind('run', '-f --env-file -e --env -fk --env-keys-file'),
  shx: behind(''),
  lerna: behind('exec', '--scope --ignore --concurrency --since --loglevel'),
  nx: behind('exec'),
  foreman: behind('run', '-e --env -f --procfile -d --root'),
  honcho: behind('run', '-e --env -f --procfile -d'),
  cargo: cargoWatch,
  'cargo-watch': { rows: [...cargoWatch.rows, ...inOptions('-s --shell', '-x --exec -w --watch -i --ignore').rows] },
  op: behind('run', '--env-file --account --environment'),
  teller: behind('run', '-c --config'),
  envchain: behind('', '', 1),
  berglas: behind('exec'),
  ltrace: behind('', '-e -n -o -p -u -s -l -x -F -a -A -D'),
  valgrind: behind(''),
  perf: behind('stat|record', '-e -o -r -F -g -C -p -I --event --output --repeat'),
  cpulimit: behind('', '-l -p -P -e'),
  prlimit: behind(''),
  numactl: behind('', '-N -m -C -i -p'),
  'xvfb-run': behind('', '-n -s -e -f -p -w --server-num --server-args --error-file --auth-file'),
  'dbus-run-session': behind(''),
  faketime: behind('', '-f', 1),
  setarch: behind('', '', 1),
  firejail: behind('', ''),
  retry: behind('', '-d -t -m --times --delay --max'),
};
