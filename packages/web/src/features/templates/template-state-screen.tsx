/** Workspaces and states of a template for Terraform or OpenTofu. */
export function TemplateStateScreen() {
  return null;
}
