import * as z from 'zod/mini';
import * as core from 'zod/v4/core';

const quick = new WeakMap<core.$ZodType, core.$ZodType>();

/** Parses with the quick form of a schema, which is made once. @throws ZodError */
export function parseQuickly(schema: core.$ZodType, value: unknown): unknown {
  let made = quick.get(schema);
  if (made === undefined) {
    made = quicken(schema);
    quick.set(schema, made);
  }
  return z.parse(made, value);
}

/**
 * The same schema with its objects compiled on first use. The contract is written with zod/mini, which walks through an
 * object key by key because browsers may forbid compiling; answers of a thousand rows are worth it. What is no plain
 * container stays as it is.
 */
export function quicken(type: core.$ZodType): core.$ZodType {
  if (type instanceof core.$ZodObject) {
    const { def } = type._zod;
    const shape = Object.fromEntries(Object.entries(def.shape).map(([name, part]) => [name, quicken(part)]));
    return new core.$ZodObjectJIT({ ...def, shape });
  }
  if (type instanceof core.$ZodArray) {
    const { def } = type._zod;
    return new core.$ZodArray({ ...def, element: quicken(def.element) });
  }
  if (type instanceof core.$ZodNullable) {
    const { def } = type._zod;
    return new core.$ZodNullable({ ...def, innerType: quicken(def.innerType) });
  }
  if (type instanceof core.$ZodOptional) {
    const { def } = type._zod;
    return new core.$ZodOptional({ ...def, innerType: quicken(def.innerType) });
  }
  return type;
}
