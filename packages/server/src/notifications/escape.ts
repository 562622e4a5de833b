/** For Telegram's HTML, and for what Slack takes for a link or a mention. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Slack knows three characters, and shows any other entity as it is written. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Every character that begins something in Markdown, where it does; lines stay lines. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>~|]/g, '\\$&')
    .replaceAll(/^(\s*)([#+-])/gm, '$1\\$2')
    .replaceAll(/^(\s*\d+)([.)])/gm, '$1\\$2')
    .replaceAll(/\r\n?|\n/g, '\n\n');
}
