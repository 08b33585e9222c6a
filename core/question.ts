/** A question to the person who watches a session. */
export interface Question {
  text: string;
  /** Answers to choose from; others are possible. */
  options?: readonly string[];
  /** The hosted model (`vendor/model`) that a yes lets the conversation go to. */
  leave?: string;
}

/** Puts a question and waits; undefined when nobody watches or the turn was interrupted. */
export type AskPerson = (question: Question) => Promise<string | undefined>;

/** True for an answer that agrees. */
export const isYes = (answer: string): boolean => /^\s*y(es)?\s*[.!]?\s*$/i.test(answer);
