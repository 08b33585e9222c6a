import { expect, it } from 'vitest';
import { ValidationError } from '../../providers/errors.ts';
import { find, start, turn } from './scripted-session.ts';

it('says how an image that a vendor refuses is left out of later requests, and nothing of it else', async () => {
  const refused = new ValidationError({ message: 'vendor: 400 Could not process image' });
  const other = new ValidationError({ message: 'vendor: 400 max_tokens is too large' });
  const { session } = start([{ fail: refused }, { fail: other }], {});
  expect(find(await turn(session, 'look'), 'error')[0]).toMatchObject({
    code: 'validation',
    message:
      'vendor: 400 Could not process image. Where an image of this conversation is meant: /rewind to before it, or a new session, leaves it out.',
  });
  expect(find(await turn(session, 'again'), 'error')[0]!.message).toBe('vendor: 400 max_tokens is too large');
});
