/** The table of programs that run a command elsewhere, by name. */
import type { AccessClass } from '../../types.ts';
import { CODE_RUNNERS } from './code-runners.ts';
import type { Elsewhere } from './elsewhere.ts';

export interface Surrounding {
  /** Options with a value that stand before or between the subcommands. */
  values?: string;
  rows: readonly Elsewhere[];
}

const least = (accessClass: AccessClass, reason: string) => ({ least: [accessClass, reason] as const });
const inContainer = least('network', 'runs a command in a container');
const onMachine = least('network', 'runs a command on another machine');
const withSettings = least('unknown', 'runs a command in another environment');
const withRights = least('outside', 'runs something with other rights');

const DOCKER =
  '-H --host -c --context --config -l --log-level -f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --progress';
const EXEC = '-e --env --env-file -u --user -w --workdir --detach-keys --index';
const RUN =
  '-a --add-host --annotation --attach --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpu-period --cpu-quota --cpu-shares -c --cpus --cpuset-cpus --cpuset-mems --device --dns --dns-option --dns-search --domainname -e --entrypoint --env --env-file --expose --gpus --group-add --health-cmd -h --hostname --ip --ipc -l --label --label-file --link --log-driver --log-opt --mac-address -m --memory --memory-swap --mount --name --net --network --network-alias --pid --pids-limit --platform -p --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u --user --userns --uts -v --volume --volume-driver --volumes-from -w --workdir --arch --pod --secret --tz --umask --userns --detach-keys';
const container: Surrounding = {
  values: DOCKER,
  rows: [
    ...['run', 'container run', 'create', 'container create', 'compose run'].map((at) => ({
      at,
      values: RUN,
      skip: 1,
      mounts: true as const,
      ...inContainer,
    })),
    ...['exec', 'container exec', 'compose exec'].map((at) => ({ at, values: EXEC, skip: 1, ...inContainer })),
    { at: 'machine ssh', skip: 1, ...onMachine },
  ],
};
const compose: Surrounding = {
  values: DOCKER,
  rows: [
    { at: 'run', values: RUN, skip: 1, mounts: true, ...inContainer },
    { at: 'exec', values: EXEC, skip: 1, ...inContainer },
  ],
};
const CLUSTER = '-n --namespace --context --kubeconfig --cluster --user -s --server --as';
const cluster: Surrounding = {
  values: CLUSTER,
  rows: [
    { at: 'exec', values: `${CLUSTER} -c --container -f --filename --pod-running-timeout`, skip: 1, ...onMachine },
    { at: 'rsh', values: `${CLUSTER} -c --container --shell`, skip: 1, ...onMachine },
    {
      at: 'run',
      values: `${CLUSTER} --image --env --restart -l --labels --overrides --port`,
      dashes: true,
      ...onMachine,
    },
    { at: 'debug', values: `${CLUSTER} --image -c --container --target`, dashes: true, ...onMachine },
  ],
};
const boxes = (at: string, values: string, skip: number): Surrounding => ({
  rows: [{ at, values, skip, ...inContainer }],
});
const runner = (at: string, values = '', skip = 0): Surrounding => ({
  rows: at.split('|').map((one) => ({ at: one, values, skip, own: true as const, ...withSettings })),
});
const system: Surrounding = boxes('exec', '--cwd --env --user --group -e --mode', 1);
const fly: Surrounding = {
  values: '-a --app -c --config -r --region',
  rows: [
    { at: 'ssh console', values: '-a --app -r --region -s --select -u --user', code: '-C --command', ...onMachine },
    { at: 'machine exec', values: '-a --app', skip: 1, ...onMachine },
    { at: 'machines exec', values: '-a --app', skip: 1, ...onMachine },
  ],
};
const conda = runner('run', '-n --name -p --prefix --cwd');
const apptainer: Surrounding = {
  rows: [{ at: 'exec', values: '-B --bind -H --home --env --pwd --overlay -W', skip: 1, ...inContainer }],
};
const ssh: Surrounding = { rows: [{ at: '', values: '-w -l -f -t -h -H -p -x -o -g -b', skip: 0, ...onMachine }] };

export const SHELL_SURROUNDINGS: Readonly<Record<string, Surrounding>> = {
  ...CODE_RUNNERS,
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': compose,
  'podman-compose': compose,
  crictl: boxes('exec', '', 1),
  buildah: boxes('run', '-v --volume --user', 1),
  kubectl: cluster,
  oc: cluster,
  k3s: { rows: cluster.rows.map((row) => ({ ...row, at: `kubectl ${row.at}` })) },
  lxc: system,
  incus: system,
  'lxc-attach': boxes('', '-n --name', 0),
  pct: boxes('exec', '', 1),
  machinectl: boxes('shell', '--uid -E --setenv', 1),
  multipass: boxes('exec', '-d --working-directory', 1),
  limactl: boxes('shell', '--workdir --shell', 1),
  lima: boxes('', '', 0),
  colima: boxes('ssh', '-p --profile', 0),
  minikube: boxes('ssh', '-n --node -p --profile', 0),
  singularity: apptainer,
  apptainer,
  toolbox: boxes('run', '-c --container -d --distro -r --release', 0),
  distrobox: {
    rows: [{ at: 'enter', values: '-n --name -a --additional-flags', dashes: true, own: true, ...withSettings }],
  },
  'distrobox-enter': { rows: [{ at: '', values: '-n --name', dashes: true, own: true, ...withSettings }] },
  'distrobox-host-exec': runner(''),
  'flatpak-spawn': runner('', '--env --directory'),
  wsl: runner('', '-d --distribution -u --user --cd --shell-type'),
  'wsl.exe': runner('', '-d --distribution -u --user --cd --shell-type'),
  devcontainer: {
    rows: [{ at: 'exec', values: '--workspace-folder --container-id --config', skip: 0, ...inContainer }],
  },
  heroku: {
    values: '-a --app -r --remote',
    rows: [
      ...['run', 'run:detached', 'run:inside'].map((at) => ({
        at,
        values: '-a --app -r --remote -s --size -e --env --type',
        skip: 0,
        ...onMachine,
      })),
      { at: 'ps:exec', values: '-a --app -d --dyno', skip: 0, ...onMachine },
      { at: 'pg:psql', values: '-a --app --credential -f --file', sql: '-c --command', ...onMachine },
      { at: 'psql', values: '-a --app --credential -f --file', sql: '-c --command', ...onMachine },
    ],
  },
  fly,
  flyctl: fly,
  railway: {
    rows: ['run', 'ssh'].map((at) => ({
      at,
      values: '-s --service -e --environment -p --project',
      skip: 0,
      ...onMachine,
    })),
  },
  cf: { rows: [{ at: 'ssh', values: '-i', code: '-c --command', ...onMachine }] },
  eb: { rows: [{ at: 'ssh', values: '-n --number -i', code: '-c --command', ...onMachine }] },
  doctl: { rows: [{ at: 'compute ssh', code: '--ssh-command', ...onMachine }] },
  gcloud: {
    values: '--project --account --format',
    rows: [
      { at: 'compute ssh', values: '--zone --project --account', code: '--command', ...onMachine },
      { at: 'cloud-shell ssh', code: '--command', ...onMachine },
      { at: 'sql connect', ...onMachine },
    ],
  },
  vagrant: { rows: [{ at: 'ssh', code: '-c --command', ...onMachine }] },
  aws: {
    values: '--profile --region --output --endpoint-url --query',
    rows: [
      { at: 'ssm send-command', texts: '--parameters', ...onMachine },
      { at: 'ssm start-session', texts: '--parameters', ...onMachine },
      { at: 'ecs execute-command', values: '--cluster --task --container', code: '--command', ...onMachine },
      { at: 'rds-data execute-statement', sql: '--sql', ...onMachine },
    ],
  },
  az: {
    rows: [
      { at: 'vm run-command invoke', texts: '--scripts', ...onMachine },
      { at: 'vm run-command create', texts: '--script', ...onMachine },
      { at: 'vmss run-command invoke', texts: '--scripts', ...onMachine },
      { at: 'containerapp exec', code: '--command', ...onMachine },
      { at: 'container exec', code: '--exec-command', ...onMachine },
    ],
  },
  wrangler: { rows: [{ at: 'd1 execute', sql: '--command', ...onMachine }] },
  tsh: { rows: [{ at: 'ssh', values: '-l --login -p --port -i', skip: 1, ...onMachine }] },
  sshpass: runner('', '-p -f -d'),
  mosh: { rows: [{ at: '', values: '-p --port --ssh --server --predict', dashes: true, ...onMachine }] },
  pdsh: ssh,
  clush: ssh,
  pssh: ssh,
  'parallel-ssh': ssh,
  salt: { rows: [{ at: '', texts: 'cmd.run cmd.shell', ...onMachine }] },
  ansible: { rows: [{ at: '', values: '-i -m -u -e', code: '-a --args', ...onMachine }] },
  nsenter: { rows: [{ at: '', values: '-t --target -S --setuid -G --setgid', skip: 0, own: true, ...withRights }] },
  unshare: {
    rows: [{ at: '', values: '-S --setuid -G --setgid -R --root -w --wd', skip: 0, own: true, ...withRights }],
  },
  chroot: { rows: [{ at: '', values: '--userspec --groups', skip: 1, own: true, ...withRights }] },
  su: { rows: [{ at: '', values: '-s --shell -g -G -w', code: '-c --command', own: true, ...withRights }] },
  runuser: {
    rows: [{ at: '', values: '-u --user -s --shell -g -G', skip: 0, code: '-c --command', own: true, ...withRights }],
  },
  'systemd-run': {
    rows: [
      {
        at: '',
        values:
          '-p --property --unit -u --description --slice -E --setenv --on-calendar --on-active --on-boot --uid --gid --working-directory --nice --service-type -M --machine -H --host',
        skip: 0,
        own: true,
        least: ['outside', 'runs a command as a service of the machine'],
      },
    ],
  },
  conda,
  mamba: conda,
  micromamba: conda,
  uv: runner(
    'run',
    '--with --with-editable --with-requirements -p --python --extra --group --project --directory --package --env-file',
  ),
  pdm: runner('run'),
  hatch: runner('run'),
  rye: runner('run'),
  pixi: runner('run'),
  direnv: runner('exec', '', 1),
  dotenv: runner('run|', '-e -f -p -c'),
  infisical: runner('run', '--env --path'),
  'aws-vault': runner('exec', '-d --duration', 1),
  mise: runner('exec|x', '', 0),
  asdf: runner('exec'),
  rbenv: runner('exec'),
  pyenv: runner('exec'),
  fnm: runner('exec', '--using'),
  volta: runner('run', '--node --npm'),
  devbox: runner('run'),
  'nix-shell': { rows: [{ at: '', values: '-p -A -I', code: '--run --command', own: true, ...withSettings }] },
};
