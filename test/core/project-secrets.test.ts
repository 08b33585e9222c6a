import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { knowProjectSecrets } from '../../core/project-secrets.ts';
import { redact } from '../../core/redact.ts';
import { withoutSecrets } from '../../core/redact-result.ts';
import { envPairs } from '../../core/secret-file-values.ts';
import { placesInCommand } from '../../core/tools/shell/places-in-command.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function project(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'ada-env-'));
  made.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

let count = 0;
/** Drawn by nobody's lot, but no other test's. */
const secret = () => `q8Zr4kP1x7Wm${process.pid}v${++count}T`;

describe('the values of .env files are hidden', () => {
  it('in the root and its folders, whatever their names say, but not of files for people to copy', () => {
    const [a, b, c, d, e, f] = [secret(), secret(), secret(), secret(), secret(), secret()] as const;
    knowProjectSecrets(
      project({
        '.env': `API_KEY=${a}\nSAYS_NOTHING="${b}"\n`,
        'api/.env.local': `export X='${c}'`,
        '.env.example': `API_KEY=${d}`,
        'deep/er/.env': `API_KEY=${e}`,
        'node_modules/a/.env': `API_KEY=${f}`,
      }),
    );
    expect(redact(`${a} ${b} ${c}`)).toBe('[redacted: API_KEY] [redacted: SAYS_NOTHING] [redacted: X]');
    expect(redact(`${d} ${f}`)).toBe(`${d} ${f}`);
  });

  it('in the folders of a large project by the time a result is shown', () => {
    const [a, b, c] = [secret(), secret(), secret()] as const;
    const root = project({
      'apps/web/.env': `API_KEY=${a}`,
      'packages/a/b/.env.local': `API_KEY=${b}`,
      'services/x/y/z/q/.env.production': `API_KEY=${c}`,
    });
    knowProjectSecrets(root, { first: true });
    expect(withoutSecrets({ output: `${a} ${b} ${c}` }, root).output).toMatch(/^(\[redacted: API_KEY\] ?){3}\n/);
  });

  it('beside a call, and at once where it names the folder, however deep or foreign that is', async () => {
    const [a, b, c] = [secret(), secret(), secret()] as const;
    const root = project({
      'a/b/c/.env': `API_KEY=${a}`,
      '1/2/3/4/5/6/7/8/.env': `API_KEY=${b}`,
      'node_modules/m/.env': `API_KEY=${c}`,
    });
    knowProjectSecrets(root, { first: true });
    expect(redact(a)).toBe(a);
    await vi.waitFor(() => expect(redact(a)).toBe('[redacted: API_KEY]'));
    knowProjectSecrets(root);
    expect(redact(`${b} ${c}`)).toBe(`${b} ${c}`);
    const places = [join(root, '1/2/3/4/5/6/7/8'), join(root, 'node_modules/m/.env'), '/etc', join(root, 'missing/x')];
    knowProjectSecrets(root, { first: true, places });
    expect(redact(`${b} ${c}`)).toBe('[redacted: API_KEY] [redacted: API_KEY]');
  });

  it('of folders that a command names', () => {
    expect(placesInCommand('cd web && cat a/b/.env "../c/d" | grep x', '/p')).toEqual([
      '/p',
      '/p/web',
      '/p/a/b/.env',
      '/c/d',
    ]);
    expect(placesInCommand('true', '/p')).toEqual(['/p']);
  });

  it.each([
    ['DB_PASS="p@ss word with spaces"', 'p@ss word with spaces'],
    ["PASSPHRASE='four words of mine'", 'four words of mine'],
    ['JWT_SECRET=my-jwt-secret-key', 'my-jwt-secret-key'],
    ['DB_USER_PASSWORD=some-horse-battery', 'some-horse-battery'],
  ])('words are hidden: %s', (row, value) => {
    knowProjectSecrets(project({ '.env': row }));
    expect(redact(`x ${value} y`)).toMatch(/^x \[redacted: [A-Z_]+\] y$/);
  });

  it.each([
    ['with its lines', '\n'],
    ['in one line', '\\n'],
  ])('the body of a key written %s, each line alone', (_name, end) => {
    const lines = [secret(), secret(), secret()].map((line) => `MIIE${line}/+x`);
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----'].join(end);
    knowProjectSecrets(project({ '.env': `A=1\nAPP_PRIVATE_KEY="${key}"\nB=2\n` }));
    for (const line of lines) expect(redact(`3\t${line}`)).toMatch(/^3\t\[redacted: /);
  });

  it('but no words, regions, addresses, versions and names', () => {
    const values = [
      'development',
      'eu-central-1',
      'http://localhost:3000/api/v1',
      'gpt-4o-mini-2024-07-18',
      'noreply2@example.com',
      'my_app_dev2',
      '1.2.3-beta4',
      'Europe/Berlin',
      'postgres',
      '10.0.0.12:5432',
      'a_long_name_of_a_feature_flag',
      'node20-alpine3.19',
      'api/v2/users2/list',
      '2024-07-18T10:00:00Z',
    ];
    knowProjectSecrets(
      project({ '.env': values.map((value, i) => `NAME_${i}=${value}\nP${i}_URL=${value}`).join('\n') }),
    );
    for (const value of values) expect(redact(`x ${value} y`)).toBe(`x ${value} y`);
  });

  it.each(['s3cr3t-value-99', 'hunter2hunter2', 'supersecretvalue123', 'Zx81kLm20pQw93Vt'])('%s is one', (value) => {
    knowProjectSecrets(project({ '.env': `NAME=${value}` }));
    expect(redact(`x ${value}`)).toBe('x [redacted: NAME]');
  });

  it('again when they change, also of files and folders that come later, and still when they are gone', () => {
    const [a, b, c] = [secret(), secret(), secret()] as const;
    const root = project({ '.env': `KEY=${a}` });
    knowProjectSecrets(root);
    writeFileSync(join(root, '.env'), `KEY=${b} # was ${'x'.repeat(20)}`);
    knowProjectSecrets(root);
    rmSync(join(root, '.env'));
    mkdirSync(join(root, 'late'));
    writeFileSync(join(root, 'late/.env'), `KEY=${c}`);
    utimesSync(root, new Date(), new Date(Date.now() + 5000));
    knowProjectSecrets(root);
    expect(redact(`${a} ${b} ${c}`)).toBe('[redacted: KEY] [redacted: KEY] [redacted: KEY]');
  });

  it('and what cannot be read is no error', () => {
    const root = project({ '.env.big': `KEY=${'a1'.repeat(40_000)}` });
    mkdirSync(join(root, '.env.d'));
    symlinkSync('nowhere', join(root, '.env.link'));
    knowProjectSecrets(root);
    knowProjectSecrets(join(root, 'missing'));
  });
});

describe('the secrets of other files that hold some are hidden too', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  it.each<[file: string, text: (value: string) => string]>([
    ['prod.env', (value) => `SAYS_NOTHING=${value}`],
    ['config/staging.env', (value) => `export DB_PASSWORD="${value}"`],
    ['infra/prod.tfvars', (value) => `region = "eu-central-1"\ndb_password = "${value}" # of the database`],
    ['terraform.tfvars.json', (value) => json({ db: { admin_password: value } })],
    [
      'terraform.tfstate',
      (value) => json({ resources: [{ instances: [{ attributes: { id: 'db-1', master_password: value } }] }] }),
    ],
    ['state/terraform.tfstate.backup', (value) => json({ outputs: { login: { sensitive: true, value } } })],
    ['.kube/config', (value) => `users:\n- name: a\n  user:\n    token: ${value}\n`],
    ['kubeconfig', (value) => `users:\n- user:\n    client-key-data: ${value}\n`],
    ['ci.kubeconfig', (value) => json({ users: [{ user: { token: value } }] })],
    ['.npmrc', (value) => `registry=https://r.example\n//r.example/:_authToken=${value}\n`],
    ['.pypirc', (value) => `[pypi]\nusername = __token__\npassword = ${value}\n`],
    ['.netrc', (value) => `machine h.example login me password ${value}\n`],
    ['_netrc', (value) => `machine h.example\n  login me\n  password "${value}"\n`],
    ['credentials', (value) => `[default]\naws_secret_access_key = ${value}\n`],
    ['.aws/credentials', (value) => `[default]\naws_session_token=${value}\n`],
    ['secrets.yaml', (value) => `stripe:\n  - apiKey: '${value}'\n`],
    ['secrets.yml', (value) => `data:\n  password: ${base64(value)}\n`],
    ['secrets.json', (value) => json({ smtp: { password: value } })],
    ['secrets.toml', (value) => `[db]\npassword = "${value}"\n`],
    ['.docker/config.json', (value) => json({ auths: { 'r.example': { auth: base64(`me:${value}`) } } })],
    ['.dockercfg', (value) => json({ 'r.example': { auth: base64(`me:${value}`) } })],
    ['.pgpass', (value) => `# a\nlocalhost:5432:db:me:${value}\n`],
    ['.git-credentials', (value) => `https://me:${value}@h.example\n`],
    ['.vault-token', (value) => `${value}\n`],
    ['service-account.json', (value) => json({ type: 'service_account', private_key_id: value })],
    ['secrets.env', (value) => `URL=redis://:${value}@cache:6379/0`],
  ])('%s', (file, text) => {
    const value = secret();
    knowProjectSecrets(project({ [file]: text(value) }));
    expect(redact(`+ x ${value} y`)).toMatch(/^\+ x \[redacted: [\w -]+\] y$/);
  });

  it('each line of a key of its own file', () => {
    const lines = [secret(), secret()].map((line) => `MIIE${line}/+x`);
    const text = ['-----BEGIN EC PRIVATE KEY-----', ...lines, '-----END EC PRIVATE KEY-----', ''].join('\n');
    knowProjectSecrets(project({ 'tls/server.key': text }));
    for (const line of lines) expect(redact(line)).toBe('[redacted: private key]');
  });

  it('but not what only stands beside them, nor files for people to copy', () => {
    const [a, b] = [secret(), secret()] as const;
    const words = ['vpc-0a1b2c3d4e5f60718', 'eu-central-1a', 'changeme123', 'localhost:5432', 'true', '12345678901'];
    knowProjectSecrets(
      project({
        'terraform.tfstate': json({ serial: 12345678901, lineage: words[0], id: words[0], password: words[2] }),
        'prod.tfvars': words.map((word, i) => `value_${i} = "${word}"`).join('\n'),
        'secrets.yaml': `host: ${words[3]}\nenabled: ${words[4]}\npassword: ${words[2]}\ntoken_count: ${words[5]}\n`,
        '.npmrc': `registry=https://registry.example/npm2/path9\n_authToken=$\{NPM_TOKEN}\n`,
        'example.tfvars': `password = "${a}"`,
        'config.json': json({ auth: b }),
      }),
    );
    const text = [...words, 'https://registry.example/npm2/path9', '$' + '{NPM_TOKEN}', a, b].join(' ; ');
    expect(redact(text)).toBe(text);
  });

  it('and values of any length and number are no error', () => {
    const value = secret();
    const rows = Array.from({ length: 1500 }, (_, i) => `TOKEN_${i}=${'ab1'.repeat(20)}${i}`);
    const root = project({ '.env': `BIG_TOKEN=${'c3d'.repeat(40_000)}`, 'a.env': rows.join('\n') });
    knowProjectSecrets(root);
    knowProjectSecrets(project({ '.env': `A_TOKEN=${value}` }));
    expect(redact(`${value} ${'c3d'.repeat(40_000)}`)).toBe('[redacted: A_TOKEN] [redacted: BIG_TOKEN]');
  });
});

it('pairs of a .env file', () => {
  const text = `# c\nA=plain # note\nexport B="two words"\nC='a#b'\nD=\nE: yaml\nF="x\\ny"\nURL=pg://u:p4ssw0rd9@h/d\n`;
  expect(envPairs(text)).toEqual([
    ['A', 'plain'],
    ['B', 'two words'],
    ['C', 'a#b'],
    ['E', 'yaml'],
    ['F', 'x\\ny'],
    ['F', 'x\ny'],
    ['URL', 'pg://u:p4ssw0rd9@h/d'],
    ['URL_PASSWORD', 'p4ssw0rd9'],
  ]);
});

describe('a result', () => {
  it('that hides something says so in its last line', () => {
    const value = secret();
    const root = project({ '.env': `APP_KEY=${value}` });
    const hidden = withoutSecrets(
      {
        output: `a ${value}\nb`,
        display: { kind: 'diff', path: 'f', patch: `+AKIA${'ABCDEFGH23456777'}\n`, added: 1, removed: 0 },
      },
      root,
    );
    expect(hidden.output.split('\n').slice(0, 2)).toEqual(['a [redacted: APP_KEY]', 'b']);
    expect(hidden.output.split('\n').at(-1)).toMatch(
      /^\(1 secret is hidden above: its mark \[redacted: APP_KEY\] is not the text/,
    );
    expect(hidden.display).toMatchObject({ patch: '+[redacted: AWS key id]\n' });
    expect(withoutSecrets({ output: `${value}${value} x` }, root).output).toMatch(
      /\(2 secrets are hidden above: marks such as \[redacted: APP_KEY\] are not the text .* do not write them into/,
    );
  });

  it('that hides nothing, or only tells of a mark, stays', () => {
    const output = 'grep found: [redacted: GitHub token]';
    expect(withoutSecrets({ output }, project({})).output).toBe(output);
  });
});
