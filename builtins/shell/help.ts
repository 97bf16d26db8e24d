/** `help`: what there is, and what the policy grants. */
import { type Awaitable, andThen } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { fail, print } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

/** Made with the list it is a part of; `unlisted` are those of it that only explain themselves. */
export function helpBuiltin(builtins: () => readonly ShellBuiltin[], unlisted: readonly ShellBuiltin[]): ShellBuiltin {
  return {
    names: ['help'],
    special: false,
    summary: 'list commands and what is granted, or explain a command or topic',
    usage: 'help [NAME]...',
    run(shell, argv): Awaitable<Outcome> {
      const names = argv.slice(1).filter((word) => word !== '--');
      if (names.length === 0) {
        const listed = builtins().filter((builtin) => !unlisted.includes(builtin));
        return andThen(shell.topics?.(), (topics) =>
          print(shell, overview(shell, listed) + (topics === undefined ? '' : `\n${topics.topicList()}`)),
        );
      }
      return explain(shell, argv, names, builtins(), 0, 0);
    },
  };
}

function overview(shell: Shell, builtins: readonly ShellBuiltin[]): string {
  const own = builtins.flatMap(({ names }) => names).sort();
  const commands = shell
    .commandNames()
    .filter((name) => !own.includes(name))
    .sort();
  const allowed = (name: string): boolean => shell.isAllowed(name);
  const refused = [...own, ...commands].filter((name) => !allowed(name)).sort();
  return [
    shell.policyText(),
    'Part of the shell:',
    columns(own.filter(allowed)),
    'Commands:',
    columns(commands.filter(allowed)),
    ...(refused.length === 0 ? [] : ['Not granted:', columns(refused)]),
    "'help NAME' explains one.",
    '',
  ].join('\n');
}

function columns(names: readonly string[]): string {
  const lines: string[] = [];
  let line = ' ';
  for (const name of names) {
    if (line.length + name.length + 1 > 78) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${name}`;
  }
  return [...lines, line].join('\n');
}

function explain(
  shell: Shell,
  argv: readonly string[],
  names: readonly string[],
  builtins: readonly ShellBuiltin[],
  at: number,
  status: number,
): Awaitable<Outcome> {
  const name = names[at];
  if (name === undefined) return status;
  const next = (text: string | undefined): Awaitable<Outcome> => {
    if (text === undefined) {
      fail(shell, argv, `no help topics match \`${name}'`);
      return explain(shell, argv, names, builtins, at + 1, 1);
    }
    return andThen(shell.out.write(text), () => explain(shell, argv, names, builtins, at + 1, status));
  };
  const own = shell.comesBefore(name) ? undefined : builtins.find((builtin) => builtin.names.includes(name));
  const text =
    own === undefined
      ? shell.commandHelp(name)
      : `Usage: ${own.usage}\n${own.summary[0]?.toUpperCase()}${own.summary.slice(1)}.\n`;
  // A topic may have the name of a command: then both are told.
  return andThen(text, (command) =>
    andThen(shell.topics?.(), (topics) => {
      const told = [command, topics?.topicText(name)].filter((one) => one !== undefined);
      return next(told.length === 0 ? undefined : told.join('\n'));
    }),
  );
}
