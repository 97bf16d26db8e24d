/**
 * Faults that are put into the built library one at a time, to see how many scenarios the fuzzer needs to find each. `from` stands once in
 * `dist/*.mjs`; `property` is the one that has to find it.
 */
export const FAULTS = [
  // The removal budget.
  {
    name: 'one removal too many',
    property: 'removals',
    from: 'if (used >= limit) return false;',
    to: 'if (used > limit) return false;',
  },
  {
    name: 'the budget is looked at before a removal waits, and charged after it',
    property: 'removals',
    from: `			if (used >= limit) return false;
			used += 1;
			return true;`,
    to: `			if (used >= limit) return false;
			setImmediate(() => { used += 1; });
			return true;`,
  },
  {
    name: 'no removal is charged',
    property: 'removals',
    from: `			used += 1;
			return true;`,
    to: '			return true;',
  },
  {
    name: 'a removal that was made is given back',
    property: 'removals',
    from: `	spend() {
		this.#reserved = false;`,
    to: '	spend() {\n		this.giveBack();',
  },
  {
    name: 'a rename over a file costs nothing',
    property: 'removals',
    from: 'replaces: stat.kind === "directory" || same ? void 0 : stat',
    to: 'replaces: void 0',
  },
  {
    name: 'one operand of rm too many',
    property: 'operands',
    from: 'const most = limits.maxRemoveOperands;',
    to: 'const most = limits.maxRemoveOperands + 1;',
  },
  // The mode and the roots.
  {
    name: 'read-only mode does not hold for changes',
    property: 'read-only',
    from: 'if (purpose !== "read" && this.#shared.options.mode === "read-only") throw new Refused("READ_ONLY_MODE");',
    to: '',
  },
  {
    name: 'rm does not ask for the mode',
    property: 'check',
    from: 'if (definition.remediationOnly === true && !context.remediation) {',
    to: 'if (false) {',
  },
  {
    name: 'a read-only root can be written',
    property: 'outside',
    from: 'if (!this.root.writable) throw new Refused("EACCES", "read-only-root");',
    to: '',
  },
  {
    name: '.. goes up as the kernel would, and out of a root',
    property: 'disk',
    from: `		if (this.#steps.length === 0) {
			this.#setOut(dirname(this.root.path));
			return;
		}`,
    to: `		if (this.#steps.length === 0) {
			this.#steps.push({ name: "..", held: this.here.hold("..") });
			return;
		}`,
  },
  {
    name: 'a file with a second name outside is written',
    property: 'outside',
    from: 'if (stat.kind !== "directory" && stat.nlink > 1) throw new Refused("HARD_LINK_WRITE");',
    to: '',
  },
  {
    name: 'writes follow symbolic links',
    property: 'links',
    from: 'if (this.#purpose === "write") throw new Refused("SYMLINK_WRITE");',
    to: '',
  },
  {
    name: 'links are followed without an end',
    property: 'outside',
    from: 'if (++this.#links > MAX_LINKS) throw new Refused("ELOOP");',
    to: '',
  },
  {
    name: 'O_NOFOLLOW is missing where a descriptor is held',
    property: 'disk',
    from: 'return new HeldDescriptor(fs.openSync(this.#at(name), O_PATH | O_NOFOLLOW));',
    to: 'return new HeldDescriptor(fs.openSync(this.#at(name), O_PATH));',
  },
  // The language.
  {
    name: 'quoted words are split',
    property: 'posix',
    from: `		builder.quoted(checkLength(host, values.join(host.separators.joiner)));
		return;`,
    to: `		builder.expanded(values.join(host.separators.joiner));
		return;`,
  },
  {
    name: '"$@" is split',
    property: 'posix',
    from: 'if (quoted) builder.quoted(values[i]);',
    to: 'if (false) builder.quoted(values[i]);',
  },
  {
    name: '"$*" is joined by spaces whatever IFS is',
    property: 'posix',
    from: 'builder.quoted(checkLength(host, values.join(host.separators.joiner)));',
    to: 'builder.quoted(checkLength(host, values.join(" ")));',
  },
  {
    name: 'the left of && and || ends a set -e shell',
    property: 'posix',
    from: `function runAndOr(shell, node) {
	shell.errexitIgnored += 1;`,
    to: `function runAndOr(shell, node) {
	shell.errexitIgnored += 0;`,
  },
  {
    name: 'set -e ends nothing',
    property: 'posix',
    from: 'const ending = (shell.options & OPTIONS.errexit.bit) === 0 ? outcome : completion("exit", outcome);',
    to: 'const ending = outcome;',
  },
  {
    name: 'the longest prefix is cut where the shortest is meant',
    property: 'posix',
    from: 'const end = how.longest ? compiled.longestPrefix(value) : compiled.shortestPrefix(value);',
    to: 'const end = compiled.longestPrefix(value);',
  },
  {
    name: 'the shortest suffix is cut where the longest is meant',
    property: 'posix',
    from: 'const start = how.longest ? compiled.longestSuffix(value) : compiled.shortestSuffix(value);',
    to: 'const start = compiled.shortestSuffix(value);',
  },
  {
    name: 'a subshell writes to variables of the shell around',
    property: 'posix',
    from: 'let variable = foreign ? saved?.copy() : saved;',
    to: 'let variable = saved;',
  },
  {
    name: 'a shell and its subshell share functions and aliases',
    property: 'posix',
    from: `		if (before.users > 1) {
			before.users -= 1;`,
    to: `		if (false) {
			before.users -= 1;`,
  },
  {
    name: 'the fields of $x are not split at IFS',
    property: 'posix',
    from: 'if (!separators.leavesWhole(value)) splitPlain(value, separators, host.limits.maxFields, out);',
    to: 'if (false) splitPlain(value, separators, host.limits.maxFields, out);',
  },
  {
    name: 'the remaining operators of an AND-OR list are taken for &&',
    property: 'posix',
    from: `		if (outcome === 0 !== (operator === "&&")) continue;
		if (i === last) {
			shell.errexitIgnored -= 1;
			return runStatement(shell, statement);`,
    to: `		if (outcome !== 0) continue;
		if (i === last) {
			shell.errexitIgnored -= 1;
			return runStatement(shell, statement);`,
  },
  {
    name: 'a tilde stays a tilde',
    property: 'posix',
    from: 'return host.home(user) ?? `~${user}`;',
    to: 'return `~${user}`;',
  },
  // Limits.
  {
    name: 'no timeout',
    property: 'limits',
    from: 'this.#deadline = setTimeout(() => this.stop(new ShellError("timeout", message)), options.timeoutMs);',
    to: '',
  },
  {
    name: 'captured output has no end',
    property: 'limits',
    from: 'return new LimitedByteCapture(limitBytes);',
    to: 'return new LimitedByteCapture(Infinity);',
  },
  {
    name: 'back-pressure of pipes is dropped',
    property: 'limits',
    from: 'return queue.size < queue.capacity ? void 0 : this.#roomLater(queue);',
    to: 'return void 0;',
  },
  {
    name: 'nobody counts commands, and nothing waits for the clock',
    property: 'limits',
    from: 'if (++this.#commands > this.#options.maxCommands)',
    to: 'if (false)',
  },
  // Text, trees and verdicts.
  {
    name: 'quote() leaves a single quote as it is',
    property: 'quote',
    from: `function quoteAlways(text) {
	return \`'\${mapParts(text, (part) => part.replaceAll("'", "'\\\\''"))}'\`;`,
    to: `function quoteAlways(text) {
	return \`'\${text}'\`;`,
  },
  {
    name: 'quote() takes an equals sign, a tilde and a star for plain',
    property: 'quote',
    from: 'unit >= 43 && unit <= 58 || unit >= 64 && unit <= 90 || unit === 95 || unit === 37;',
    to: 'unit >= 42 && unit <= 58 || unit >= 64 && unit <= 90 || unit === 95 || unit === 37 || unit === 126;',
  },
  {
    name: 'check() takes every granted file for one that may be written',
    property: 'check',
    from: 'if (purpose === "write" && !root.writable) {',
    to: 'if (false) {',
  },
  {
    name: 'the printer leaves the quotes away',
    property: 'print',
    from: `part.text.replace(/[\\\\']/g, "\\\\$&")}'\` : \`'\${part.text}'\`;`,
    to: `part.text.replace(/[\\\\']/g, "\\\\$&")}'\` : part.text;`,
  },
  {
    name: 'check() does not count operands of rm',
    property: 'check',
    from: 'if (operands.length > maxRemoveOperands) return refused(',
    to: 'if (operands.length > maxRemoveOperands + 1) return refused(',
  },
  // Commands.
  {
    name: 'head prints a line less',
    property: 'gnu',
    from: `function headLines(context, source, delimiter, count) {
	let left = count;`,
    to: `function headLines(context, source, delimiter, count) {
	let left = count - 1;`,
  },
  {
    name: 'tail that prints nothing opens its files',
    property: 'gnu',
    from: 'if (flags.follow !== true && wanted.count === 0 && !wanted.fromStart) return 0;',
    to: '',
  },
];
