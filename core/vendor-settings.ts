/** The setting `vendors`: servers that a person describes, each usable as `name/model`. */
import * as z from 'zod/mini';
import type { CustomVendor } from '../providers/custom-vendor.ts';

const matches = (form: RegExp, message: string) => z.string().check(z.refine((value) => form.test(value), message));

/** `{NAME}` stands for the value of a variable. */
const isAddress = (value: string): boolean =>
  /^https?:\/\//i.test(value) && URL.canParse(value.replace(/\{\w+\}/g, 'x'));

/** Name to description; the name is the first segment of model ids. Made when it is first needed: few have any. */
export function vendorSchema(): z.ZodMiniType {
  const text = z.string().check(z.minLength(1));
  const quirks = z.strictObject({
    maxTokensField: z.optional(z.enum(['max_tokens', 'max_completion_tokens'])),
    effort: z.optional(z.enum(['reasoning_effort', 'reasoning', 'enable_thinking', 'none'])),
    streamUsage: z.optional(z.boolean()),
    callIds: z.optional(z.enum(['any', 'short', 'word', 'nine'])),
    reasoningBack: z.optional(z.enum(['reasoning_content', 'reasoning'])),
    systemRole: z.optional(z.enum(['system', 'developer'])),
    parallelToolCalls: z.optional(z.boolean()),
    noJsonSchema: z.optional(z.boolean()),
    cacheControl: z.optional(z.boolean()),
    noSampling: z.optional(z.boolean()),
    assistantAfterResults: z.optional(z.boolean()),
    /** Fields added to every body. */
    extraBody: z.optional(z.record(z.string(), z.unknown())),
  } satisfies Record<keyof Required<NonNullable<CustomVendor['quirks']>>, unknown>);
  const vendor = z.strictObject({
    baseUrl: text.check(z.refine(isAddress, 'must be an http or https URL')),
    wire: z.optional(z.enum(['openai-chat', 'anthropic', 'ollama'])),
    title: z.optional(text),
    keyVariable: z.optional(matches(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable')),
    keyOptional: z.optional(z.boolean()),
    headers: z.optional(
      z.record(
        matches(/^[!#$%&'*+.^`|~\w-]+$/, 'is no name of a header'),
        matches(/^[\t\x20-\x7e\x80-\xff]*$/, 'is no value of a header'),
      ),
    ),
    defaultModel: z.optional(text),
    local: z.optional(z.boolean()),
    quirks: z.optional(quirks),
  } satisfies Record<keyof Required<CustomVendor>, unknown>);
  return z.record(matches(/^[a-z][a-z0-9_-]*$/, 'must be lower-case letters, digits, - and _'), vendor);
}

/** As read from a file. */
export type VendorSettings = Readonly<Record<string, CustomVendor>>;
