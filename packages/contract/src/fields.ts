import * as z from 'zod/mini';

/** A row id: positive, and small enough to be exact in JavaScript. */
export const Id = z.int().check(z.positive());
/** An id in a path: decimal digits only. */
export const PathId = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'must be a positive whole number')),
  z.transform((text: string) => Number(text)),
);
/** RFC 3339 in UTC with milliseconds. */
export const Timestamp = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Text that every store keeps unchanged: no NUL (PostgreSQL has none) and no lone surrogate (UTF-8 has none). */
export const Text = z
  .string()
  .check(z.refine((text) => !text.includes('\0') && !lone.test(text), 'must not contain NUL or broken characters'));
/** A required, trimmed name of at most so many characters. One limit each: a second one would be told for the same name. */
export const makeName = (longest: number) => Text.check(z.trim(), z.minLength(1, 'is required'), z.maxLength(longest));
export const Name = makeName(255);
/** A flag that old clients may leave out or send as null. */
export const Flag = z.boolean();

function isJsonOfKind(text: string, matches: (value: unknown) => boolean): boolean {
  try {
    return matches(JSON.parse(text));
  } catch {
    return false; // not JSON at all: that is the answer, not a failure
  }
}

/** JSON text of an object. */
export const JsonObjectText = Text.check(
  z.refine(
    (text) => isJsonOfKind(text, (value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
    'must be a valid JSON object',
  ),
);
/** JSON text of a flat object of strings, for process environments. */
export const JsonStringMapText = Text.check(
  z.refine(
    (text) =>
      isJsonOfKind(
        text,
        (value) =>
          typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          Object.values(value).every((item) => typeof item === 'string'),
      ),
    'must be a JSON object whose values are strings',
  ),
);
/** JSON text of an array of strings: command line arguments. */
export const JsonArgumentsText = Text.check(
  z.refine(
    (text) => isJsonOfKind(text, (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')),
    'must be a JSON array of strings',
  ),
);

export const ProjectParams = z.object({ project_id: PathId });
/** `?sort=&order=`: an unknown column falls back to the default one, as old clients expect. */
export const SortQuery = z.object({
  sort: z.optional(z.string()),
  order: z.optional(z.string()),
});
/**
 * `?limit=&before=`: at most so many, and only those older than the id of the last one that is known. A limit that is none
 * means the most there can be. When there are more, the answer has a `Link` header with rel="next".
 */
export const PageQuery = z.object({
  limit: z.optional(z.string()),
  before: z.optional(PathId),
});
/** Switches something on or off. */
export const ActiveSwitch = z.object({ active: Flag });
