import { describe, expect, it } from 'vitest';
import type {
  ArithmeticText,
  Command,
  ConditionalExpression,
  List,
  Pipeline,
  Redirection,
  Statement,
} from '../../grammar/index.js';
import { parse, print } from '../../grammar/index.js';
import { commandsOf, eachSpan, shape, statementOf, withoutOffsets } from './support.js';

/** Commands, short: what they are made of, with words as they are printed. */
function short(node: Statement): string {
  switch (node.kind) {
    case 'AndOr':
      return [short(node.first), ...node.rest.map((r) => `${r.operator} ${short(r.statement)}`)].join(' ');
    case 'Pipeline':
      return `${node.timed === 'no' ? '' : `time ${node.timed} `}${node.negated ? '!' : ''}[${piped(node)}]`;
    case 'FunctionDefinition':
      return `${node.keyword ? 'keyword ' : ''}function ${node.name} ${short(node.body)}`;
    default:
      return command(node) + node.redirections.map((r) => ` ${redirection(r)}`).join('');
  }
}

function command(node: Exclude<Command, { kind: 'FunctionDefinition' }>): string {
  switch (node.kind) {
    case 'SimpleCommand':
      return [
        ...node.assignments.map((a) => `<${print(a)}>`),
        ...node.words.map(print),
        ...node.declared.map((d) => `${d.index}<${print(d.assignment)}>`),
      ].join(' ');
    case 'BraceGroup':
      return `{${list(node.body)}}`;
    case 'Subshell':
      return `(${list(node.body)})`;
    case 'If': {
      const clauses = node.clauses.map((c) => `if ${list(c.condition)} then ${list(c.body)}`);
      return [...clauses, ...(node.otherwise === undefined ? [] : [`else ${list(node.otherwise)}`])].join(' ');
    }
    case 'While':
      return `${node.until ? 'until' : 'while'} ${list(node.condition)} do ${list(node.body)}`;
    case 'For':
    case 'Select':
      return `${node.kind.toLowerCase()} ${node.name} ${node.words?.map(print).join(',') ?? '-'} do ${list(node.body)}`;
    case 'ArithmeticFor': {
      const head = [node.first, node.test, node.next].map((text) => (text === undefined ? '-' : arithmetic(text)));
      return `for ((${head.join(';')})) do ${list(node.body)}`;
    }
    case 'ArithmeticCommand':
      return `((${arithmetic(node.text)}))`;
    case 'Conditional':
      return `[[${condition(node.expression)}]]`;
    case 'Case': {
      const items = node.items.map((i) => `${i.patterns.map(print).join('|')}) ${list(i.body)}${i.terminator}`);
      return `case ${print(node.word)} ${items.join(' ')}`;
    }
  }
}

function piped(node: Pipeline): string {
  return node.commands.map((part, index) => short(part) + (node.both[index] === true ? ' 2>&1' : '')).join(' | ');
}

function list(node: List): string {
  return node.items.map((item) => short(item.statement) + (item.background ? '&' : '')).join(';');
}

function redirection(node: Redirection): string {
  const { descriptor } = node;
  const before = typeof descriptor === 'object' ? `{${descriptor.variable}}` : (descriptor ?? '');
  switch (node.kind) {
    case 'FileRedirection':
      return `${before}${node.operator}${print(node.target)}`;
    case 'HereDocument':
      return `${before}<<${print(node.body)}`;
    case 'HereString':
      return `${before}<<<${print(node.word)}`;
  }
}

function arithmetic(text: ArithmeticText): string {
  return text.parts.map(print).join('') + (text.expression === undefined ? '?' : '');
}

function condition(node: ConditionalExpression): string {
  switch (node.kind) {
    case 'And':
    case 'Or':
      return `(${condition(node.left)} ${node.kind} ${condition(node.right)})`;
    case 'Not':
      return `!${condition(node.operand)}`;
    case 'Group':
      return `{${condition(node.operand)}}`;
    case 'UnaryTest':
      return `${node.operator ?? ''} ${shape(node.operand.parts)}`;
    case 'BinaryTest':
      return `${shape(node.left.parts)} ${node.operator} ${shape(node.right.parts)}`;
  }
}

describe('the tree of a command', () => {
  it.each([
    ['a b c', 'a b c'],
    ['x=1 y= a z=2', '<x=1> <y=> a z=2'],
    ['a >f b 2>&1 <g', 'a b >f 2>&1 <g'],
    ['>f x=1 a', '<x=1> a >f'],
    ['a && b || c && d', 'a && b || c && d'],
    ['a | b |\n c', '[a | b | c]'],
    ['! a', '![a]'],
    ['! a | b && ! c', '![a | b] && ![c]'],
    ['{ a; b & }', '{a;b&}'],
    ['(a\nb)', '(a;b)'],
    ['( (a) )', '((a))'],
    ['((a); b)', '((a);b)'],
    ['{ a; } >f 2>&1', '{a} >f 2>&1'],
    ['if a; then b; elif c; then d; else e; fi <f', 'if a then b if c then d else e <f'],
    ['while a; do b; done', 'while a do b'],
    ['until a\ndo b\ndone &', 'until a do b'],
    ['for i in a "b c"; do d; done', 'for i a,"b c" do d'],
    ['for i do a; done', 'for i - do a'],
    ['for i in; do a; done', 'for i  do a'],
    ['case $x in a|"b") c;; (*) d; e ;& f) esac', 'case $x a|"b") c;; *) d;e;& f) ;;'],
    ['f() { a; } >f', 'function f {a} >f'],
    ['f()\n(a)', 'function f (a)'],
    ['>f if', 'if >f'],
    ['echo if {', 'echo if {'],
    ['a <<E b\nx\nE', 'a b <<x\n'],
    ['{ a; } <<E\nx\nE', '{a} <<x\n'],
    ['a 10>f 9999999999>g', 'a 9999999999 10>f >g'],
    ['a 2 >f', 'a 2 >f'],
    ['[[ a ]]', '[[ L(a)]]'],
    ['[[ -f $x && a == b* || ! c ]]', '[[((-f P(x) And L(a) == L(b*)) Or ! L(c))]]'],
    ['[[ ( a ||\n b ) && c < d ]] >f', '[[({( L(a) Or  L(b))} And L(c) < L(d))]] >f'],
    ['[[ a =~ ^(b| c)+"d|"$ ]]', '[[L(a) =~ L(^(b| c)+) D(L(d|)) L($)]]'],
    ['[[ a -ot b ]] && [[ "!" ]]', '[[L(a) -ot L(b)]] && [[ D(L(!))]]'],
    ['((x += 1)) 2>f', '((x += 1)) 2>f'],
    ['(($x $y))', '(($x $y?))'],
    ['for ((i = 0; i < 3; i++)); do a; done', 'for ((i = 0; i < 3; i++)) do a'],
    ['for ((;;)) { a; }', 'for ((-;-;-)) do a'],
    ['for (( ; $(a; b); ))\ndo a; done', 'for ((-; $(a\nb)?;-)) do a'],
    ['select i in a b; do c; done <f', 'select i a,b do c <f'],
    ['select i; do c; done', 'select i - do c'],
    ['function f { a; }', 'keyword function f {a}'],
    ['function f-1 ()\n(a)', 'keyword function f-1 (a)'],
    ['time -p a | b', 'time posix [a | b]'],
    ['! time a', 'time yes ![a]'],
    ['time ! a', 'time yes ![a]'],
    ['time', 'time yes []'],
    ['a |& b | c', '[a 2>&1 | b | c]'],
    ['a &>f &>>g >&h >&2', 'a &>f &>>g &>h >&2'],
    ['a {fd}>f {fd}<<<x {a} >g', 'a {a} {fd}>f {fd}<<<x >g'],
    ['a <<< "b c" <<<d', 'a <<<"b c" <<<d'],
    ['a=(b [c]=d [e]+=f # g\n "h")', '<a=(b [c]=d [e]+=f "h")>'],
    ['a+=1 b[i + 1]=2 c["d e"]+=3 f+=(4) g', '<a+=1> <b[i + 1]=2> <c["d e"]+=3> <f+=(4)> g'],
    ['declare -A a=([b]=c) d e=f >g', 'declare -A d 2<a=([b]=c)> 3<e=f> >g'],
    ['export a={b,c}', 'export a={b,c}'],
    ['case a in b) c ;;& d) ;; esac', 'case a b) c;;& d) ;;'],
  ])('%j', (text, expected) => {
    expect(short(statementOf(text))).toBe(expected);
  });

  it('has all keys in one order', () => {
    const keys = (text: string): string => Object.keys(statementOf(text)).join();
    expect(keys('a')).toBe(keys('x=1 a >f'));
    expect(keys('if a; then b; fi')).toBe(keys('if a; then b; else c; fi >f'));
    expect(keys('for i do a; done')).toBe(keys('for i in a; do b; done'));
  });

  it('separates complete commands at newlines only', () => {
    expect(commandsOf('a; b\nc & d\n\n# x\ne').map((c) => c.list.items.length)).toEqual([2, 2, 1]);
    expect(commandsOf('a &\nb;\n').map((c) => c.list.items.map((i) => i.background))).toEqual([[true], [false]]);
    expect(commandsOf('if a\nthen b\nfi\nc')).toHaveLength(2);
  });
});

describe('here-documents', () => {
  const documents = (text: string): string[] => {
    const found: string[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('kind' in node && node.kind === 'HereDocument' && 'body' in node) {
        found.push(print(node.body as Parameters<typeof print>[0]));
      }
      for (const value of Object.values(node)) visit(value);
    };
    visit(commandsOf(text));
    return found;
  };

  it.each([
    ['a <<E\nx\ny\nE\n', ['x\ny\n']],
    ['a <<E\nE\n', ['']],
    ['a <<E\nx', ['x']],
    ['a <<E', ['']],
    ['a <<E\nx\nE', ['x\n']],
    ['a <<E\nEE\nE \n E\nE\n', ['EE\nE \n E\n']],
    ['a <<A <<B; c <<C\na\nA\nb\nB\nc\nC\n', ['a\n', 'b\n', 'c\n']],
    ["a <<'E'\n$x \\\n`\nE\n", ['$x \\\n`\n']],
    ['a <<"E F"\nx\nE F\n', ['x\n']],
    ['a <<\\E\n$x\nE\n', ['$x\n']],
    ['a <<""\nx\n\ny', ['x\n']],
    ['a <<$x\ny\n$x\n', ['y\n']],
    ['a << \\\n E\nx\nE\n', ['x\n']],
    ['a <<-E\n\t\tx\n\ty\tz\n\tE\n', ['x\ny\tz\n']],
    ["a <<-'E'\n\tx\\\n\ty\n\tE\n", ['x\\\ny\n']],
    ['a <<-E\n\tx\\\n\ty\n\tE\n', ['x\ty\n']],
    ['a <<E\nx\\\nE\nE\n', ['xE\n']],
    ['a <<E\nx\\\\\nE\n', ['x\\\\\n']],
    ['a <<EF\nE\\\nF\n', ['']],
    ['a <<E\n"$x" \\$y \'${z-"q"}\'\nE\n', ['"$x" \\$y \'${z-"q"}\'\n']],
    ['a $(b <<E\n)\nE\n)', [')\n']],
    ['a "$(b <<E\n"\nE\n)" <<F\nf\nF\n', ['"\n', 'f\n']],
    ['a $(b <<E)\nx\nE\n', ['x\n']],
    ['a `b <<E\nx\nE\n`', ['x\n']],
    ['f() {\na <<E\nx\nE\n}\nf', ['x\n']],
    ['a <<E &&\nx\nE\nb', ['x\n']],
    ['a <<E | # c\nx\nE\nb', ['x\n']],
    ['if a <<E; then\nx\nE\nb; fi', ['x\n']],
    ['a <<A\n$(b <<B\nb\nB\n)\nA\n', ['$(b <<B\nb\nB\n)\n', 'b\n']],
  ])('%j has %j', (text, expected) => {
    expect(documents(text)).toEqual(expected);
  });

  it('cannot run over its delimiter', () => {
    const { problem, commands } = parse('a\ncat <<E\n$(b\nE\nc\n');
    expect(commands).toHaveLength(1);
    expect(problem?.message).toContain("expecting ')' for the '$(' on line 3");
  });
});

describe('offsets', () => {
  it('point at the text', () => {
    const text = "x=1 a 'b' >f <<E | c $(d; e) &\n\tg $h\nE\n";
    const [first] = commandsOf(text);
    const found: string[] = [];
    eachSpan(first, ({ start, end, kind }) => {
      if (kind !== undefined && kind !== 'Literal') found.push(`${kind} ${text.slice(start, end)}`);
    });
    expect(found).toEqual([
      "CompleteCommand x=1 a 'b' >f <<E | c $(d; e) &",
      "List x=1 a 'b' >f <<E | c $(d; e) &",
      "Pipeline x=1 a 'b' >f <<E | c $(d; e)",
      "SimpleCommand x=1 a 'b' >f <<E",
      'Assignment x=1',
      'Word 1',
      'Word a',
      "Word 'b'",
      "SingleQuoted 'b'",
      'FileRedirection >f',
      'Word f',
      'HereDocument <<E',
      'Word \tg $h\n',
      'ParameterExpansion $h',
      'SimpleCommand c $(d; e)',
      'Word c',
      'Word $(d; e)',
      'CommandSubstitution $(d; e)',
      'List d; e',
      'SimpleCommand d',
      'Word d',
      'SimpleCommand e',
      'Word e',
    ]);
  });

  it('are those of the script in a document whose tabs are stripped', () => {
    const text = 'a <<-E\n\t\tx $y\n\t$(b\n\t\tc)\n\tE\n';
    const found: string[] = [];
    eachSpan(commandsOf(text), ({ start, end, kind }) => {
      if (kind === 'ParameterExpansion' || kind === 'SimpleCommand') found.push(text.slice(start, end));
    });
    expect(found).toEqual(['a <<-E', '$y', 'b', 'c']);
  });

  it('nest', () => {
    const text = 'if a "$(b ${c-`d`})"; then { e; } >f; else case g in (h|i) j;; esac; fi\n';
    eachSpan(commandsOf(text), (inner, outer) => {
      expect(inner.start).toBeGreaterThanOrEqual(outer.start);
      expect(inner.end).toBeLessThanOrEqual(outer.end);
      expect(inner.start).toBeLessThanOrEqual(inner.end);
    });
    const again = commandsOf(`\n\n${text}`);
    expect(withoutOffsets(again)).toEqual(withoutOffsets(commandsOf(text)));
  });
});
