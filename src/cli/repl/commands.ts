/**
 * The commands that only a prompt has: what is granted, what the last line did, the history, the screen. They touch nothing, so no list of
 * allowed commands has to name them; and they are commands as any other: `history | grep ssh`.
 */
import { type Builtin, defineBuiltin, usageFailure } from '../../../builtins/kit/define.js';
import { andThen } from '../../steps.js';

/** What they tell of. */
export interface Told {
  policy(): string;
  budget(): string;
  /** The entries of the history, the oldest first. */
  history(): readonly string[];
  forget(): void;
  /** Whether the terminal can be cleared. */
  readonly clears: boolean;
}

/** As clear(1) of ncurses: the screen, and what was scrolled off it. */
const CLEAR = '\x1b[H\x1b[2J\x1b[3J';

export const PROMPT_COMMANDS: readonly (readonly [name: string, summary: string])[] = [
  ['policy', 'say what is granted'],
  ['budget', 'say what the last line removed, and what was refused'],
  ['history', 'print the lines that were entered'],
  ['clear', 'clear the screen'],
  ['fg', 'bring a job to the foreground, which needs job control'],
  ['bg', 'let a stopped job go on, which needs job control'],
];

export function promptCommands(told: Told): ReadonlyMap<string, Builtin> {
  const summaries = new Map(PROMPT_COMMANDS);
  const common = (name: string) => ({ name, summary: summaries.get(name) ?? '', needs: [] });
  const printed = (name: string, text: () => string): Builtin =>
    defineBuiltin({
      ...common(name),
      usage: name,
      flags: {},
      statuses: { 0: 'always' },
      run: ({ out }) => andThen(out.write(text()), () => 0),
    });
  const withoutJobControl = (name: string): Builtin =>
    defineBuiltin({
      ...common(name),
      usage: `${name} [%JOB]`,
      flags: {},
      statuses: { 1: 'always' },
      run(context) {
        context.complain("no job control: jobs run beside the prompt; 'wait %1' waits for one, 'kill %1' ends it");
        return 1;
      },
    });
  const commands = [
    printed('policy', () => told.policy()),
    printed('budget', () => told.budget()),
    withoutJobControl('fg'),
    withoutJobControl('bg'),
    defineBuiltin({
      ...common('clear'),
      usage: 'clear',
      flags: {},
      statuses: { 0: 'it is clear', 1: 'the terminal cannot do that' },
      run({ out, complain }) {
        if (told.clears) return andThen(out.write(CLEAR), () => 0);
        complain('this terminal cannot be cleared');
        return 1;
      },
    }),
    defineBuiltin({
      ...common('history'),
      usage: 'history [N]\nhistory -c',
      flags: { clear: { short: 'c', help: 'forget all that was entered until now, at this prompt and in its file' } },
      statuses: { 0: 'always, but for usage errors' },
      run(context) {
        const { flags, operands, out } = context;
        const [last, extra] = operands;
        if (extra !== undefined) return usageFailure(context, 'too many arguments');
        if (last !== undefined && !/^\d{1,9}$/.test(last))
          return usageFailure(context, `${last}: numeric argument required`);
        if (flags.clear === true) {
          told.forget();
          return 0;
        }
        const entries = told.history();
        const from = last === undefined ? 0 : Math.max(0, entries.length - Number(last));
        const lines = entries.slice(from).map((entry, at) => `${String(from + at + 1).padStart(5)}  ${entry}\n`);
        return andThen(out.write(lines.join('')), () => 0);
      },
    }),
  ];
  return new Map(commands.map((command) => [command.name, command]));
}
