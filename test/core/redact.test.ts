import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addSecrets, findSecrets, marksIn, redact, replaced } from '../../core/redact.ts';

/** Made up piece by piece, so that no scanner takes this file for a leak. */
const run = (length: number, alphabet = 'aB3dE6gH9jK2mN5pQ8rS1tV4wX7yZ0') =>
  alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
const pem = (kind: string) =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${run(64)}\n${run(64)}\n-----END ${kind}PRIVATE KEY-----`;

describe('secrets are replaced', () => {
  test.each<[string, string, string]>([
    ['Anthropic', `key=sk-ant-api03-${run(40)}`, 'key=[redacted: Anthropic key]'],
    ['OpenAI project', `sk-proj-${run(48)} end`, '[redacted: API key] end'],
    ['OpenAI', `"sk-${run(48)}"`, '"[redacted: API key]"'],
    ['hex after sk-', `sk-${run(32, '0123456789abcdef')}`, '[redacted: API key]'],
    ['OpenRouter', `sk-or-v1-${run(40)}`, '[redacted: OpenRouter key]'],
    [
      'GitHub',
      `ghp_${run(36)} gho_${run(36)} github_pat_${run(60)}`,
      '[redacted: GitHub token] [redacted: GitHub token] [redacted: GitHub token]',
    ],
    ['GitLab', `glpat-${run(20)}`, '[redacted: GitLab token]'],
    ['AWS id', `AKIA${run(16, 'ABCDEFGHIJ234567')}`, '[redacted: AWS key id]'],
    ['AWS secret', `aws_secret_access_key = ${run(40)}`, 'aws_secret_access_key = [redacted: AWS secret]'],
    ['AWS secret, JSON', `"SecretAccessKey": "${run(40)}"`, '"SecretAccessKey": "[redacted: AWS secret]"'],
    ['Slack', `xoxb-${run(30)}`, '[redacted: Slack token]'],
    ['npm', `npm_${run(36)}`, '[redacted: npm token]'],
    ['npmrc', `//r/:_authToken=${run(30)}`, '//r/:_authToken=[redacted: npm token]'],
    ['Google', `AIza${run(35)}`, '[redacted: Google key]'],
    ['Stripe', `sk_live_${run(24)}`, '[redacted: Stripe key]'],
    ['Hugging Face', `hf_${run(34)}`, '[redacted: Hugging Face token]'],
    ['JWT', `eyJ${run(30)}.eyJ${run(40)}.${run(40)}`, '[redacted: JWT]'],
    ['URL', 'postgres://user:hunter2@db:5432/x', 'postgres://user:[redacted: password]@db:5432/x'],
    ['URL without a user', 'redis://:hunter2@db', 'redis://:[redacted: password]@db'],
    ['Bearer', `Authorization: Bearer ${run(30)}`, 'Authorization: Bearer [redacted: token]'],
    ['Basic', `Authorization: Basic ${run(20)}==`, 'Authorization: Basic [redacted: password]'],
    ['PEM', `a\n${pem('RSA ')}\nb`, 'a\n[redacted: private key]\nb'],
    ['PEM in JSON', JSON.stringify({ key: pem('') }), '{"key":"[redacted: private key]"}'],
    ['PEM cut off', pem('EC ').slice(0, 90), '[redacted: private key]'],
  ])('%s', (_name, text, expected) => expect(redact(text)).toBe(expected));

  test('twice is the same as once', () => {
    const once = redact(`sk-ant-${run(40)} postgres://u:p@h Bearer ${run(30)} //r/:_authToken=${run(30)}`);
    expect(redact(once)).toBe(once);
  });
});

describe('values behind a telling name are replaced', () => {
  test.each<[text: string, expected: string]>([
    ['password=hunter2', 'password=[redacted: secret]'],
    ['DB_PASSWORD=hunter2hunter2', 'DB_PASSWORD=[redacted: secret]'],
    ['password: s3cr3t-9x', 'password: [redacted: secret]'],
    ['db_password = "Xk29fjA81qZw"', 'db_password = "[redacted: secret]"'],
    ['token: abc123def456', 'token: [redacted: secret]'],
    ['{"password":"hunter2x","user":"bob"}', '{"password":"[redacted: secret]","user":"bob"}'],
    ["{'api_key': 'k3y9of8the7api'}", "{'api_key': '[redacted: secret]'}"],
    ['{\\"token\\":\\"abc123def456\\"}', '{\\"token\\":\\"[redacted: secret]\\"}'],
    [
      'Server=db;User Id=sa;Password=Pa55w.rd!9;Encrypt=true',
      'Server=db;User Id=sa;Password=[redacted: secret];Encrypt=true',
    ],
    ['GET /cb?access_token=2YotnFZFEjr1&state=x', 'GET /cb?access_token=[redacted: secret]&state=x'],
    ['mysql --password=t0psecret9 -e x', 'mysql --password=[redacted: secret] -e x'],
    ['export SECRET_KEY_BASE=9f8e7d6c5b4a', 'export SECRET_KEY_BASE=[redacted: secret]'],
    ['clientSecret: Zx81kLm20pQw93Vt', 'clientSecret: [redacted: secret]'],
    ['PASSPHRASE=correct-horse-battery-staple', 'PASSPHRASE=[redacted: secret]'],
    ['+password=hunter2', '+password=[redacted: secret]'],
    ['12\tpassword: hunter2x\n13\tuser: bob', '12\tpassword: [redacted: secret]\n13\tuser: bob'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  test.each([
    'password: string;',
    'token: Uint8Array',
    'password=password1',
    'password: ********',
    'password = getpass.getpass()',
    'token = parser.next2()',
    'const token = await auth2.getToken3(user1);',
    'authenticate(username=name1, password=password_v2)',
    'self.client.login(username="bob2", password="secret12")',
    'token = self.tokens2.pop()',
    'secret: sha256sum',
    'password: base64url',
    'max_tokens=4096',
    'tokens: 123456789',
    'next_page_token=CiAKGjBpNDd2Nmp2',
    '"nextPageToken": "CiAKGjBpNDd2Nmp2"',
    'eos_token: tok128len',
    'PublicKeyToken=b77a5c561934e089',
    'cache-key: node20-linux-abc123',
    'secretName: web-tls-2024',
    'secret: web-tls-v2',
    'password=$DB_PASSWORD1',
    'password=$' + '{DB_PASS1}',
    'PASSWORD=<your-password-1>',
    'password: {{ vault_password1 }}',
    'token_type: Bearer2x3y',
    'if (token1 === token2345678) {',
    'type Token = Array2<string>',
    'passwd: elevated-privileges 4755',
    'API_KEY=your-api-key-123',
    'token => token123456(x)',
  ])('%s stays', (text) => expect(redact(text)).toBe(text));
});

describe('in the lines of a diff', () => {
  test.each([
    `AKIA${run(16, 'ABCDEFGHIJ234567')}`,
    `sk-proj-${run(48)}`,
    `sk-${run(48)}`,
    `AIza${run(35)}`,
    `eyJ${run(30)}.eyJ${run(40)}.${run(40)}`,
    'postgres://user:hunter2@db',
  ])('%s', (secret) => {
    for (const before of ['+', '-', 'x\n+', '12\t-', 'a.diff:3:+', '++'])
      expect(redact(`${before}${secret}\n`)).not.toContain(secret.slice(-8));
  });
});

describe('where secrets are', () => {
  test('is told in places of the text, also behind others and over them', () => {
    const takeBack = addSecrets({ SOME_TOKEN: 'inner5value9here' });
    const text = `a inner5value9here b ghp_${run(36)} c postgres://u:inner5value9here@h Bearer x${run(12)}inner5value9here. d`;
    const found = findSecrets(text);
    expect(replaced(text, found)).toBe(redact(text));
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([
      'inner5value9here',
      `ghp_${run(36)}`,
      'inner5value9here',
      ...found.slice(3).map(({ start, end }) => text.slice(start, end)),
    ]);
    for (const [i, { start, end }] of found.entries())
      expect(start < end && start >= (found[i - 1]?.end ?? 0)).toBe(true);
    takeBack();
  });

  test('a key over marks hides all of it', () => {
    const takeBack = addSecrets({ SOME_TOKEN: run(64) });
    const text = `x ${pem('RSA ')} y`;
    const [only, ...others] = findSecrets(text);
    expect(others).toEqual([]);
    expect(text.slice(only!.start, only!.end)).toBe(pem('RSA '));
    expect(redact(text)).toBe('x [redacted: private key] y');
    takeBack();
  });

  test('marks are told from other text in brackets', () => {
    addSecrets({ ODD_THING_PASSWORD: 'x1x2x3x4x5' })();
    const text = '[redacted: GitHub token] [redacted: kind] [redacted: ODD_THING_PASSWORD] [redacted: $x] [redacted]';
    expect(marksIn(text).map(({ mark }) => mark)).toEqual([
      '[redacted: GitHub token]',
      '[redacted: ODD_THING_PASSWORD]',
    ]);
  });
});

describe('ordinary text stays', () => {
  test.each([
    createHash('sha1').update('x').digest('hex'),
    createHash('sha512').update('x').digest('base64'),
    '123e4567-e89b-42d3-a456-426614174000',
    `sha512-${run(86)}==`,
    'index 3b18e512d..e69de29bb 100644',
    'class="sk-fading-circle sk-circle-animation-12"',
    'risk-assessment-2024-for-the-whole-company-report',
    'https://example.com:8080/a@b?x=1',
    'git@github.com:owner/repo.git',
    'ssh://git@host:22/x',
    'postgres://$USER:$PASSWORD@host/db',
    'http://user:<password>@host',
    'Authorization: Bearer $TOKEN',
    'the bearer of this letter',
    'sk-learn and sk-image',
    'ghp_short',
    'AKIA is a prefix',
    'eyJ is how a JWT begins',
    'export AWS_SECRET_ACCESS_KEY=$KEY',
    'npm_config_registry=x',
    '-----BEGIN PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----',
  ])('%s', (text) => expect(redact(text)).toBe(text));

  test('encoded images', () => {
    const image = `data:image/png;base64,${Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(200_000)]).toString('base64')}`;
    expect(redact(image)).toBe(image);
  });
});

test('long texts that nearly match do not hang', () => {
  for (const piece of [
    'eyJaaaaaaaaaa.',
    'a://b:',
    '-----BEGIN PRIVATE KEY-----',
    'sk-a',
    'bearer ',
    'password=',
    'password: "a',
    'token=x1,',
    'aws_secret_key=',
    'xoxb-',
    'http://',
  ]) {
    const text = piece.repeat(20_000);
    expect(redact(text).length).toBeGreaterThan(0);
  }
});

describe('values of the environment', () => {
  test('of secrets are replaced wherever they stand, until they are taken back', () => {
    const value = run(24).toLowerCase();
    const takeBack = addSecrets({ SOME_API_KEY: value, DB_PASSWORD: 'pw "quoted" 1', PATH: '/usr/bin:/bin' });
    expect(redact(`a=${value}; b=${value}x`)).toBe('a=[redacted: SOME_API_KEY]; b=[redacted: SOME_API_KEY]x');
    expect(redact('is pw "quoted" 1 here')).toBe('is [redacted: DB_PASSWORD] here');
    expect(redact(JSON.stringify({ a: 'pw "quoted" 1' }))).not.toContain('quoted');
    expect(redact('/usr/bin:/bin')).toBe('/usr/bin:/bin');
    takeBack();
    expect(redact(value)).toBe(value);
  });

  test('that are short, paths, settings, or of other names stay', () => {
    const env = {
      A_KEY: 'short',
      SSH_AUTH_SOCK: '/run/user/1000/agent',
      KEY_FILE: 'keys/some-name',
      SERVICE_TOKEN: '/run/secrets/token',
      MAX_OUTPUT_TOKENS: '100000000',
      USE_AUTH: 'required',
      AUTH_METHOD: 'password-and-more',
      GIT_AUTHOR_NAME: 'a person of that name',
      KEYBOARD: 'international',
      TOKENIZERS_PARALLELISM: 'false-ish-value',
      PWD: 'relative-folder',
      POSTGRES_PASSWORD: 'postgres',
      APP_SECRET: 'development',
      DB_PASSWORD: 'changeme',
      REDIS_PASSWORD: 'redis_password',
      MYSQL_PASSWORD: 'mysql123',
      ADMIN_PASSWORD: 'ChangeMe!1',
      SESSION_SECRET: 'keyboard cat',
      API_KEY: 'your-api-key-here',
      JWT_SECRET: 'change-me-in-production',
      COOKIE_SECRET: 'example-secret-for-tests',
      PRIMARY_KEY: 'user_id_2',
      S3_KEY_PREFIX: 'uploads/2024',
      API_KEY_HEADER: 'X-Api-Key-1',
      JWT_ALGORITHM_KEY: 'RS256withRSA',
      PASSWORD_HASHER: 'argon2id_v13',
      TOKEN_TYPE: 'Bearer2token',
      TOKEN_ISSUER: 'issuer-of-team-4',
      TOKEN_AUDIENCE: 'audience-of-team-4',
      TOKEN_EXPIRES_IN: '7days-and-2hours',
      AUTH_PROVIDER: 'google-oauth-2',
      CACHE_KEY: 'page1-of-users',
      OBJECT_KEY: 'images/logos/of-the-firm.png',
    };
    const takeBack = addSecrets(env);
    for (const value of Object.values(env)) expect(redact(`x ${value} y`)).toBe(`x ${value} y`);
    takeBack();
  });

  test('the longer of two is replaced whole, and one that two names hold is taken back by its own call', () => {
    const short = 'abcdefgh-1';
    const first = addSecrets({ A_TOKEN: short, B_TOKEN: `${short}-and-more` });
    const second = addSecrets({ A_TOKEN: short });
    expect(redact(`${short}-and-more ${short}`)).toBe('[redacted: B_TOKEN] [redacted: A_TOKEN]');
    second();
    expect(redact(short)).toBe('[redacted: A_TOKEN]');
    first();
    expect(redact(short)).toBe(short);
  });
});

test.each([
  'hunter2hunter2',
  'keyboard cat and dog',
  'p@ss word with spaces',
  'my-own-secret-key',
  'Tr0ub4dor&3',
  'correct-horse-battery-staple',
  'p4ssw0rd-of-prod',
])('a value such as %s is hidden', (value) => {
  const takeBack = addSecrets({ DB_PASSWORD: value });
  expect(redact(`x=${value}`)).toBe('x=[redacted: DB_PASSWORD]');
  takeBack();
});
