/** ip: interfaces, addresses and routes of the network (iproute2), to be looked at. */
import type { KernelFacts, NetworkInterface } from '../src/files/host.js';
import { type Awaitable, andThen } from '../src/steps.js';
import { addressesOf, flagsOf, fullName, hardwareLine, linkLine, stateOf } from './ip/interfaces.js';
import { parseRoutes4, parseRoutes6, routeLine } from './ip/routes.js';
import { defineBuiltin } from './kit/define.js';

const USAGE = 255;

export const ip = defineBuiltin({
  name: 'ip',
  summary: 'print interfaces, addresses and routes of the network',
  needs: ['kernel'],
  usage: `ip [-4|-6] [-br|-o] address [show] [[dev] NAME] [up]
ip [-br|-o] link [show] [[dev] NAME] [up]
ip [-4|-6] route [show] [default] [dev NAME]`,
  notes: `Words may be cut short, as in 'ip a' and 'ip r'. Nothing can be changed. Left out is what only the kernel's netlink tells: queueing
disciplines, groups, lifetimes, who made a route and with which source address. An IPv4 address is shown while its interface
is up; its scope is told from the address.`,
  flags: {},
  options: 'none',
  statuses: {
    0: 'printed',
    1: 'there is no such interface, or the words are wrong',
    255: 'nothing is asked for, or an option is wrong',
  },

  run(context): Awaitable<number> {
    const request = readWords(context.operands);
    if (typeof request === 'string') {
      // What ip itself says has no name before it.
      return andThen(context.err.write(`${request}\n`), () => (isUsage(request) ? USAGE : 1));
    }
    return andThen(context.kernel(), (kernel) => {
      const { device } = request;
      const all = kernel.interfaces();
      if (device !== undefined && !all.some(({ name }) => name === device)) {
        const message =
          request.object === 'route' ? `Cannot find device "${device}"` : `Device "${device}" does not exist.`;
        return andThen(context.err.write(`${message}\n`), () => 1);
      }
      const text = request.object === 'route' ? routes(request, kernel) : interfaces(request, kernel, all);
      return andThen(context.out.write(text), () => 0);
    });
  },
});

interface Request {
  readonly object: 'address' | 'link' | 'route';
  readonly families: readonly (4 | 6)[] | undefined;
  readonly brief: boolean;
  readonly oneLine: boolean;
  readonly device: string | undefined;
  readonly up: boolean;
  readonly onlyDefault: boolean;
}

/** Nothing to look at, or an option that is not there. */
function isUsage(message: string): boolean {
  return message.startsWith('Usage') || message.startsWith('Option');
}

/** What is asked for, or what is wrong. */
function readWords(words: readonly string[]): Request | string {
  let families: readonly (4 | 6)[] | undefined;
  let brief = false;
  let oneLine = false;
  let next = 0;
  for (; words[next]?.startsWith('-') === true; next++) {
    const word = (words[next] as string).replace(/^--?/, '');
    if (word === '4') families = [4];
    else if (word === '6') families = [6];
    else if (isShort(word, 'brief', 2)) brief = true;
    else if (isShort(word, 'oneline', 1)) oneLine = true;
    else return `Option "-${word}" is unknown, try "ip --help".`;
  }
  const given = words[next++];
  if (given === undefined) return 'Usage: ip [-4|-6] [-br|-o] { address | link | route } [show] [dev NAME]';
  const object = (['address', 'link', 'route'] as const).find((name) => isShort(given, name, 1));
  if (object === undefined) return `Object "${given}" is unknown, try "ip --help".`;
  if (isCommand(words[next])) next++;
  let device: string | undefined;
  let up = false;
  let onlyDefault = false;
  for (; next < words.length; next++) {
    const word = words[next] as string;
    if (word === 'dev') {
      device = words[++next];
      if (device === undefined) return 'Command line is not complete. Try option "help"';
    } else if (word === 'up' && object !== 'route') up = true;
    else if (word === 'default' && object === 'route') onlyDefault = true;
    else if (CHANGES.has(word)) return `ip: '${given} ${word}' changes the host: rmsh only looks at it`;
    else if (object !== 'route' && device === undefined) device = word;
    else return `ip: '${word}' is not supported, try "ip --help".`;
  }
  return { object, families, brief, oneLine, device, up, onlyDefault };
}

const CHANGES = new Set(['add', 'append', 'change', 'del', 'delete', 'flush', 'replace', 'restore', 'save', 'set']);

function isCommand(word: string | undefined): boolean {
  return word !== undefined && word !== '' && (isShort(word, 'show', 1) || isShort(word, 'list', 1) || word === 'ls');
}

/** `a`, `addr`: the beginning of a word, of at least `least` letters. */
function isShort(text: string, word: string, least: number): boolean {
  return text.length >= least && word.startsWith(text);
}

function interfaces(request: Request, kernel: KernelFacts, all: readonly NetworkInterface[]): string {
  const { object, families, brief, oneLine, device, up } = request;
  const six = kernel.text('if_inet6') ?? '';
  let text = '';
  for (const one of all) {
    if ((device !== undefined && one.name !== device) || (up && (one.flags & 1) === 0)) continue;
    if (object === 'link') {
      if (brief) text += `${briefName(one, all)} ${one.address} ${flagsOf(one)} \n`;
      else text += `${linkLine(one, all)}${oneLine ? '\\' : '\n'}${hardwareLine(one)}\n`;
      continue;
    }
    const addresses = addressesOf(one, six).filter(({ family }) => families?.includes(family) !== false);
    if (families !== undefined && addresses.length === 0) continue;
    if (brief) {
      const list = addresses.map((address) => `${address.text} `).join('');
      text += `${briefName(one, all)} ${list}\n`;
      continue;
    }
    if (!oneLine) text += `${linkLine(one, all)}\n${families === undefined ? `${hardwareLine(one)}\n` : ''}`;
    for (const { family, text: address, scope, more } of addresses) {
      const start = oneLine ? `${one.index}: ${one.name}` : '';
      text += `${start}    ${family === 4 ? 'inet' : 'inet6'} ${address} scope ${scope}${more}\n`;
    }
  }
  return text;
}

function briefName(one: NetworkInterface, all: readonly NetworkInterface[]): string {
  return `${fullName(one, all).padEnd(16)} ${stateOf(one).padEnd(14)}`;
}

function routes({ families = [4], device, onlyDefault }: Request, kernel: KernelFacts): string {
  const all = families.flatMap((family) =>
    family === 4 ? parseRoutes4(kernel.text('route') ?? '') : parseRoutes6(kernel.text('ipv6_route') ?? ''),
  );
  return all
    .filter((route) => (device === undefined || route.device === device) && (!onlyDefault || route.to === 'default'))
    .map((route) => `${routeLine(route, device === undefined)}\n`)
    .join('');
}
