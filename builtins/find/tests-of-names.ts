/** Tests of names: of the last component, of the whole path, of what a link says. */
import { compilePattern } from '../../src/text/pattern.js';
import type { Entry } from '../kit/walk/entry.js';
import type { Primaries, Primary } from './arguments.js';
import { compileRegex } from './regex-types.js';
import type { Search } from './search.js';

function pattern(of: (entry: Entry) => string, fold: boolean): Primary {
  return (args) => {
    const text = args.take();
    const compiled = compilePattern(fold ? text.toLowerCase() : text);
    return fold ? (entry) => compiled.matches(of(entry).toLowerCase()) : (entry) => compiled.matches(of(entry));
  };
}

function link(fold: boolean): Primary {
  return (args, search) => {
    const text = args.take();
    const compiled = compilePattern(fold ? text.toLowerCase() : text);
    return (entry) => {
      if (!isLink(entry, search)) return false;
      const target = entry.readlink();
      return compiled.matches(fold ? target.toLowerCase() : target);
    };
  };
}

/** A link that is not followed, or that leads nowhere. */
function isLink(entry: Entry, search: Search): boolean {
  return (search.follow === 'always' ? entry.stat().kind : entry.kind()) === 'symlink';
}

function regex(fold: boolean): Primary {
  return (args, search) => {
    const matches = compileRegex(args.take(), search.regexType, fold, search.context.look);
    return (entry) => matches(entry.path);
  };
}

export const nameTests: Primaries = {
  name: pattern((entry) => entry.name, false),
  iname: pattern((entry) => entry.name, true),
  path: pattern((entry) => entry.path, false),
  wholename: pattern((entry) => entry.path, false),
  ipath: pattern((entry) => entry.path, true),
  iwholename: pattern((entry) => entry.path, true),
  lname: link(false),
  ilname: link(true),
  regex: regex(false),
  iregex: regex(true),
};
