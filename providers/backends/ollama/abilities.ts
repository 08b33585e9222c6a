/** What a model can do, by what /api/show tells of it: in words, or on older servers by its template and its parts. */
import { type Fields, fieldsOf, includesOf, textOf } from '../../wire/answer-fields.ts';

export interface Abilities {
  tools: boolean | null;
  vision: boolean | null;
  reasoning: boolean | null;
  /** It gives vectors, and no text unless `completion` is told too. */
  embedding: boolean;
  completion: boolean;
}

/** Architectures that only turn text into vectors. */
const EMBEDDING = /^(?:nomic-)?bert|xlm-roberta|jina-bert|^gte|^t5encoder/i;
/** Families of what is beside the text model: the part that sees. */
const SEEING = /^(?:clip|mllama|mm?proj)$/i;

/** `answer`: of /api/show. Null where nothing tells. */
export function abilitiesOf(answer: Fields): Abilities {
  const { capabilities } = answer;
  if (Array.isArray(capabilities)) {
    const can = (word: string): boolean => includesOf(capabilities, word) === true;
    return {
      tools: can('tools'),
      vision: can('vision'),
      reasoning: can('thinking'),
      embedding: can('embedding'),
      completion: can('completion'),
    };
  }
  const details = fieldsOf(answer.details);
  const info = fieldsOf(answer.model_info);
  const template = textOf(answer.template);
  const families = [details.family, ...(Array.isArray(details.families) ? details.families : [])].filter(
    (one): one is string => typeof one === 'string',
  );
  const embedding =
    [...families, String(info['general.architecture'] ?? '')].some((name) => EMBEDDING.test(name)) ||
    Object.keys(info).some((key) => key.endsWith('.pooling_type'));
  const sees =
    Object.keys(fieldsOf(answer.projector_info)).length > 0 ||
    families.some((name) => SEEING.test(name)) ||
    Object.keys(info).some((key) => key.includes('.vision.'));
  const isTold = template !== null || families.length > 0;
  return {
    // Templates that know tools range over them (docs/template.md).
    tools: embedding ? false : template === null ? null : /\.Tools\b/.test(template),
    vision: sees || (isTold ? false : null),
    // Servers that do not list abilities cannot be asked for thinking either.
    reasoning: isTold ? false : null,
    embedding,
    completion: !embedding,
  };
}
