/** `openssl` where it only shows a certificate, a request or a list, a checksum or random bytes (manual of OpenSSL 3). */
import { splitArguments } from './options.ts';
import { scanWords } from './scan-words.ts';
import { combine, type Judge, outcome, touch } from './scene.ts';

const VALUES = new Set(
  '-in -inform -nameopt -certopt -checkend -checkhost -checkip -checkemail -ext -CAfile'.split(' '),
);
const SHOWS =
  /^-(in|inform|nameopt|certopt|checkend|checkhost|checkip|checkemail|ext|CAfile|noout|text|subject|issuer|dates|startdate|enddate|fingerprint|serial|purpose|modulus|pubkey|email|hash|subject_hash|issuer_hash|ocsp_uri|alias|verify|crlnumber|lastupdate|nextupdate|sha1|sha256|sha384|sha512|md5)$/;

export const judgeOpenssl: Judge = (words, scene) => {
  const [name = '', ...rest] = words;
  const { options, operands } = splitArguments(rest, { values: VALUES, singleDash: true });
  const isPlain = options.every((option) => SHOWS.test(option.name));
  const files = options.flatMap(({ name: option, value = '' }) => (/^-(in|CAfile)$/.test(option) ? value : []));
  if (name === 'version' || (name === 'list' && operands.length === 0)) return outcome('read');
  if (/^(x509|req|crl)$/.test(name) && isPlain && operands.length === 0 && files.length > 0)
    return combine(outcome('read'), touch(scene, files, 'read'));
  if (/^(verify|dgst|sha1|sha256|sha512|md5)$/.test(name) && isPlain)
    return combine(outcome('read'), touch(scene, [...operands, ...files], 'read'));
  if (name === 'rand' && rest.every((word) => /^(-hex|-base64|\d+)$/.test(word))) return outcome('read');
  return combine({ ...outcome('network', 'reaches the network'), readOnly: false }, scanWords(words, scene));
};
