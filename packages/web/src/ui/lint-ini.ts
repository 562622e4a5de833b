/** A problem in a text, between two places. */
export type TextProblem = { from: number; to: number; kind: IniProblem };
export type IniProblem = 'open_section' | 'empty_section' | 'unknown_section' | 'not_assignment' | 'not_variable';

type SectionKind = 'hosts' | 'children' | 'vars';

/** What Ansible would refuse in an inventory of its INI form. */
export function lintInventory(text: string): TextProblem[] {
  const problems: TextProblem[] = [];
  let section: SectionKind = 'hosts';
  let from = 0;
  for (const line of text.split('\n')) {
    const words = dropComment(line);
    const begin = from + (line.length - line.trimStart().length);
    const to = from + line.trimEnd().length;
    if (words.startsWith('[')) {
      const header = readHeader(words);
      if (typeof header === 'string') problems.push({ from: begin, to, kind: header });
      section = typeof header === 'string' ? 'hosts' : header.kind;
    } else if (words !== '') {
      const kind = findLineProblem(words, section);
      if (kind !== undefined) problems.push({ from: begin, to, kind });
    }
    from += line.length + 1;
  }
  return problems;
}

/** Without blanks and comments at the ends. A # within a word belongs to it. */
function dropComment(line: string): string {
  const text = line.trim();
  if (/^[#;]/.test(text)) return '';
  return text.replace(/\s#.*$/, '').trimEnd();
}

function readHeader(words: string): IniProblem | { kind: SectionKind } {
  const [, name] = /^\[([^\]]*)\]$/.exec(words) ?? [];
  if (name === undefined) return 'open_section';
  const [group = '', suffix, ...rest] = name.split(':');
  if (group.trim() === '') return 'empty_section';
  if (suffix === undefined) return { kind: 'hosts' };
  if (rest.length > 0 || (suffix !== 'children' && suffix !== 'vars')) return 'unknown_section';
  return { kind: suffix };
}

function findLineProblem(words: string, section: SectionKind): IniProblem | undefined {
  if (section === 'vars') return /^[^=\s][^=]*=/.test(words) ? undefined : 'not_variable';
  const [, ...assignments] = splitWords(words);
  return assignments.every((word) => /^[^=\s]+=/.test(word)) ? undefined : 'not_assignment';
}

/** Words as a shell splits them: blanks within quotes do not. */
function splitWords(words: string): string[] {
  return words.match(/(?:[^\s"']|"(?:\\.|[^"\\])*"|'[^']*'|["'])+/g) ?? [];
}
