/** Parameter expansion (POSIX 2.6.2): `${x}` and its operations. */
import type { ParameterExpansion, ParameterOperation, Word } from '../../grammar/ast.js';
import { type Awaitable, andThen, type Waiting } from '../steps.js';
import { codePoints } from '../text/bytes.js';
import { ExpansionError, type ExpansionHost } from './host.js';
import { strip } from './strip.js';
import { expandPattern, expandString, joinParts } from './words.js';

/** Where the result of an operation goes: as text, as the operation's own word, or as the list `$@` stands for. */
interface Receiver {
  text(value: string): Waiting;
  word(word: Word): Waiting;
  list(values: readonly string[]): Waiting;
}

/** The parameter's value, or undefined when it is unset; `set -u` makes that an error. */
export function parameterOrUnset(host: ExpansionHost, part: ParameterExpansion): string | undefined {
  const value = host.parameter(part.name);
  if (value === undefined && host.nounset) throw unbound(part.name);
  return value;
}

function unbound(name: string): ExpansionError {
  return new ExpansionError(`${name}: unbound variable`);
}

/** Carries out `operation`. `quoted`: the expansion stands in double quotes. */
export function expandOperation(
  host: ExpansionHost,
  part: ParameterExpansion,
  operation: ParameterOperation,
  quoted: boolean,
  to: Receiver,
): Waiting {
  const { name } = part;
  const isList = name === '@' || name === '*';
  switch (operation.kind) {
    case 'Length':
      if (isList) return to.text(String(host.positional().length));
      return to.text(String(codePoints(parameterOrUnset(host, part) ?? '')));
    case 'Strip': {
      if (!isList) {
        const value = parameterOrUnset(host, part) ?? '';
        const pattern = expandPattern(host, operation.pattern.parts);
        return deliver(
          andThen(pattern, (p) => strip(value, p, operation)),
          to.text,
        );
      }
      const values = host.positional();
      const pattern = expandPattern(host, operation.pattern.parts);
      return deliverList(
        andThen(pattern, (p) => values.map((value) => strip(value, p, operation))),
        to.list,
      );
    }
    default:
      break;
  }
  // ${@-w} asks whether there are positional parameters; ${@:-w} also whether they hold anything.
  const values = isList ? host.positional() : undefined;
  const value = values === undefined ? host.parameter(name) : values.length === 0 ? undefined : values.join(' ');
  const missing = value === undefined || (operation.orEmpty && value === '');
  switch (operation.kind) {
    case 'Default':
      if (missing) return to.word(operation.word);
      return values === undefined ? to.text(value) : to.list(values);
    case 'Alternative':
      return missing ? undefined : to.word(operation.word);
    case 'Assign': {
      if (!missing) return values === undefined ? to.text(value) : to.list(values);
      if (!isAssignable(name)) throw new ExpansionError(`$${name}: cannot assign in this way`);
      const word = quoted ? joinParts(host, operation.word.parts, true) : expandString(host, operation.word);
      return deliver(word, (text) => {
        host.assign(name, text);
        return to.text(host.parameter(name) ?? text);
      });
    }
    case 'Error': {
      if (!missing) return values === undefined ? to.text(value) : to.list(values);
      const words = operation.orEmpty ? 'parameter null or not set' : 'parameter not set';
      const message = operation.word === undefined ? words : joinParts(host, operation.word.parts, quoted);
      return deliver(message, (text) => {
        throw new ExpansionError(`${name}: ${text}`);
      });
    }
  }
}

function isAssignable(name: string): boolean {
  const code = name.charCodeAt(0);
  return code === 95 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function deliver(value: Awaitable<string>, to: (value: string) => Waiting): Waiting {
  return typeof value === 'string' ? to(value) : value.then(to);
}

function deliverList(value: Awaitable<readonly string[]>, to: (values: readonly string[]) => Waiting): Waiting {
  return value instanceof Promise ? value.then(to) : to(value);
}
