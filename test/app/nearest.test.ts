import { expect, test } from 'vitest';
import { editDistance, nearest } from '../../core/nearest.ts';

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', '', 3],
  ['modle', 'model', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
])('%s to %s is %i', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test('the nearest of several, the first of equals, none beyond the limit', () => {
  expect(nearest('sesion', ['models', 'sessions', 'skills'])).toBe('sessions');
  expect(nearest('x', ['a', 'b'])).toBe('a');
  expect(nearest('hello', ['models'], 1)).toBeUndefined();
  expect(nearest('MODELS', ['models'], 0)).toBe('models');
  expect(nearest('x', [])).toBeUndefined();
});
