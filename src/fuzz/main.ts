/** `rmsh fuzz`: a campaign over all cores, what it finds, and how to see that again. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Builtin } from '../../builtins/kit/define.js';
import { isFsError } from '../errors.js';
import { grantsOf, PolicyError, parsePolicy } from '../policy/policy.js';
import { readCorpus } from '../sandbox/fuzz-workers.js';
import { appendHostFile, readHostFile } from '../sandbox/host-files.js';
import { missing, SHELL_NAMES, type ShellName } from '../sandbox/oracle-shells.js';
import { decode, encode } from '../text/bytes.js';
import { quote } from '../text/quote.js';
import { type Find, tryProperty } from './campaign.js';
import { runCampaign } from './campaign-workers.js';
import { caseOf } from './case.js';
import { toJson } from './find-json.js';
import { FUZZ_HELP, type FuzzRequest, parseFuzzWords } from './options.js';
import { properties } from './properties/index.js';
import { type Given, NOTHING_GIVEN, type Property } from './property.js';
import { PER_ROUND, runRounds } from './rounds.js';
import { testOf } from './test-file.js';

/** Where it prints. */
export interface FuzzPort {
  /** On standard output, at once. */
  readonly print: (text: string) => Promise<void>;
  readonly complain: (message: string) => void;
}

/** A mistake on the command line. */
class Mistake extends Error {}

const USAGE_ERROR = 2;

/** Answers the exit status. */
export async function fuzzMain(args: readonly string[], port: FuzzPort): Promise<number> {
  const parsed = parseFuzzWords(args, Date.now());
  switch (parsed.kind) {
    case 'help':
      await port.print(FUZZ_HELP);
      return 0;
    case 'list':
      await port.print(properties.map(({ name, summary }) => `${name.padEnd(10)} ${summary}\n`).join(''));
      return 0;
    case 'error':
      port.complain(`fuzz: ${parsed.message}\nTry 'rmsh fuzz --help' for more information.`);
      return USAGE_ERROR;
    case 'run':
      try {
        return await start(parsed.request, args, port);
      } catch (error) {
        if (!(error instanceof Mistake)) throw error;
        port.complain(`fuzz: ${error.message}`);
        return USAGE_ERROR;
      }
  }
}

async function start(request: FuzzRequest, args: readonly string[], port: FuzzPort): Promise<number> {
  const given = await givenOf(request);
  const chosen = chosenOf(request, given, port);
  if (request.path !== undefined) return again(request, chosen, given, port);
  if (request.worker) {
    const until = request.minutes === undefined ? undefined : performance.now() + request.minutes * 60_000;
    const waiting: Promise<void>[] = [];
    await runRounds({ ...request, properties: chosen, given, until }, (progress) => {
      waiting.push(port.print(`${toJson(progress)}\n`));
    });
    await Promise.all(waiting);
    return 0;
  }
  const workers = request.workers ?? availableParallelism();
  const report = await runCampaign({ request, args, workers, port });
  if (request.out !== undefined && report.finds.length > 0) keep(request, report.finds);
  return report.finds.length > 0 || report.broken ? 1 : 0;
}

/** One scenario, as a find names it. */
async function again(
  request: FuzzRequest,
  [property]: readonly Property[],
  given: Given,
  port: FuzzPort,
): Promise<number> {
  if (property === undefined) throw new Mistake('--path: needs --property');
  const { seed, path } = request;
  const { find } = await tryProperty(property, given, { seed, path, runs: PER_ROUND });
  if (find === undefined) {
    await port.print(request.json ? '{"finds":[]}\n' : `${property.name} holds for --seed ${seed} --path ${path}\n`);
    return 0;
  }
  await port.print(request.json ? `${toJson({ finds: [find] })}\n` : findText(find, request));
  keep(request, [find]);
  return 1;
}

/** The scenario, and the words that make it again: what was given to the campaign is given to it too. */
export function findText(find: Find, request: FuzzRequest): string {
  const given = (['policy', 'builtins', 'corpus'] as const).flatMap((name) => {
    const path = request[name];
    return path === undefined ? [] : [`--${name} ${quote(path)}`];
  });
  if (request.oracles.length > 0) given.push(`--oracle ${request.oracles.join(',')}`);
  const words = [...given, `--property ${find.property}`, `--seed ${find.seed}`, `--path ${find.path}`];
  return [
    '',
    `=== ${find.property}: ${find.why}`,
    find.scenario.script.trimEnd(),
    `--- again: rmsh fuzz ${words.join(' ')}`,
    '',
  ].join('\n');
}

/** As rows of a `.cases` file, or as tests. */
function keep({ out, builtins }: FuzzRequest, finds: readonly Find[]): void {
  if (out === undefined) return;
  const module = builtins === undefined ? undefined : pathToFileURL(resolve(builtins)).href;
  const file = reading('--out', out, () => appendHostFile(out));
  for (const find of finds) file.append(encode(/\.m?js$/.test(out) ? testOf(find, module) : caseOf(find)));
  file.close();
}

function chosenOf(request: FuzzRequest, given: Given, port: FuzzPort): readonly Property[] {
  for (const name of request.properties) {
    if (!properties.some((one) => one.name === name)) {
      throw new Mistake(`--property: '${name}' is not one of ${properties.map((one) => one.name).join(' ')}`);
    }
  }
  const asked = properties.filter(({ name }) => request.properties.length === 0 || request.properties.includes(name));
  const judged = given.oracles.some((name) => missing(name) === undefined);
  return asked.filter(({ name, needs }) => {
    if (needs !== 'shells' || judged) return true;
    if (request.properties.length > 0) throw new Mistake(`--property: ${name} needs one of ${given.oracles.join(' ')}`);
    if (!request.worker) port.complain(`fuzz: '${name}' is left out: ${given.oracles.join(' and ')} are not installed`);
    return false;
  });
}

/** What the user names is opened with the user's authority; a mistake in it is told with its name. */
function reading<T>(option: string, path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof PolicyError) {
      throw new Mistake(
        `${option}: ${path}: ${error.problems.map(({ key, message }) => `${key}: ${message}`).join('; ')}`,
      );
    }
    if (isFsError(error) || (error instanceof Error && 'errno' in error))
      throw new Mistake(`${option}: ${path}: ${error.message}`);
    throw error;
  }
}

async function givenOf(request: FuzzRequest): Promise<Given> {
  const { corpus, policy } = request;
  const oracles = request.oracles.map((name): ShellName => {
    const known = SHELL_NAMES.find((one) => one === name);
    if (known === undefined) throw new Mistake(`--oracle: '${name}' is not one of ${SHELL_NAMES.join(' ')}`);
    const why = missing(known);
    if (why !== undefined) throw new Mistake(`--oracle: ${why}`);
    return known;
  });
  const granted =
    policy === undefined
      ? undefined
      : reading('--policy', policy, () => {
          const parsed = parsePolicy(decode(readHostFile(policy)));
          if (grantsOf(parsed).allowedPaths.some(({ path }) => path === '/')) {
            throw new Mistake(`--policy: ${policy}: where '/' is granted nothing is outside of the roots`);
          }
          return parsed;
        });
  return {
    ...NOTHING_GIVEN,
    corpus: corpus === undefined ? [] : scriptsIn(corpus),
    policy: granted,
    builtins: request.builtins === undefined ? [] : await builtinsOf(request.builtins),
    ...(oracles.length > 0 ? { oracles } : {}),
  };
}

function scriptsIn(directory: string): readonly string[] {
  const found = reading('--corpus', directory, () => readCorpus(directory));
  if (found.length === 0) throw new Mistake(`--corpus: ${directory}: no scripts in it (text files of at most 64 KiB)`);
  return found;
}

/** What the module exports that `defineBuiltin` has made. */
async function builtinsOf(path: string): Promise<readonly Builtin[]> {
  let exported: Record<string, unknown>;
  try {
    exported = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    throw new Mistake(`--builtins: ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const found = Object.values(exported).flat().filter(isBuiltin);
  if (found.length === 0) throw new Mistake(`--builtins: ${path} exports no command (defineBuiltin)`);
  return found;
}

function isBuiltin(value: unknown): value is Builtin {
  return typeof value === 'object' && value !== null && 'invoke' in value && 'definition' in value;
}
