/** awk: scan records for patterns and act on them. */
import { isFsError } from '../src/errors.js';
import { type Awaitable, andThen, isPromise } from '../src/steps.js';
import { fromByteString, toByteString } from '../src/text/bytes.js';
import { isRegexTooCostly } from '../src/text/regex/index.js';
import { watched } from '../src/text/work.js';
import { parseProgram, type Source } from './awk/parse.js';
import { ProgramRunner } from './awk/run.js';
import { type AwkContext, Runtime } from './awk/runtime.js';
import { AwkError } from './awk/tree.js';
import { defineBuiltin, type Flags, type Parsed, tryHelp } from './kit/define.js';
import { forEach } from './kit/repeat.js';
import { readWhole } from './kit/whole-file.js';

const FLAGS = {
  separator: { short: 'F', long: 'field-separator', value: 'FS', help: 'fields are separated by FS' },
  assign: { short: 'v', long: 'assign', value: 'VAR=VALUE', repeat: true, help: 'set a variable before BEGIN' },
  file: { short: 'f', long: 'file', value: 'PROGRAM-FILE', repeat: true, help: 'run the program in PROGRAM-FILE' },
} as const satisfies Flags;

type Given = AwkContext & Parsed<typeof FLAGS>;

export const awk = defineBuiltin({
  name: 'awk',
  summary: 'scan records for patterns and act on them',
  usage:
    'awk [-F FS] [-v VAR=VALUE]... PROGRAM [FILE|VAR=VALUE]...\nawk [-F FS] [-v VAR=VALUE]... -f PROGRAM-FILE... [FILE|VAR=VALUE]...',
  notes:
    'Commands are not run: system(), pipes and getline from a command are errors of\nthe program. print > FILE needs remediation mode.',
  needs: ['read', 'write', 'environment', 'clock'],
  flags: FLAGS,
  options: 'leading',
  usageStatus: 2,
  statuses: { 0: 'all went well', 2: 'the program is wrong, or a file could not be read or written' },

  run(context) {
    return andThen(sourcesOf(context), (read) => (typeof read === 'number' ? read : start(context, read)));
  },
});

interface Job {
  readonly sources: readonly Source[];
  readonly operands: readonly string[];
}

/** The parts of the program, and the operands that are left; a status when there is none. */
function sourcesOf(context: Given): Awaitable<Job | number> {
  const { flags, operands } = context;
  const files = flags.file ?? [];
  if (files.length === 0) {
    const [program, ...others] = operands;
    if (program === undefined) {
      const usage = `Usage: awk [-F FS] [-v VAR=VALUE]... PROGRAM [FILE]...\n${tryHelp(context.name)}`;
      return andThen(context.err.write(usage) as Awaitable<void>, () => 2);
    }
    return { sources: [{ text: toByteString(program), where: 'cmd. line' }], operands: others };
  }
  const sources: Source[] = [];
  let status = 0;
  const each = forEach(files, (file) =>
    andThen(readWhole(context, file), (text) => {
      if (typeof text === 'string') {
        sources.push({ text, where: file });
        return false;
      }
      context.complain(`cannot open source file \`${file}' for reading: ${text.message}`);
      status = 2;
      return true;
    }),
  );
  return andThen(each, () => (status === 0 ? { sources, operands } : status));
}

function start(context: Given, { sources, operands }: Job): Awaitable<number> {
  let runtime: Runtime | undefined;
  try {
    const program = watched(context.look, () => parseProgram(sources, context.limits));
    runtime = new Runtime(context, program, operands);
    if (context.flags.separator !== undefined) {
      runtime.assign(`FS=${toByteString(context.flags.separator)}`);
    }
    for (const assignment of context.flags.assign ?? []) {
      if (!runtime.assign(toByteString(assignment))) {
        throw new AwkError(`\`${assignment}' argument to \`-v' not in \`var=value' form`);
      }
    }
    return run(context, runtime, new ProgramRunner(runtime, program));
  } catch (error) {
    return failure(context, error, runtime);
  }
}

/** Whatever happens, what was printed goes out and files are closed. */
function run(context: Given, runtime: Runtime, runner: ProgramRunner): Awaitable<number> {
  const done = (status: number): Awaitable<number> => andThen(runtime.finish(), () => status);
  const failed = (error: unknown): Awaitable<number> =>
    andThen(runtime.finish(), () => failure(context, error, runtime));
  try {
    const ran = runner.run();
    return isPromise(ran) ? ran.then(done, failed) : done(ran);
  } catch (error) {
    return failed(error);
  }
}

function failure(context: Given, error: unknown, runtime: Runtime | undefined): number {
  if (error instanceof AwkError || isRegexTooCostly(error))
    context.complain(fromByteString(toByteString(error.message)));
  else if (isFsError(error)) {
    const own = runtime?.outputs.names(error.path) === true;
    context.complain(`error writing ${own ? error.path : 'standard output'}: ${error.message}`);
  }
  // The tree of a program, or calls within one expression, went deeper than JavaScript's stack.
  else if (error instanceof RangeError) context.complain('expressions and calls are nested too deep');
  else throw error;
  return 2;
}
