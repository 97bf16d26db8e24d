// A tool for the AI SDK (`npm install ai`): the model writes the script, you decide what it can do. Copied beside your program:
//
//   import { generateText, stepCountIs } from 'ai';
//   import { createShell } from 'rmsh';
//   import { shellTool } from './ai-tool.mjs';
//
//   const shell = createShell({ allowedPaths: ['/var/log'] });
//   await generateText({ model, prompt, tools: { shell: shellTool(shell) }, stopWhen: stepCountIs(10) });
import { jsonSchema, tool } from 'ai';

/** Characters of each stream that the model is shown: the beginning and the end. */
const SHOWN = 4000;

export function shellTool(shell) {
  return tool({
    description:
      'Runs a POSIX shell script under a policy. What the policy does not grant fails with a message that says why; ' +
      'rm takes ten files at most and removes no directory. `help` lists the commands and what is granted.',
    inputSchema: jsonSchema({
      type: 'object',
      properties: { script: { type: 'string', description: 'the script' } },
      required: ['script'],
      additionalProperties: false,
    }),
    async execute({ script }, { abortSignal } = {}) {
      const run = await shell.run(script, { timeoutMs: 60_000, signal: abortSignal });
      return {
        exitCode: run.exitCode,
        status: run.status,
        stdout: shortened(run.stdout),
        stderr: shortened(run.stderr),
        removed: run.removals.made,
        refused: run.effects
          .filter(({ outcome }) => outcome === 'refused')
          .slice(0, 20)
          .map(({ action, given, rule }) => ({ action, given, rule })),
      };
    },
  });
}

function shortened(text) {
  if (text.length <= SHOWN) return text;
  return `${text.slice(0, SHOWN / 2)}\n[${text.length - SHOWN} characters left out]\n${text.slice(-SHOWN / 2)}`;
}
