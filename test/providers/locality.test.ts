import { expect, it } from 'vitest';
import { discoveryMs, localityOf, serverPlace } from '../../providers/locality.ts';

it.each([
  ['http://127.0.0.1:11434', 'machine'],
  ['127.1', 'machine'],
  ['localhost:1', 'machine'],
  ['http://a.localhost', 'machine'],
  ['http://[::1]:1', 'machine'],
  ['http://[::ffff:127.0.0.1]', 'machine'],
  ['10.1.2.3', 'network'],
  ['172.16.0.1:80', 'network'],
  ['192.168.1.1', 'network'],
  ['169.254.1.1', 'network'],
  ['100.64.0.1', 'network'],
  ['http://[fe80::1]', 'network'],
  ['http://[fd12::1]:1', 'network'],
  ['http://[::ffff:10.0.0.1]', 'network'],
  ['gpu-box:11434', 'network'],
  ['https://nas.local', 'network'],
  ['nas.lan', 'network'],
  ['x.home.arpa', 'network'],
  ['host.docker.internal:11434', 'network'],
  ['172.32.0.1', 'elsewhere'],
  ['100.128.0.1', 'elsewhere'],
  ['8.8.8.8', 'elsewhere'],
  ['http://[2001:db8::1]', 'elsewhere'],
  ['models.example.com', 'elsewhere'],
  ['nas.local.example.com', 'elsewhere'],
  ['127.0.0.1.example.com', 'elsewhere'],
  ['http://{HOST}:1/v1', 'elsewhere'],
  ['no address', 'elsewhere'],
])('%s is on the %s', (url, locality) => expect(localityOf(url)).toBe(locality));

it('names the host without credentials, and waits longer for what is further', () => {
  expect(serverPlace('http://me:secret@gpu-box:1/x')).toEqual({ host: 'gpu-box:1', locality: 'network' });
  expect(discoveryMs('http://127.0.0.1:1')).toBeLessThan(discoveryMs('http://gpu-box:1'));
});
