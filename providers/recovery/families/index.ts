/** Every family whose markup can be recognised wherever it stands. */
import type { Family } from '../family.ts';
import { apertus } from './apertus.ts';
import { commandR } from './command-r.ts';
import { deepseek } from './deepseek.ts';
import { dsml } from './dsml.ts';
import { functionCalls } from './function-calls.ts';
import { gemma } from './gemma.ts';
import { gigachat } from './gigachat.ts';
import { granite } from './granite.ts';
import { harmony } from './harmony.ts';
import { hermes } from './hermes.ts';
import { internlm } from './internlm.ts';
import { kimi } from './kimi.ts';
import { lfm2 } from './lfm2.ts';
import { llama } from './llama.ts';
import { minimax } from './minimax.ts';
import { mistral } from './mistral.ts';
import { nemotron } from './nemotron.ts';
import { phi } from './phi.ts';
import { qwenCoder } from './qwen-coder.ts';
import { taggedJson } from './tagged-json.ts';

export const families: readonly Family[] = [
  hermes,
  qwenCoder,
  mistral,
  llama,
  deepseek,
  dsml,
  kimi,
  minimax,
  granite,
  commandR,
  harmony,
  gemma,
  phi,
  lfm2,
  functionCalls,
  nemotron,
  taggedJson,
  apertus,
  gigachat,
  internlm,
];
