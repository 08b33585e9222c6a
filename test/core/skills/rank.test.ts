import { describe, expect, it } from 'vitest';
import { rank, words } from '../../../core/skills/rank.ts';

const skills = [
  { name: 'commit', category: 'git', description: 'Turn changes into clean commits. Not for rebasing or conflicts.' },
  { name: 'merge-conflicts', category: 'git', description: 'Resolve conflicts after a merge or rebase.' },
  { name: 'unit-tests', category: 'testing', description: 'Write tests for existing code. Use with pytest, jest.' },
  { name: 'debug', category: 'debugging', description: 'Find the cause of a bug. Use for wrong output.' },
];
const names = (query: string) => rank(query, skills).map(({ item }) => item.name);

describe('rank', () => {
  it.each([
    ['please commit my work', 'commit'],
    ['resolving a conflict', 'merge-conflicts'],
    ['add a PyTest test', 'unit-tests'],
    ['debugging the wrong outputs', 'debug'],
  ])('%s', (query, first) => {
    expect(names(query)[0]).toBe(first);
  });

  it('is not attracted by what a skill is not for', () => {
    expect(names('rebasing')).toEqual(['merge-conflicts']);
  });

  it('gives nothing for nothing', () => {
    expect(names('')).toEqual([]);
    expect(names('how do I')).toEqual([]);
    expect(names('kubernetes')).toEqual([]);
    expect(rank('commit', [])).toEqual([]);
  });

  it('keeps to the limit, with scores that fall', () => {
    const all = rank('git tests bug', skills, 3);
    expect(all).toHaveLength(3);
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a));
    expect(all.at(-1)!.score).toBeGreaterThan(0);
  });
});

describe('words', () => {
  it('brings forms of a word together', () => {
    for (const [a, b] of [
      ['commits', 'commit'],
      ['debugging', 'debug'],
      ['tests', 'testing'],
      ['dependencies', 'dependency'],
      ['writing', 'write'],
    ] as const) {
      expect(words(a)).toEqual(words(b));
    }
  });
  it('keeps names of languages and words of other scripts', () => {
    expect(words('C++ and C# für Übersicht')).toEqual(['c++', 'c#', 'für', 'übersicht']);
  });
});
