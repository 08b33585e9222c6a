/** Tells from a provider's words whether a request was too long for the model, or only came too soon. */

/** Wordings of "the conversation does not fit", by who says so. */
const OVERFLOW: readonly RegExp[] = [
  /context[_ ]length[_ ]exceeded/i, // OpenAI and compatible, as a code
  /maximum context length/i, // OpenAI, OpenRouter, Mistral, DeepSeek
  /exceeds? (?:the |this |your )?(?:model'?s? )?(?:available |maximum |max )?context (?:size|window|length|limit)/i, // OpenAI Responses, llama.cpp, Ollama
  /exceed[_ ]context[_ ](?:size|limit)/i, // llama.cpp (error type), Anthropic
  /prompt is too long/i, // Anthropic
  /input (?:length|is too long)\b.*(?:context|model|max)/i, // Anthropic, Bedrock, Ollama
  /context window (?:exceeds|is too small|limit)/i, // MiniMax and others
  /input token count.*exceeds the maximum/i, // Gemini
  /exceeds the maximum number of tokens allowed/i, // Gemini
  /maximum prompt length/i, // xAI
  /reduce the length of (?:the |your )?(?:messages|prompt|input)/i, // Groq, OpenAI
  /prompt (?:token count|contains|has) .*exceed/i, // Copilot, Mistral
  /exceeded max(?:imum)? context length/i, // Ollama
  /(?:greater|longer|larger) than the (?:maximum )?(?:context|model) length/i, // LM Studio, vLLM
  /context (?:the )?overflow/i, // LM Studio
  /context size has been exceeded/i, // LM Studio
  /prompt exceeds max(?:imum)? length/i, // Z.ai
  /exceeded model token limit/i, // Moonshot
  /inputs?.* tokens.*must be <=/i, // text-generation-inference
  /too many (?:input )?tokens/i, // Bedrock, Cohere
  /too large for (?:the )?model with \d+ maximum context/i, // Mistral
  /token limit exceeded/i,
  /no user query found/i, // templates of Qwen, when Ollama cut the only prompt off
  /request_too_large/i, // Anthropic, 413
];

/** Words that turn each of the above into a matter of pace. */
const PACE =
  /please wait|try again in|rate.?limit|per (?:minute|min|second|hour|day)\b|\b[TR]P[MD]\b|throttl|too many requests|quota|concurren/i;

export function wordingOf(message: string): 'overflow' | 'rate_limit' | undefined {
  if (!OVERFLOW.some((pattern) => pattern.test(message))) return undefined;
  return PACE.test(message) ? 'rate_limit' : 'overflow';
}
