// An MCP server over stdio: node mcp-server.mjs POLICY.json
//
// It offers `run`, `check` and `output`. Whoever starts it decides by the policy what scripts can do; the client cannot.
// The protocol is JSON-RPC 2.0, a message a line, and of it a server of tools needs four methods: they are written out here, so
// that the server runs where nothing but rmsh is installed.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { check, createShell, parsePolicy } from 'rmsh';

const [, , policyFile] = process.argv;
if (policyFile === undefined) {
  process.stderr.write('usage: node mcp-server.mjs POLICY.json\n');
  process.exit(2);
}
const policy = parsePolicy(readFileSync(policyFile, 'utf8'));
const shell = createShell(policy);

const PROTOCOLS = ['2025-06-18', '2025-03-26', '2024-11-05'];
/** Characters of a stream in the result of a run: more is kept, and handed out by `output`. */
const SHOWN = 2000;
/** Characters that one `output` hands out. */
const PAGE = 20_000;
const KEPT_RUNS = 20;
/** Actions that change nothing. */
const LOOKS = new Set(['read', 'list', 'run']);

/** By number, the oldest first. */
const runs = new Map();
let lastRun = 0;

const string = (description) => ({ type: 'string', description });
const integer = (description) => ({ type: 'integer', minimum: 0, description });
const object = (properties, required) => ({ type: 'object', properties, required, additionalProperties: false });

const tools = {
  run: {
    description:
      'Runs a POSIX shell script under the policy of this server. Answers the status, the effects on files and the end of ' +
      'what was printed; `output` has all of it. The script `help` lists the commands and what is granted.',
    inputSchema: object({ script: string('the script'), args: { type: 'array', items: { type: 'string' } } }, [
      'script',
    ]),
    async call({ script, args = [] }, signal) {
      const run = await shell.run(script, { args, signal, timeoutMs: policy.timeoutMs ?? 60_000 });
      lastRun += 1;
      runs.set(lastRun, { stdout: run.stdout, stderr: run.stderr });
      if (runs.size > KEPT_RUNS) runs.delete(runs.keys().next().value);
      const changes = run.effects.filter(({ action, outcome }) => !LOOKS.has(action) && outcome !== 'refused');
      return {
        run: lastRun,
        exitCode: run.exitCode,
        status: run.status,
        ...(run.message === undefined ? {} : { message: run.message }),
        stdout: run.stdout.slice(-SHOWN),
        stderr: run.stderr.slice(-SHOWN),
        length: { stdout: run.stdout.length, stderr: run.stderr.length },
        removals: run.removals,
        changes: changes.length,
        refused: run.effects
          .filter(({ outcome }) => outcome === 'refused')
          .slice(0, 10)
          .map(({ action, given, rule }) => ({ action, given, rule })),
      };
    },
  },
  check: {
    description:
      'Says of each command of a script whether the policy refuses it, and what to write instead. Runs nothing.',
    inputSchema: object({ script: string('the script') }, ['script']),
    call: ({ script }) => check(script, policy),
  },
  output: {
    description: `All that a run printed, ${PAGE} characters at a time.`,
    inputSchema: object(
      {
        run: integer('the number of the run'),
        stream: { enum: ['stdout', 'stderr'] },
        offset: integer('from here on'),
      },
      ['run'],
    ),
    call({ run, stream = 'stdout', offset = 0 }) {
      const text = runs.get(run)?.[stream];
      if (text === undefined) throw new Error(`run ${run} is not kept: the last ${KEPT_RUNS} are`);
      const end = Math.min(text.length, offset + PAGE);
      return { text: text.slice(offset, end), ...(end < text.length ? { nextOffset: end } : {}) };
    },
  },
};

/** Requests that are being answered, so that they can be cancelled. */
const running = new Map();

class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: PROTOCOLS.includes(protocolVersion) ? protocolVersion : PROTOCOLS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'rmsh', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
  }),
  async 'tools/call'({ name, arguments: given = {} }, signal) {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool === undefined) throw new RpcError(-32602, `unknown tool: ${name}`);
    const wrong = problemOf(given, tool.inputSchema);
    if (wrong !== undefined) throw new RpcError(-32602, wrong);
    try {
      const result = await tool.call(given, signal);
      return { content: [{ type: 'text', text: JSON.stringify(result) }] };
    } catch (error) {
      return { content: [{ type: 'text', text: String(error.message) }], isError: true };
    }
  },
};

/** As much of JSON Schema as the tools use. */
function problemOf(given, { properties, required }) {
  for (const name of required) if (given[name] === undefined) return `${name} is missing`;
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) return `unknown argument: ${name}`;
    const fits =
      schema.enum?.includes(value) ??
      (schema.type === 'string'
        ? typeof value === 'string'
        : schema.type === 'integer'
          ? Number.isInteger(value) && value >= 0
          : Array.isArray(value) && value.every((one) => typeof one === 'string'));
    if (!fits) return `${name} is not ${schema.enum?.join(' or ') ?? `of type ${schema.type}`}`;
  }
  return undefined;
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

async function receive(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    send({ id: null, error: { code: -32700, message: 'parse error' } });
    return;
  }
  const { id, method, params = {} } = message ?? {};
  if (id === undefined) {
    if (method === 'notifications/cancelled') running.get(params.requestId)?.abort();
    return;
  }
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handler === undefined) throw new RpcError(-32601, `unknown method: ${method}`);
    const result = await handler(params, stop.signal);
    if (!stop.signal.aborted) send({ id, result });
  } catch (error) {
    send({ id, error: { code: error instanceof RpcError ? error.code : -32603, message: error.message } });
  } finally {
    running.delete(id);
  }
}

createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  if (line.trim() !== '') void receive(line);
});
