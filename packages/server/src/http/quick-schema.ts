import * as z from 'zod/mini';
import * as core from 'zod/v4/core';

/** Says that the schema itself has to be asked. */
const unfit: unique symbol = Symbol('unfit');
/** The value as the schema would give it, or `unfit`. A value that fits as it is comes back as the same object. */
type Parser = (value: unknown) => unknown;

const parsers = new WeakMap<core.$ZodType, Parser>();

/**
 * What the schema makes of a value, as `z.parse` does, but without an object made for each field on the way: answers have a
 * thousand rows of thirty of them, and most of the time went into the memory. What it does not know, and every value with a
 * fault, is left to the schema.
 * @throws ZodError
 */
export function parseQuickly(schema: core.$ZodType, value: unknown): unknown {
  let parse = parsers.get(schema);
  if (parse === undefined) {
    parse = makeParser(schema);
    parsers.set(schema, parse);
  }
  const parsed = parse(value);
  return parsed === unfit ? z.parse(schema, value) : parsed;
}

function makeParser(type: core.$ZodType): Parser {
  const parse = parserOf(type);
  if (parse === undefined) return askSchema(type);
  const checks = type._zod.def.checks ?? [];
  return checks.length === 0 ? parse : (value) => applyChecks(checks, parse(value));
}

function askSchema(type: core.$ZodType): Parser {
  return (value) => {
    const { success, data } = core.safeParse(type, value);
    return success ? data : unfit;
  };
}

/** Without the checks. Undefined where only the schema knows. */
function parserOf(type: core.$ZodType): Parser | undefined {
  if (type instanceof core.$ZodObject) return type._zod.def.catchall === undefined ? objectParser(type) : undefined;
  if (type instanceof core.$ZodArray) return arrayParser(makeParser(type._zod.def.element));
  if (type instanceof core.$ZodNullable) return parserOrElse(null, type._zod.def.innerType);
  if (type instanceof core.$ZodOptional) return optionalParser(type._zod.def.innerType);
  return parserOfPlain(type);
}

function parserOfPlain(type: core.$ZodType): Parser | undefined {
  if (type instanceof core.$ZodEnum || type instanceof core.$ZodLiteral) return choiceParser(type._zod.values);
  if (type instanceof core.$ZodStringFormat || ('coerce' in type._zod.def && type._zod.def.coerce === true))
    return undefined;
  if (type instanceof core.$ZodString) return plainParser((value) => typeof value === 'string');
  if (type instanceof core.$ZodBoolean) return plainParser((value) => typeof value === 'boolean');
  if (type instanceof core.$ZodNumberFormat) {
    return type._zod.def.format === 'safeint' ? plainParser(Number.isSafeInteger) : undefined;
  }
  return type instanceof core.$ZodUnknown ? (value) => value : undefined;
}

const plainParser =
  (isSuch: (value: unknown) => boolean): Parser =>
  (value) =>
    isSuch(value) ? value : unfit;

const choiceParser =
  (values: ReadonlySet<unknown>): Parser =>
  (value) =>
    values.has(value) ? value : unfit;

/** A default may stand in for what is not there: the schema knows which. */
const optionalParser = (innerType: core.$ZodType): Parser | undefined =>
  innerType._zod.optin !== undefined ? undefined : parserOrElse(undefined, innerType);

function parserOrElse(nothing: null | undefined, innerType: core.$ZodType): Parser {
  const parse = makeParser(innerType);
  return (value) => (value === nothing ? nothing : parse(value));
}

function arrayParser(parse: Parser): Parser {
  return (value) => {
    if (!Array.isArray(value)) return unfit;
    let copy: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const parsed = parse(item);
      if (parsed === unfit) return unfit;
      if (parsed !== item) copy ??= [...value];
      if (copy !== undefined) copy[index] = parsed;
    }
    return copy ?? value;
  };
}

type Part = { readonly name: string; readonly parse: Parser };
type Row = Readonly<Record<string, unknown>>;

function objectParser(type: core.$ZodObject): Parser {
  const parts = Object.entries(type._zod.def.shape).map(([name, part]) => ({ name, parse: makeParser(part) }));
  const known = new Set(parts.map(({ name }) => name));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return unfit;
    const row = value as Row;
    const isSame = compareParts(row, parts);
    if (isSame === unfit) return unfit;
    return isSame && hasOnly(row, known) ? row : copyKnown(row, parts);
  };
}

/** Whether all parts stay as they are. */
function compareParts(row: Row, parts: readonly Part[]): boolean | typeof unfit {
  let isSame = true;
  for (const { name, parse } of parts) {
    const parsed = parse(row[name]);
    if (parsed === unfit) return unfit;
    isSame &&= parsed === row[name];
  }
  return isSame;
}

function hasOnly(row: Row, known: ReadonlySet<string>): boolean {
  // Its keys as an array would be one more object for each of a thousand rows.
  for (const name in row) if (!known.has(name)) return false;
  return true;
}

function copyKnown(row: Row, parts: readonly Part[]): unknown {
  const copy: Record<string, unknown> = {};
  for (const { name, parse } of parts) {
    const parsed = parse(row[name]);
    if (name in row || parsed !== undefined) copy[name] = parsed;
  }
  return copy;
}

/** One for all: checks neither wait nor call each other. */
const payload: core.ParsePayload = { value: undefined, issues: [] };

function applyChecks(checks: readonly core.$ZodCheck<never>[], value: unknown): unknown {
  if (value === unfit) return unfit;
  payload.value = value;
  for (const check of checks) {
    check._zod.check(payload as core.ParsePayload<never>);
    if (payload.issues.length > 0) {
      payload.issues = [];
      return unfit;
    }
  }
  return payload.value;
}
