/**
 * The name by which Ollama gets the weights that a person names by their page or address on Hugging Face:
 * `hf.co/OWNER/REPOSITORY[:QUANTIZATION]`, with or without a scheme. What leads deeper into the repository is left out.
 * Undefined for any other name.
 */
export function huggingFaceName(name: string): string | undefined {
  const [, weights] = /^(?:https?:\/\/)?(?:www\.)?((?:hf|huggingface)\.co\/[^?#]+)/i.exec(name.trim()) ?? [];
  return weights?.split('/').slice(0, 3).filter(Boolean).join('/');
}
