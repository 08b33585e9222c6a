/** Why a server of models is no use, and what a person can do about it: one sentence each for what really happens. */
import type { AdapterError } from '../../providers/errors.ts';
import type { ServerPlace } from '../../providers/locality.ts';
import { OLLAMA, type Program } from './programs.ts';

export interface AskedServer {
  /** As it may be shown; what was written, where that is no address. */
  url: string;
  place: ServerPlace;
  /** How a person knows the program, and what sets its address: `Ollama`, `OLLAMA_HOST`. */
  title: string;
  setting: string;
  /** What it is told by; Ollama's, unless given. */
  program?: Program;
}

export interface Trouble {
  /** Half a sentence that names the address. */
  what: string;
  /** What to do; empty where the other half says it. */
  remedy: string;
}

const NOT_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|^EPROTO$/;
const WANTS_TLS = /HTTP request to an HTTPS server|plain HTTP request was sent to HTTPS/i;

export function serverTrouble(error: AdapterError, server: AskedServer): Trouble {
  const { url, place, title, setting, program = OLLAMA } = server;
  const isHere = place.locality === 'machine';
  const errno = String(error.details?.errno ?? '');
  const words = withoutStop(error.message);
  if (error.category === 'validation' && /not an address/.test(words))
    return {
      what: `${setting} “${url}” is not an address`,
      remedy:
        title === 'Ollama'
          ? 'write a host, host:port or a URL, such as 127.0.0.1:11434'
          : 'write its URL, such as http://127.0.0.1:8000/v1',
    };
  if (error.details?.loading === true)
    return { what: `${title} at ${url} is loading its model`, remedy: 'try again when it is ready' };
  if (WANTS_TLS.test(words))
    return { what: `${url} wants TLS`, remedy: `write https:// in place of http:// in ${setting}` };
  if (error.code === 'CONNECTION_REFUSED')
    return { what: `no ${title} at ${url}`, remedy: isHere ? program.start : startThere(title, setting) };
  if (errno === 'ENOTFOUND' || errno === 'EAI_AGAIN')
    return { what: `the host name ${hostName(place.host)} is not known here`, remedy: `check ${setting}` };
  if (error.code === 'TIMEOUT') {
    const remedy = isHere ? `start ${title} again` : `see whether that machine is well, and check ${setting}`;
    return { what: words, remedy };
  }
  if (NOT_TLS.test(errno) && url.startsWith('https:'))
    return { what: `${url} does not speak TLS`, remedy: `write http:// in place of https:// in ${setting}` };
  if (error.category === 'authentication' || error.category === 'authorization')
    return { what: `${url}: ${words}`, remedy: title === 'Ollama' ? 'OLLAMA_API_KEY holds its key' : 'set its key' };
  if (error.category === 'network') return { what: words, remedy: `check ${setting}` };
  // Its own words, such as those about a web page where a model server should be.
  return { what: words, remedy: /web page/.test(words) ? '' : `see whether ${setting} leads to ${title}` };
}

const startThere = (title: string, setting: string): string =>
  title === 'Ollama'
    ? `start it on that machine with OLLAMA_HOST=0.0.0.0, or check ${setting}`
    : `start its server there, or check ${setting}`;

const hostName = (host: string): string => host.replace(/:\d+$/, '');
const withoutStop = (text: string): string => text.replace(/(?<!\.)\.\s*$/, '');
