/** --include, --exclude and --exclude-dir: which files are searched (gnulib's `exclude`). */
import { compilePattern, type Pattern } from '../../src/text/pattern.js';

interface Rule {
  readonly pattern: Pattern;
  readonly include: boolean;
}

export class Selection {
  private readonly rules: Rule[] = [];

  add(glob: string, include: boolean): void {
    this.rules.push({ pattern: compilePattern(glob), include });
  }

  /** Of rules that match the last one decides; when none does, the opposite of the first. An operand matches by any of its last parts. */
  skips(name: string, operand: boolean): boolean {
    const [first] = this.rules;
    if (first === undefined) return false;
    for (let i = this.rules.length - 1; i >= 0; i--) {
      const rule = this.rules[i] as Rule;
      if (matches(rule.pattern, name, operand)) return !rule.include;
    }
    return first.include;
  }
}

function matches(pattern: Pattern, name: string, operand: boolean): boolean {
  if (pattern.matches(name)) return true;
  if (!operand) return false;
  for (let slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
    if (name[slash + 1] !== '/' && pattern.matches(name.slice(slash + 1))) return true;
  }
  return false;
}
