// An MCP server over stdio: node server.mjs POLICY.json
//
// It offers `run`, `check` and `output`. Whoever starts it decides by the policy what scripts can do; the client cannot.
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { check, createShell, PolicyError, parsePolicy, VERSION } from 'rmsh';
import { z } from 'zod';

/** Characters of a stream in the result of a run: more is kept, and handed out by `output`. */
const SHOWN = 2000;
/** Characters that one `output` hands out. */
const PAGE = 20_000;
const KEPT_RUNS = 20;
/** Refusals and doubts that are listed; all are counted. */
const LISTED = 10;
/** Actions that change nothing. */
const LOOKS = new Set(['read', 'list', 'run']);

const policy = policyOf(process.argv[2]);
const shell = createShell(policy);
const server = new McpServer({ name: 'rmsh', version: VERSION });

/** By number, the oldest first. */
const runs = new Map();
let lastRun = 0;

server.registerTool(
  'run',
  {
    description:
      'Runs a POSIX shell script under the policy of this server. Answers the status, the effects on files and the end of ' +
      'what was printed; `output` has all of it. The script `help` lists the commands and what is granted.',
    inputSchema: z.strictObject({
      script: z.string().describe('the script'),
      args: z.array(z.string()).default([]).describe('what is "$1", "$2", ...'),
    }),
  },
  async ({ script, args }, { signal }) => {
    const run = await shell.run(script, { args, signal, timeoutMs: policy.timeoutMs ?? 60_000 });
    lastRun += 1;
    runs.set(lastRun, { stdout: run.stdout, stderr: run.stderr });
    if (runs.size > KEPT_RUNS) runs.delete(runs.keys().next().value);
    const changes = run.effects.filter(({ action, outcome }) => !LOOKS.has(action) && outcome !== 'refused');
    const refused = run.effects.filter(({ outcome }) => outcome === 'refused');
    return answer({
      run: lastRun,
      exitCode: run.exitCode,
      status: run.status,
      ...(run.message === undefined ? {} : { message: run.message }),
      stdout: run.stdout.slice(-SHOWN),
      stderr: run.stderr.slice(-SHOWN),
      length: { stdout: run.stdout.length, stderr: run.stderr.length },
      removals: run.removals,
      changes: changes.length,
      refusals: refused.length,
      refused: refused.slice(0, LISTED).map(({ action, given, rule }) => ({ action, given, rule })),
    });
  },
);

server.registerTool(
  'check',
  {
    description:
      'Says which commands of a script the policy refuses, and what to write instead. Runs nothing. ' +
      `Lists ${LISTED} of the refused and the unknown ones, or with \`all\` every command.`,
    inputSchema: z.strictObject({
      script: z.string().describe('the script'),
      all: z.boolean().default(false).describe('list every command, the allowed ones too'),
    }),
  },
  ({ script, all }) => {
    const { commands, problem } = check(script, policy);
    const count = { refused: 0, unknown: 0, allowed: 0 };
    for (const { verdict } of commands) count[verdict] += 1;
    const telling = commands.filter(({ verdict }) => verdict !== 'allowed').slice(0, LISTED);
    return answer({ count, ...(problem === undefined ? {} : { problem }), commands: all ? commands : telling });
  },
);

server.registerTool(
  'output',
  {
    description: `All that a run printed, ${PAGE} characters at a time.`,
    inputSchema: z.strictObject({
      run: z.number().int().min(1).describe('the number of the run'),
      stream: z.enum(['stdout', 'stderr']).default('stdout'),
      offset: z.number().int().min(0).default(0).describe('from this character on: `nextOffset` of the page before'),
    }),
  },
  ({ run, stream, offset }) => {
    const text = runs.get(run)?.[stream];
    if (text === undefined) throw new Error(`run ${run} is not kept: the last ${KEPT_RUNS} are`);
    const end = Math.min(text.length, offset + PAGE);
    return answer({ text: text.slice(offset, end), ...(end < text.length ? { nextOffset: end } : {}) });
  },
);

await server.connect(new StdioServerTransport());

function answer(result) {
  return { content: [{ type: 'text', text: JSON.stringify(result) }] };
}

/** The policy in `file`; where there is none, the program says why and ends. */
function policyOf(file) {
  if (file === undefined) return leave('usage: node server.mjs POLICY.json');
  try {
    return parsePolicy(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof PolicyError)) return leave(`rmsh-mcp: ${error.message}`);
    return leave(
      ...error.problems.map(({ key, message }) => `rmsh-mcp: ${file}: ${key === '' ? '' : `${key}: `}${message}`),
    );
  }
}

function leave(...lines) {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(2);
}
