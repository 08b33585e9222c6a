/** Folds lists that grow from call to call, such as the messages of a conversation. */

export interface Fold<Item extends object, State, Context> {
  start(context: Context): State;
  step(state: State, item: Item, index: number, items: readonly Item[]): void;
  /** False while a longer list could change what was folded so far; true unless given. */
  settled?(state: State): boolean;
}

interface Kept<Item, State> {
  key: string;
  items: Item[];
  state: State;
}

/**
 * What a list has in common with the one of the call before is not folded again, so that the hundredth request of a
 * conversation costs what the second did. Lists are known by their first item and compared by identity: items are never
 * changed in place. `key` says all that matters of the context; another key folds anew. The state that is given back is
 * the fold's own and grows with the next call.
 */
export function growing<Item extends object, State, Context = void>(
  fold: Fold<Item, State, Context>,
): (items: readonly Item[], context: Context, key?: string) => State {
  const kept = new WeakMap<Item, Kept<Item, State>>();
  return (items, context, key = '') => {
    const first = items[0];
    if (!first) return fold.start(context);
    let run = kept.get(first);
    // Whatever a step throws, half a step is not kept.
    kept.delete(first);
    if (!run || run.key !== key || !beginsWith(items, run.items)) run = { key, items: [], state: fold.start(context) };
    for (let i = run.items.length; i < items.length; i++) {
      fold.step(run.state, items[i]!, i, items);
      run.items.push(items[i]!);
    }
    if (fold.settled?.(run.state) ?? true) kept.set(first, run);
    return run.state;
  };
}

function beginsWith(items: readonly unknown[], beginning: readonly unknown[]): boolean {
  if (beginning.length > items.length) return false;
  // From the end: that is where lists of one beginning differ.
  for (let i = beginning.length - 1; i >= 0; i--) if (items[i] !== beginning[i]) return false;
  return true;
}
