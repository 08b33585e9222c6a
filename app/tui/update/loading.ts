/** The words for a model that answers nothing yet. */
import type { State } from '../types.ts';

export const WAITING = 'waiting for the model';

const PREFIX = 'loading ';
const loadingText = (model: string): string => `${PREFIX}${model.replace(/^ollama\//, '')}`;
const isLoadingText = (activity: string): boolean => activity.startsWith(PREFIX);

/** A turn that waits for its model waits for it to be loaded, or no more for that. */
export function showLoading(state: State, loading: boolean): State {
  if (!state.running) return state;
  const from = loading ? state.activity === WAITING : isLoadingText(state.activity);
  return from ? { ...state, activity: loading ? loadingText(state.model) : WAITING } : state;
}

/** Whether a request is sent again because the server is still loading its model (llama.cpp, LM Studio: a 503). */
export const isLoadingRetry = (reason: string): boolean => /\bloading\b/i.test(reason);

/** The same words for a server that refuses until its model is there; it is noted once, however often it is asked. */
export function retriedLoading(state: State): { state: State; isNew: boolean } {
  const activity = loadingText(state.model);
  return { state: { ...state, activity }, isNew: state.activity !== activity };
}
