/** Words by which servers refuse a request because of its tools: their model, or they as they were started, take none. */
const WORDINGS: readonly RegExp[] = [
  /(?:does(?: not|n't)|do not) support (?:tools?|tool[ -]?(?:use|calls?|calling)|function[ -]?calling|functions)\b/i, // Ollama, DeepSeek, OpenAI
  /tool[ -]?(?:use|calls?|calling)[`'"]? (?:is|are) not (?:supported|enabled|available)/i, // Groq and others
  /\btools (?:is|are) not supported\b/i,
  /no endpoints found that support tool use/i, // OpenRouter
  /tool choice requires --enable-auto-tool-choice/i, // vLLM
  /tools? param(?:eter)? requires? --jinja/i, // llama.cpp
];

/** True when the words say that tools are refused, all of them and not one. */
export const refusesTools = (words: string): boolean => WORDINGS.some((wording) => wording.test(words));
