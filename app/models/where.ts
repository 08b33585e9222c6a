import type { ServerPlace } from '../../providers/locality.ts';

const NAMES = { machine: 'on this machine', network: 'in your network', elsewhere: 'not on this machine or network' };

/** Where a server is, behind its address. */
export const placeName = ({ locality }: ServerPlace): string => NAMES[locality];

/** Where a server is, as a person is told in the middle of a sentence. */
export function whereText(server: ServerPlace): string {
  const { host, locality } = server;
  if (locality === 'machine') return placeName(server);
  return locality === 'network' ? `${placeName(server)}, at ${host}` : `at ${host}, ${placeName(server)}`;
}
