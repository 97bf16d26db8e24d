/** Which room may import which: the table of the house, as data, and a reader of import lines. */
import { posix } from 'node:path';

export interface Import {
  readonly line: number;
  readonly specifier: string;
  /** `import type`: gone before anything runs. */
  readonly typeOnly: boolean;
}

/** The rooms, the more specific first: the first prefix that fits says where a file lives. */
const ROOMS = [
  'src/text/',
  'src/files/',
  'src/sandbox/',
  'src/io/',
  'src/expansion/',
  'src/runner/',
  'src/policy/',
  'src/audit/',
  'src/check/',
  'src/fuzz/',
  'src/cli/line-editor/',
  'src/cli/repl/',
  'src/cli/documents/',
  'src/cli/',
  'grammar/',
  'builtins/kit/',
  'builtins/shell/',
] as const;

interface Rule {
  /** Rooms or files whose values it may import; its own room always. */
  readonly values: readonly string[];
  /** Of which it may import types alone. */
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
}

/** Small types and numbers, which import nothing else. */
const DATA = ['src/errors.ts', 'src/limits.ts', 'src/steps.ts'];

const RULES: { readonly [room: string]: Rule } = {
  'src/text/': { values: DATA, packages: ['picomatch'] },
  'src/files/': { values: [...DATA, 'src/text/'] },
  // The types of `src/io` say what the port is that the sandbox hands to it.
  'src/sandbox/': { values: [...DATA, 'src/text/', 'src/files/'], types: ['src/io/'] },
  'src/io/': { values: [...DATA, 'src/text/'], types: ['src/files/'] },
  // Limits come to the grammar as parameters, problems leave it as values.
  'grammar/': { values: ['src/steps.ts'], packages: ['chevrotain'] },
  'src/expansion/': { values: [...DATA, 'src/text/'], types: ['grammar/', 'src/files/'] },
  'builtins/kit/': { values: [...DATA, 'src/text/'], types: ['src/files/', 'src/io/'] },
  'builtins/shell/': {
    values: [...DATA, 'src/text/', 'builtins/kit/'],
    types: ['src/files/', 'src/io/', 'src/policy/'],
  },
  // A command may have an engine in a folder of its name: `builtins/find.ts` and `builtins/find/`.
  'builtins/NAME': { values: [...DATA, 'src/text/', 'builtins/kit/'], types: ['src/files/', 'src/io/'] },
  'builtins/index.ts': { values: ['builtins/'] },
  'src/runner/': {
    values: [
      ...DATA,
      'src/text/',
      'src/files/',
      'src/sandbox/',
      'src/io/',
      'src/expansion/',
      'src/policy/',
      'src/audit.ts',
      'grammar/',
      'builtins/',
      'src/version.ts',
    ],
  },
  'src/policy/': { values: [...DATA, 'src/text/'] },
  'src/audit.ts': { values: DATA, types: ['src/files/'] },
  'src/audit/': { values: [...DATA, 'src/text/'], types: ['src/audit.ts'] },
  'src/check/': {
    values: [...DATA, 'src/policy/', 'src/files/', 'src/sandbox/', 'src/runner/', 'grammar/'],
  },
  // Tries the whole house; what it needs of the machine it has from the sandbox.
  'src/fuzz/': { values: ['src/', 'grammar/', 'builtins/'], packages: ['fast-check'] },
  'src/errors.ts': { values: DATA },
  'src/limits.ts': { values: DATA },
  'src/steps.ts': { values: DATA },
  // The two places where the house is put together: the library, and the program.
  'src/index.ts': { values: ['src/', 'grammar/', 'builtins/'] },
  'src/run-options.ts': { values: ['src/policy/'], types: ['src/audit.ts'] },
  'src/version.ts': { values: [] },
  'src/define-builtin.ts': { values: ['builtins/kit/', 'src/errors.ts', 'src/steps.ts'] },
  'src/unquote.ts': { values: ['grammar/'] },
  'src/memory.ts': { values: ['src/files/'] },
  'src/cli/fuzz.ts': { values: [], types: ['src/fuzz/'] },
  'src/cli/main.ts': { values: ['src/', 'grammar/', 'builtins/'] },
  'src/cli/audit.ts': {
    values: [...DATA, 'src/text/', 'src/audit/', 'src/sandbox/', 'src/version.ts'],
    types: ['src/audit.ts', 'src/policy/'],
  },
  'src/cli/script-text.ts': { values: ['grammar/'], types: ['src/policy/'] },
  // Written down when `dist/` is built.
  'src/cli/documents/': { values: [...DATA, 'src/version.ts', 'src/cli/', 'builtins/'] },
  // The editor knows lines and keys; the prompt is a program of its own.
  'src/cli/line-editor/': { values: [...DATA, 'builtins/kit/width.ts', 'builtins/kit/text-width.ts'] },
  'src/cli/repl/': { values: ['src/', 'grammar/', 'builtins/'] },
  'src/cli/': {
    values: [...DATA, 'src/index.ts', 'src/text/', 'src/policy/', 'builtins/kit/getopt.ts', 'builtins/kit/usage.ts'],
    types: ['builtins/kit/define.ts'],
  },
};

/** Only this room asks the kernel for files and processes; `src/io` is handed a port. */
const FILE_SYSTEM_ROOM = 'src/sandbox/';

/** The key of `RULES` a file of the repository falls under. */
function roomOf(file: string): string {
  if (Object.hasOwn(RULES, file)) return file;
  const room = ROOMS.find((prefix) => file.startsWith(prefix));
  if (room !== undefined) return room;
  return file.startsWith('builtins/') && file !== 'builtins/index.ts' ? 'builtins/NAME' : file;
}

/** `builtins/find.ts` and all of `builtins/find/` are one command. */
function commandOf(file: string): string | undefined {
  return roomOf(file) === 'builtins/NAME' ? /^builtins\/([^/.]+)/.exec(file)?.[1] : undefined;
}

/** Every way a module is asked for: `import ... from`, `export ... from`, `import '...'`, `import()`, `require()`. */
export function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const forms = [
    /^(?:import|export)\s(?<type>type\s)?[^'";]*?\sfrom\s*['"](?<specifier>[^'"]+)['"]/gm,
    /^import\s*['"](?<specifier>[^'"]+)['"]/gm,
    /\b(?:import|require|getBuiltinModule)\s*\(\s*['"`](?<specifier>[^'"`]+)['"`]/g,
  ];
  for (const form of forms) {
    for (const match of text.matchAll(form)) {
      found.push({
        line: text.slice(0, match.index).split('\n').length,
        specifier: match.groups?.['specifier'] ?? '',
        typeOnly: match.groups?.['type'] !== undefined,
      });
    }
  }
  return found.sort((a, b) => a.line - b.line);
}

/** What is wrong with the imports of `file`, a path from the top of the repository. */
export function violations(file: string, text: string): string[] {
  const room = roomOf(file);
  const rule = RULES[room];
  if (rule === undefined) return [`${file}: stands in no room of the house`];
  const problems: string[] = [];
  for (const { line, specifier, typeOnly } of importsOf(text)) {
    const problem = specifier.startsWith('.')
      ? localProblem(file, room, rule, posix.join(posix.dirname(file), specifier), typeOnly)
      : packageProblem(room, rule, specifier);
    if (problem !== undefined) problems.push(`${file}:${line}: ${problem}`);
  }
  return problems;
}

function localProblem(file: string, room: string, rule: Rule, path: string, typeOnly: boolean): string | undefined {
  const target = path.replace(/\.js$/, '.ts');
  const command = commandOf(file);
  if (command !== undefined ? commandOf(target) === command : target === room || target.startsWith(room))
    return undefined;
  const within = (allowed: readonly string[]): boolean =>
    allowed.some((one) => (one.endsWith('/') ? target.startsWith(one) : target === one));
  if (within(rule.values) || (typeOnly && within(rule.types ?? []))) return undefined;
  if (within(rule.types ?? [])) return `may import only types of ${target}`;
  return `may not import ${target}`;
}

function packageProblem(room: string, rule: Rule, specifier: string): string | undefined {
  if (/^(?:node:)?fs(?:\/|$)/.test(specifier)) {
    return room === FILE_SYSTEM_ROOM ? undefined : `only ${FILE_SYSTEM_ROOM} may import ${specifier}`;
  }
  if (/^(?:node:)?(?:child_process|cluster|worker_threads)$/.test(specifier)) {
    return room === FILE_SYSTEM_ROOM ? undefined : `only ${FILE_SYSTEM_ROOM} may import ${specifier}`;
  }
  if (specifier.startsWith('node:')) return undefined;
  return rule.packages?.includes(specifier) ? undefined : `may not import the package ${specifier}`;
}
