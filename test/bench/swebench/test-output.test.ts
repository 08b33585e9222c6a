import { describe, expect, it } from 'vitest';
import { parseTestOutput } from '../../../bench/swebench/test-output.ts';

const check = (output: string, expected: Record<string, string>) =>
  expect(Object.fromEntries(parseTestOutput(output))).toEqual(expected);

describe('parseTestOutput', () => {
  it('reads the summary of pytest', () => {
    check(
      `..F                                                              [100%]
=================================== FAILURES ===================================
FAILED is a word in a message
=========================== short test summary info ============================
PASSED tests/test_a.py::test_one
PASSED tests/test_a.py::test_two[x - y]
SKIPPED [1] tests/test_a.py:9: not here
XFAIL tests/test_a.py::test_known - reason
FAILED tests/test_a.py::TestB::test_three - AssertionError: assert 1 == 2
ERROR tests/test_b.py - ImportError: no module
1 failed, 2 passed in 0.02s`,
      {
        'tests/test_a.py::test_one': 'passed',
        'tests/test_a.py::test_two[x - y]': 'passed',
        'tests/test_a.py::test_known': 'passed',
        'tests/test_a.py::TestB::test_three': 'failed',
        'tests/test_b.py': 'failed',
      },
    );
  });

  it('reads the tree of mocha', () => {
    check(
      `

  Headers
    ✔ should be caseless
    set
      ✔ should add (12ms)
      1) should fail
      - should wait

  other
    ✔ works \u001b[31m(1.2s)\u001b[0m


  3 passing (15ms)
  1 pending
  1 failing

  1) Headers
       set
         should fail:

      AssertionError: expected
      + expected - actual
`,
      {
        'Headers should be caseless': 'passed',
        'Headers set should add': 'passed',
        'Headers set should fail': 'failed',
        'other works': 'passed',
      },
    );
  });

  it('reads the tree of jest', () => {
    check(
      `FAIL __tests__/Range.ts
  Range
    ✓ fixed range (2 ms)
    ✕ open range (1 ms)
    ○ skipped later
    deep
      ✓ inside

  ● Range › open range

    expect(received).toBe(expected)

      ✓ not a test
PASS __tests__/Other.ts
  ✓ stands alone (1 ms)

Tests:       1 failed, 3 passed, 4 total
`,
      {
        'Range fixed range': 'passed',
        'Range open range': 'failed',
        'Range deep inside': 'passed',
        'stands alone': 'passed',
      },
    );
  });

  it('gives nothing for other text', () => {
    check('', {});
    check('bash: npx: command not found\n  at x\n', {});
  });
});
