/** An installed model, as far as it is known. */
export interface Installed {
  id: string;
  tools: boolean | null;
  embedding?: boolean;
  contextTokens: number | null;
  size: number | null;
  parameters?: string | null;
  quantization?: string | null;
}

/** Where models were looked for when none was named and none was found. */
export interface LookedFor {
  ollama: {
    url: string;
    answered: boolean;
    /** Why what answered was no use. */
    problem?: string;
    /** What it has, none of which can be chosen. */
    models?: readonly Installed[];
    /** Why not, as half a sentence behind its name: `has no model that can call tools`. */
    lacks?: string;
  };
  /** Of other servers on this machine that are no use, one line each. */
  others?: readonly string[];
  /** What could be got for this machine. */
  suggestion?: { id: string; size: number; reason: string };
  /** `ADA_BACKEND_URL`, null when it is not set. */
  backend: string | null;
  /** Hosted models were left out: --offline. */
  offline: boolean;
}

/**
 * Nothing could be started: 2 for usage or settings, 3 when no model can be reached. The message is one line that
 * tells a person what to do; a door prints it on standard error and exits with the code.
 */
export class StartError extends Error {
  readonly exitCode: 2 | 3;
  readonly lookedFor: LookedFor | undefined;
  /** What else a person should know, one line each: it may be the reason. */
  notices: readonly string[] = [];
  /** The model is one of a server that does not answer now; it may do so later. */
  isSilent = false;

  constructor(message: string, exitCode: 2 | 3 = 2, lookedFor?: LookedFor) {
    super(message);
    this.name = 'StartError';
    this.exitCode = exitCode;
    this.lookedFor = lookedFor;
  }
}
