#!/usr/bin/env node
/**
 * The first file that runs. It answers `--version` from itself and loads the rest only when there is more to do, because
 * every module that a short command loads is CPU time that a person or a script waits for. CommonJS: Node starts its
 * loader for ES modules only when one is imported. In a clone that was not built yet it builds first.
 */
'use strict';
const { version } = require('../package.json');

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) process.stdout.write(`${version}\n`);
else start();

function start() {
  // Node 22 and newer keep compiled code between runs.
  require('node:module').enableCompileCache?.();
  const { existsSync } = require('node:fs');
  const { join } = require('node:path');
  const root = join(__dirname, '..');
  if (!existsSync(join(root, 'dist', '.built'))) {
    const { spawnSync } = require('node:child_process');
    const built = spawnSync(process.execPath, [join(root, 'build.mjs'), 'prepare'], { stdio: ['ignore', 2, 2] });
    if (built.status !== 0) process.exit(built.status ?? 1);
  }
  import('../dist/main.js');
}
