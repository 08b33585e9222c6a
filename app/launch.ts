/**
 * The first file that runs. It answers `--version` from itself and loads the rest only when there is more to do,
 * because every module that a short command loads is CPU time that a person or a script waits for.
 */
import module from 'node:module';

declare const ADA_VERSION: string;

const first = process.argv[2];
if (process.argv.length === 3 && (first === '--version' || first === '-v')) {
  process.stdout.write(`${ADA_VERSION}\n`);
} else {
  // Node 22 and newer keep compiled code between runs; a named import would not load on Node 20.
  (module as { enableCompileCache?: () => void }).enableCompileCache?.();
  const entry = './main.js';
  await import(entry);
}
