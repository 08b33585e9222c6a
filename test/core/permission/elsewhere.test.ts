/** Commands inside containers and on other machines. */
import { describe, expect, test } from 'vitest';
import { judgeIn } from './judge-projects.ts';

describe('in a project without secrets, in auto mode', () => {
  test.each([
    'docker exec c ls /app',
    'docker compose exec web rails db:migrate',
    "docker exec db psql -c 'SELECT 1'",
    'kubectl exec pod -- ls',
    'heroku run rails console',
    'docker run --rm -it -p 3000:3000 node:20 npm start',
    'docker run -d --name db -e POSTGRES_PASSWORD=x postgres:16',
    'docker exec -it db psql -U postgres -c "SELECT * FROM t"',
    'docker compose exec app npm test',
    'docker compose run --rm app npm test',
    'docker compose up -d',
    'docker compose -f dev.yml up --build',
    'docker build -t x .',
    'docker logs x',
    'docker run --network mynet alpine ls',
  ])('%s is allowed', async (command) => {
    expect(await judgeIn('clean', command, 'auto')).toMatchObject({ verdict: 'allow' });
  });

  test.each([
    "docker exec db psql -c 'DROP TABLE x'",
    "docker exec -it db psql -U u -c 'DROP TABLE x'",
    'podman exec c rm -rf /data',
    "docker compose exec db mysql -e 'DROP DATABASE x'",
    'docker compose run --rm web rails db:drop',
    'docker compose exec -T web bundle exec rails db:drop',
    'docker-compose exec db dropdb app',
    "docker exec c sh -c 'rm -rf /x'",
    'heroku run rails db:drop',
    'heroku run -a app -- rails db:drop',
    "heroku pg:psql -c 'DROP TABLE users'",
    "fly ssh console -C 'rm -rf /data'",
    "gcloud compute ssh vm --command 'rm -rf /data'",
    "gcloud compute ssh vm --command='sudo rm -rf /data'",
    "vagrant ssh -c 'rm -rf /x'",
    'aws ssm send-command --document-name AWS-RunShellScript --parameters \'commands=["rm -rf /x"]\'',
    "az vm run-command invoke -g g -n vm --command-id RunShellScript --scripts 'rm -rf /x'",
    'nsenter -t 1 -m rm -rf /x',
    'chroot /mnt rm -rf /x',
    'systemd-run --user rm -rf src',
    'lxc exec c -- rm -rf /x',
    'wsl rm -rf src',
    "wsl -e bash -c 'rm -rf src'",
    'toolbox run rm -rf src',
    'distrobox enter box -- rm -rf src',
    'kubectl exec pod -- rm -rf /x',
    "kubectl exec -it pod -c app -- psql -c 'DROP TABLE x'",
    "kubectl exec pod -- mongosh --eval 'db.dropDatabase()'",
    'docker exec c redis-cli FLUSHALL',
    'docker exec c unknownthing db:drop',
  ])('%s is destructive', async (command) => {
    expect(await judgeIn('clean', command, 'auto')).toMatchObject({ class: 'destructive' });
  });

  test.each([
    'docker run --entrypoint rm alpine -rf /x',
    'docker run -v "$PWD":/w alpine sh -c \'rm -rf /w/*\'',
    'docker run --foo bar alpine rm -rf /x',
    'docker exec x bash -c "$(cat x.sh)"',
    "docker exec -i db psql <<< 'DROP TABLE x'",
    "echo 'DROP TABLE x' | docker exec -i db psql",
    "docker exec db mysql -uroot -e'DROP DATABASE x'",
    "docker exec db psql -c'DROP TABLE x'",
    "docker exec db psql --command='DROP TABLE x'",
    'docker exec c python manage.py flush',
    'docker exec c php artisan migrate:fresh',
    'docker --context x exec c rm -rf /',
    'docker -H ssh://h exec c rm -rf /',
    'docker container exec c rm -rf /',
    'kubectl -n x exec pod -c c -it -- rm -rf /x',
    'kubectl exec deploy/db -- sh -c \'psql -c "DROP TABLE x"\'',
    'kubectl run x --image=y --rm -it -- rm -rf /x',
    'oc rsh pod rm -rf /x',
    'ssh host docker exec c rm -rf /x',
    'sudo docker exec c rm -rf /x',
    'env A=1 docker exec c rm -rf /x',
    'mise exec -- rm -rf src',
    'uv run --with x rm -rf src',
    'conda run -n e rm -rf src',
    'op run -- rm -rf src',
    "wrangler d1 execute db --command 'DROP TABLE x'",
    "ansible all -m shell -a 'rm -rf /x'",
    "nix-shell -p x --run 'rm -rf src'",
    'nix develop -c rm -rf src',
    'bundle exec rails db:drop',
    'heroku run:detached rails db:drop -a app',
    "heroku pg:psql postgresql-x -a app -c 'DROP TABLE users'",
    "fly ssh console -a app --command 'rm -rf /data'",
    'gcloud --project p compute ssh vm --zone z --command "rm -rf /"',
    'aws --region x ecs execute-command --cluster c --task t --command "rm -rf /x" --interactive',
    'aws ssm send-command --parameters \'{"commands":["rm -rf /x"]}\'',
    'docker run --rm -v "$PWD:/app" -v ~/.ssh:/root/.ssh alpine ls',
    'docker run --network host alpine ls',
    'docker cp c:/etc/passwd /etc/x',
  ])('%s asks or refuses', async (command) => {
    expect((await judgeIn('clean', command, 'auto')).verdict).not.toBe('allow');
  });
});

describe('in a project with an ignored .env, in auto mode', () => {
  test.each(['docker run --rm -v "$PWD/src:/app" alpine grep -r KEY /app'])('%s is allowed', async (command) => {
    expect(await judgeIn('env', command, 'auto')).toMatchObject({ verdict: 'allow' });
  });

  test.each([
    'docker run --rm -v "$PWD:/app" alpine cat /app/.env',
    'docker run --rm -v "$PWD:/app" alpine grep -r KEY /app',
  ])('%s asks or refuses', async (command) => {
    expect((await judgeIn('env', command, 'auto')).verdict).not.toBe('allow');
  });
});
