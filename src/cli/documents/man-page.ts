/** `rmsh.1`, from the definitions that `--help`, `rmsh help` and the command line itself read. Run when `dist/` is built. */
import { builtins } from '../../../builtins/index.js';
import { VERSION } from '../../version.js';
import { LONG_OPTIONS } from '../options.js';
import { TOPICS } from '../topics.js';

/** For man(7). */
export function manPage(): string {
  const options = Object.entries<{ readonly value?: string; readonly help: string }>(LONG_OPTIONS);
  const commands = [...builtins].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    `.TH RMSH 1 "" "rmsh ${VERSION}" "User Commands"`,
    '.SH NAME',
    'rmsh \\- a shell for remediation: a script can do what is granted, and nothing else',
    '.SH SYNOPSIS',
    ...['FILE [ARG]...', "-c 'COMMANDS' [NAME [ARG]...]", '-s [ARG]...', ''].flatMap((line, index) => [
      ...(index === 0 ? [] : ['.br']),
      `.B rmsh\n${escaped(`[OPTION]... ${line}`.trimEnd())}`,
    ]),
    '.br\n.B rmsh help\n[NAME | TOPIC]...',
    '.br\n.B rmsh audit verify\nFILE...',
    '.br\n.B rmsh fuzz\n[OPTION]...',
    '.SH DESCRIPTION',
    ...paragraph(
      'rmsh runs POSIX shell scripts. Without options they may change nothing, see no file and start no program of the host. Alone on a terminal it is a prompt under the same policy.',
    ),
    '.SH OPTIONS',
    ...options.flatMap(([name, { value, help }]) => [
      '.TP',
      `.B ${escaped(`--${name}${value === undefined ? '' : ` ${value}`}`)}`,
      line(help),
    ]),
    ...[...TOPICS].flatMap(([name, { summary, text }]) => [
      `.SH ${name.toUpperCase()}`,
      ...paragraph(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`),
      ...text.flatMap(paragraph),
    ]),
    '.SH COMMANDS',
    ...paragraph('They are inside; rmsh help NAME explains one.'),
    ...commands.flatMap(({ name, aliases, summary }) => [
      '.TP',
      `.B ${escaped([name, ...aliases].join(', '))}`,
      line(summary),
    ]),
    '.SH SEE ALSO',
    '.BR sh (1)',
    '',
  ].join('\n');
}

function paragraph(text: string): string[] {
  if (!text.startsWith(' ')) return ['.PP', line(text)];
  return ['.PP', '.nf', ...text.split('\n').map(line), '.fi'];
}

/** A line of text: what begins with a dot or a quote would be a request. */
function line(text: string): string {
  return /^[.']/.test(text) ? `\\&${escaped(text)}` : escaped(text);
}

/** As typed, also where it is copied from a terminal: hyphens, quotes, carets and backslashes are those of ASCII. */
function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '\\': '\\e',
    '-': '\\-',
    "'": '\\(aq',
    '`': '\\(ga',
    '^': '\\(ha',
    '~': '\\(ti',
    '"': '\\(dq',
  };
  return text.replace(/[\\\-'`^~"]/g, (character) => names[character] ?? character);
}
