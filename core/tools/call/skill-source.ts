/** What the skill tools need of the place that skills come from. */
type Maybe<T> = T | Promise<T>;

export interface SkillLine {
  name: string;
  category: string;
  /** One line: what it does and when to use it. */
  description: string;
}

export interface SkillBody extends SkillLine {
  body: string;
  /** Folder that relative paths in the body start from. */
  folder: string;
}

export interface SkillSource {
  list(category?: string): Maybe<readonly SkillLine[]>;
  /** Best first. */
  find(query: string): Maybe<readonly SkillLine[]>;
  load(name: string): Maybe<SkillBody | undefined>;
}
