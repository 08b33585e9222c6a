/** The sample project of the demonstration: path -> content. A small program with tests of its own and one real bug. */
export const SAMPLE: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "tally",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'README.md': `# tally

Splits a bill among people. Amounts are whole cents inside, so that nothing is lost to floating point.

    node src/main.js 10.00 4

Tests: \`node --test\`
`,
  'src/money.js': `/** Reads an amount such as "12.50" or "7" into cents. */
export function parseMoney(text) {
  const match = /^(\\d+)(?:\\.(\\d{2}))?$/.exec(text.trim());
  if (!match) throw new Error(\`not an amount: \${text}\`);
  return Number(match[1]) * 100 + Number(match[2] ?? 0);
}

/** Writes cents as "12.50". */
export function formatMoney(cents) {
  return \`\${Math.floor(cents / 100)}.\${String(cents % 100).padStart(2, '0')}\`;
}
`,
  'src/split.js': `/** Shares of a total in cents, one for each person. The shares add up to the total and differ by a cent at most. */
export function split(total, people) {
  if (!Number.isInteger(people) || people < 1) throw new RangeError('people must be a whole number from 1');
  const share = Math.round(total / people);
  return Array.from({ length: people }, () => share);
}
`,
  'src/main.js': `import { formatMoney, parseMoney } from './money.js';
import { split } from './split.js';

const [total, people] = process.argv.slice(2);
for (const share of split(parseMoney(total), Number(people))) console.log(formatMoney(share));
`,
  'test/money.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney, parseMoney } from '../src/money.js';

test('reads amounts with and without cents', () => {
  assert.equal(parseMoney('12.50'), 1250);
  assert.equal(parseMoney('7'), 700);
});

test('refuses what is not an amount', () => {
  assert.throws(() => parseMoney('12.5.0'), /not an amount/);
});

test('writes two digits of cents', () => {
  assert.equal(formatMoney(1205), '12.05');
});
`,
  'test/split.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { split } from '../src/split.js';

const sum = (shares) => shares.reduce((a, b) => a + b, 0);

test('splits evenly when it divides', () => {
  assert.deepEqual(split(1000, 4), [250, 250, 250, 250]);
});

test('loses no cent', () => {
  assert.equal(sum(split(1000, 3)), 1000);
});

test('invents no cent', () => {
  assert.equal(sum(split(2000, 3)), 2000);
});

test('shares differ by a cent at most', () => {
  const shares = split(1001, 7);
  assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
});

test('refuses to split among nobody', () => {
  assert.throws(() => split(1000, 0), RangeError);
});
`,
};
