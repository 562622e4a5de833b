/** Variables of one source: plain ones of any kind, and secret ones. */
export type VariableLayer = {
  readonly plain: Record<string, unknown>;
  readonly secret: Record<string, string>;
};

/**
 * Joins variables, each layer over the ones before it. A name is either plain or secret: what a higher layer says replaces
 * a lower one of either kind, and within a layer the secret wins.
 *
 * Order for a task: variable group, then what the trigger (schedule, webhook) or the person who launched has given.
 */
export function joinVariables(layers: readonly VariableLayer[]): VariableLayer {
  const plain = new Map<string, unknown>();
  const secret = new Map<string, string>();
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer.plain)) {
      plain.set(name, value);
      secret.delete(name);
    }
    for (const [name, value] of Object.entries(layer.secret)) {
      secret.set(name, value);
      plain.delete(name);
    }
  }
  return { plain: Object.fromEntries(plain), secret: Object.fromEntries(secret) };
}
