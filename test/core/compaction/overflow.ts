import { AdapterError } from '../../../providers/errors.ts';

/** What a server says of a prompt that is too long for it. */
export class OverflowError extends AdapterError {
  constructor() {
    super({ message: 'prompt is too long', code: 'CONTEXT_OVERFLOW', category: 'overflow' });
  }
}
