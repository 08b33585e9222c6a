/** Events of a session as lines that a person can follow without a screen. */
import type { Display, Event, EventOf } from '../../core/types.ts';
import { visibleControls } from '../../core/visible-controls.ts';
import { oneLine, plainText } from '../plain-text.ts';
import { countTests } from './run-tests.ts';

const NAME = 11;

/** The lines of one event; none for what a reader of the steps does not miss. */
export function stepLines(event: Event, colour: boolean): string[] {
  switch (event.type) {
    case 'assistant': {
      let text = '';
      for (const part of event.content) if (part.type === 'text') text += part.text;
      return text ? [line('model', oneLine(text, 2000))] : [];
    }
    case 'tool_call':
      return [line(event.name, oneLine(visibleControls(event.detail)))];
    case 'tool_result':
      return resultLines(event, colour);
    case 'approval':
      return event.decision === 'no' ? [line('', `denied: ${oneLine(event.reason ?? '')}`)] : [];
    case 'error':
      return [line('error', oneLine(event.message, 500))];
    case 'notice':
      return event.level === 'info' ? [] : [line('notice', oneLine(event.text, 500))];
    default:
      return [];
  }
}

const line = (name: string, text: string) => `${name.padEnd(NAME)}${text}`.trimEnd();

function resultLines({ name, output, isError, display }: EventOf<'tool_result'>, colour: boolean): string[] {
  if (display?.kind === 'diff') return diffLines(display, colour);
  if (display?.kind === 'terminal') {
    const { passed, failed } = countTests(plainText(display.output));
    const counts = passed + failed > 0 ? `: ${passed} passed, ${failed} failed` : '';
    return [line('', `exit ${display.exitCode ?? 'by a signal'}${counts}`)];
  }
  return isError ? [line('', `${name} failed: ${oneLine(output)}`)] : [];
}

function diffLines({ path, patch, added, removed }: Extract<Display, { kind: 'diff' }>, colour: boolean): string[] {
  const lines = plainText(patch).trimEnd().split('\n');
  const paint = (text: string) => {
    if (!colour || !/^[-+]/.test(text)) return text;
    return `\x1b[${text.startsWith('+') ? 32 : 31}m${text}\x1b[0m`;
  };
  return [line('', `${path}: ${added} added, ${removed} removed`), ...lines.map((text) => line('', paint(text)))];
}
