/** Completions for bash, zsh and fish, from the definitions of the command line. Run when `dist/` is built. */
import { builtins } from '../../../builtins/index.js';
import { LIMITS } from '../../limits.js';
import { LONG_OPTIONS } from '../options.js';
import { TOPICS } from '../topics.js';

/** What the value of an option may be. */
type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'directory' | 'file' | 'variable' | 'program' | 'any' };

const words = (...list: readonly string[]): Values => ({ kind: 'words', words: list });
const commandNames = builtins.flatMap(({ name, aliases }) => [name, ...aliases]).sort();

type WithValue = {
  [Name in keyof typeof LONG_OPTIONS]: (typeof LONG_OPTIONS)[Name] extends { readonly value: string } ? Name : never;
}[keyof typeof LONG_OPTIONS];

/** A new option with a value does not compile before it is here. */
const VALUES: { readonly [Name in WithValue]: Values } = {
  mode: words('read-only', 'remediation'),
  'allow-path': { kind: 'directory' },
  'allow-command': words(...commandNames),
  'allow-external': { kind: 'program' },
  env: { kind: 'variable' },
  timeout: { kind: 'any' },
  limit: words(...Object.keys(LIMITS).map((name) => `${name}=`)),
  policy: { kind: 'file' },
  cwd: { kind: 'directory' },
  rcfile: { kind: 'file' },
  audit: { kind: 'file' },
  'require-level': words('kernel-anchored', 'best-effort'),
};

const OPTIONS: readonly { readonly name: string; readonly help: string; readonly values: Values | undefined }[] =
  Object.entries(LONG_OPTIONS).map(([name, { help }]) => ({
    name,
    help,
    values: (VALUES as Readonly<Record<string, Values>>)[name],
  }));
const OPTION_WORDS = [...OPTIONS.map(({ name }) => `--${name}`), '-c', '-s'];
const HELP_WORDS = [...new Set([...TOPICS.keys(), ...commandNames])];

/** A word list of any of the three shells: names of ours hold nothing that is special to one. */
const list = (names: readonly string[]): string => names.join(' ');

/** For `bash-completion`, or to be sourced; needs neither. */
export function bashCompletion(): string {
  const generate = (values: Values): string => {
    switch (values.kind) {
      case 'words':
        return `COMPREPLY=( $(compgen -W '${list(values.words)}' -- "$cur") )`;
      case 'directory':
        return 'compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur")';
      case 'file':
        return 'compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur")';
      case 'variable':
        return 'COMPREPLY=( $(compgen -v -- "$cur") )';
      case 'program':
        return 'COMPREPLY=( $(compgen -c -- "$cur") )';
      case 'any':
        return 'COMPREPLY=()';
    }
  };
  const cases = OPTIONS.flatMap(({ name, values }) =>
    values === undefined ? [] : [`    --${name})`, `      ${generate(values)}`, '      return ;;'],
  );
  const taking = OPTIONS.flatMap(({ name, values }) => (values === undefined ? [] : [`--${name}`]));
  return `# bash completion for rmsh; generated
_rmsh() {
  local cur prev i first=
  cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  # bash splits at =: --mode=rem is three words
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  # where the operands begin
  for (( i = 1; i < COMP_CWORD; i++ )); do
    case \${COMP_WORDS[i]} in
    ${taking.join('|')}) (( i++ )); [[ \${COMP_WORDS[i]} == = ]] && (( i++ )) ;;
    -*|+*) ;;
    *) first=\${COMP_WORDS[i]}; break ;;
    esac
  done
  if [[ -n $first && $i -lt $COMP_CWORD ]]; then
    case $first in
    help) COMPREPLY=( $(compgen -W '${list(HELP_WORDS)}' -- "$cur") ); return ;;
    audit) [[ $prev == audit ]] && { COMPREPLY=( $(compgen -W verify -- "$cur") ); return; } ;;
    esac
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    return
  fi
  case $prev in
${cases.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=( $(compgen -W '${list(OPTION_WORDS)}' -- "$cur") )
    return
  fi
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur"; compgen -W 'help audit fuzz' -- "$cur")
}
complete -F _rmsh rmsh
`;
}

/** For a directory of `fpath`, as `_rmsh`. */
export function zshCompletion(): string {
  const action = (values: Values): string => {
    switch (values.kind) {
      case 'words':
        return `(${list(values.words)})`;
      case 'directory':
        return '_files -/';
      case 'file':
        return '_files';
      case 'variable':
        return '_parameters';
      case 'program':
        return '_command_names -e';
      case 'any':
        return ' ';
    }
  };
  const specs = OPTIONS.map(({ name, help, values }) => {
    // In a specification [ ] and : are special, in the quotes around it '.
    const said = help.replace(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");
    const value = values === undefined ? '' : `:${name}:${action(values)}`;
    return `  '*--${name}${value === '' ? '' : '='}[${said}]${value}'`;
  });
  return `#compdef rmsh
# zsh completion for rmsh; generated
_rmsh() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C -A '-*' \\
${specs.map((spec) => `  ${spec} \\`).join('\n')}
    '-c[take the commands from the next word]' \\
    '-s[take the commands from standard input]' \\
    '1: :->first' '*:: :->rest' && return 0
  case $state in
  first) _alternative 'subcommands:subcommand:(help audit fuzz)' 'files:script:_files' ;;
  rest)
    case $line[1] in
    help) compadd -- ${list(HELP_WORDS)} ;;
    audit) if (( CURRENT == 2 )); then compadd -- verify; else _files; fi ;;
    *) _files ;;
    esac ;;
  esac
}
if [[ $funcstack[1] == _rmsh ]]; then _rmsh "$@"; else compdef _rmsh rmsh; fi
`;
}

/** For `~/.config/fish/completions/rmsh.fish`. */
export function fishCompletion(): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const value = (values: Values): string => {
    switch (values.kind) {
      case 'words':
        return `-x -a ${quoted(list(values.words))}`;
      case 'directory':
        return "-x -a '(__fish_complete_directories)'";
      case 'file':
        return '-r -F';
      case 'variable':
        return "-x -a '(set --names)'";
      case 'program':
        return "-x -a '(__fish_complete_command)'";
      case 'any':
        return '-x';
    }
  };
  const lines = OPTIONS.map(
    ({ name, help, values }) =>
      `complete -c rmsh -l ${name} -d ${quoted(help)}${values === undefined ? '' : ` ${value(values)}`}`,
  );
  return `# fish completion for rmsh; generated
${lines.join('\n')}
complete -c rmsh -s c -x -d 'take the commands from the next word'
complete -c rmsh -s s -d 'take the commands from standard input'
complete -c rmsh -n __fish_use_subcommand -a help -d 'explain a command or a topic'
complete -c rmsh -n __fish_use_subcommand -a audit -d 'check a record'
complete -c rmsh -n __fish_use_subcommand -a fuzz -d 'try generated scripts'
complete -c rmsh -n '__fish_seen_subcommand_from help' -f -a ${quoted(list(HELP_WORDS))}
complete -c rmsh -n '__fish_seen_subcommand_from audit' -a verify
`;
}
