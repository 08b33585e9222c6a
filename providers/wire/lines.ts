/** Cuts a byte stream into lines: a batch for every socket read, whatever way bytes and characters are split. */
import { StringDecoder } from 'node:string_decoder';

export interface LineSplitter {
  /** The lines that these bytes complete, without their ends. LF, CRLF and CR all end a line. */
  push(bytes: Uint8Array): string[];
  /** What follows the last line end; empty when nothing does. */
  rest(): string;
}

export function createLineSplitter(): LineSplitter {
  const decoder = new StringDecoder('utf8');
  /** The decoder may hold the first bytes of a character. */
  let holds = false;
  let pending: string[] = [];
  let afterCarriageReturn = false;
  let first = true;

  const split = (decoded: string): string[] => {
    let text = decoded;
    if (text === '') return [];
    if (first) {
      first = false;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    if (afterCarriageReturn) {
      // The two halves of one CRLF came in two reads.
      afterCarriageReturn = false;
      if (text.charCodeAt(0) === 10) text = text.slice(1);
      if (text === '') return [];
    }
    if (text.includes('\r')) {
      afterCarriageReturn = text.endsWith('\r');
      text = text.replace(/\r\n?/g, '\n');
    }
    const last = text.lastIndexOf('\n');
    if (last < 0) {
      pending.push(text);
      return [];
    }
    const lines = text.slice(0, last).split('\n');
    if (pending.length) {
      pending.push(lines[0]!);
      lines[0] = pending.join('');
      pending = [];
    }
    if (last + 1 < text.length) pending.push(text.slice(last + 1));
    return lines;
  };

  const decode = (bytes: Uint8Array): string => {
    const ended = bytes.length > 0 && bytes[bytes.length - 1]! < 0x80;
    // Most reads end with a line: then no character is cut, and a plain conversion costs a third.
    if (!holds && ended && Buffer.isBuffer(bytes)) return bytes.toString('utf8');
    holds = !ended;
    return decoder.write(bytes as Buffer);
  };

  return {
    push: (bytes) => split(decode(bytes)),
    rest() {
      const tail = decoder.end();
      if (tail) pending.push(tail);
      const text = pending.join('');
      pending = [];
      return text;
    },
  };
}
