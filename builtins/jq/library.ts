/** What a jq program can call: functions of values, of filters, and those that are written in jq. */
import { VALUE_FUNCTIONS } from './functions.js';

/** Functions that take their arguments as filters, or look beyond their input. `evaluate.ts` has them. */
const FILTER_FUNCTIONS: ReadonlySet<string> = new Set(
  `empty/0 error/0 error/1 path/1 select/1 recurse/0 recurse/1 range/1 range/2 range/3 first/1 last/1 limit/2 until/2 while/2
repeat/1 isempty/1 any/2 all/2 sort_by/1 group_by/1 unique_by/1 min_by/1 max_by/1 paths/0 del/1 env/0 input/0 inputs/0 debug/0
input_filename/0 halt/0 halt_error/0 halt_error/1 getpath/1 _sub/3 now/0`.split(/\s+/),
);

/** One definition a function; what it calls is found in the same way. */
const DEFINITIONS = `
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def with_entries(f): to_entries | map(f) | from_entries;
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def recurse_down: recurse;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def scalars: select(type | . != "array" and . != "object");
def any: any(.[]; .);
def all: all(.[]; .);
def any(f): any(.[]; f);
def all(f): all(.[]; f);
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("nth doesn't support negative indices") else last(limit($n + 1; f)) end;
def paths(f): path(.. | select(f)) | select(length > 0);
def leaf_paths: paths(scalars);
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def match(re): _match(re)[];
def match(re; flags): _match(re; flags)[];
def scan(re): match(re; "g") | if (.captures | length) > 0 then [.captures[].string] else .string end;
def capture(re): match(re) | [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def capture(re; flags): match(re; flags) | [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def splits(re): split(re; null)[];
def splits(re; flags): split(re; flags)[];
def sub(re; str): _sub(re; ""; str);
def sub(re; str; flags): _sub(re; flags; str);
def gsub(re; str): _sub(re; "g"; str);
def gsub(re; str; flags): _sub(re; flags + "g"; str);
def tostream: path(def r: (.[]?|r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init | foreach f as $i ($init; if .e then $init else . end | if $i | length == 2 then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1]) else setpath(["e"]; $i[0] | length == 1) end; if .e then .x else empty end);
def truncate_stream(stream): . as $n | null | stream | . as $input | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
`;

const byKey = new Map<string, string>();

/** The text of a definition in jq. */
export function definitionOf(key: string): string | undefined {
  if (byKey.size === 0) {
    for (const line of DEFINITIONS.split('\n')) {
      const [, name, parameters] = /^def (\w+)(?:\(([^)]*)\))?:/.exec(line) ?? [];
      if (name !== undefined) byKey.set(`${name}/${parameters?.split(';').length ?? 0}`, line);
    }
  }
  return byKey.get(key);
}

export function isNative(key: string): boolean {
  return FILTER_FUNCTIONS.has(key) || Object.hasOwn(VALUE_FUNCTIONS, key);
}
