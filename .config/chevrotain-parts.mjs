/**
 * Parts of Chevrotain as the program needs them: a parser with a table of decisions (`grammar/decisions.ts`), without error
 * recovery and without a concrete syntax tree, has nothing to record, to analyse, to suggest and to build. What these leave out is a
 * third of Chevrotain, which each start would load and never call. They stand in for the traits of the same names.
 */

export class GastRecorder {
  initGastRecorder() {
    this.recordingProdStack = [];
    this.RECORDING_PHASE = false;
  }
}

export class ContentAssist {
  initContentAssist() {}
}

export class PerformanceTracer {
  initPerformanceTracer() {}
}

export const IN_RULE_RECOVERY_EXCEPTION = 'InRuleRecoveryException';

export class Recoverable {
  initRecoverable(config) {
    if (config.recoveryEnabled) throw new Error('error recovery is not built in');
    this.recoveryEnabled = false;
  }
  attemptInRepetitionRecovery() {}
  getHumanReadableRuleStack() {
    return this.RULE_STACK.slice(0, this.RULE_STACK_IDX + 1).map((rule) => this.shortRuleNameToFullName(rule));
  }
}

export class TreeBuilder {
  initTreeBuilder(config) {
    if (config.outputCst) throw new Error('concrete syntax trees are not built in');
    this.outputCst = false;
  }
  cstInvocationStateUpdate() {}
  cstFinallyStateUpdate() {}
  cstPostTerminal() {}
  cstPostNonTerminal() {}
  cstPostRule() {}
}

export class LooksAhead {
  initLooksAhead(config) {
    this.dynamicTokensEnabled = false;
    this.maxLookahead = config.maxLookahead;
    this.lookAheadFuncsCache = new Map();
  }
  getKeyForAutomaticLookahead(method, occurrence) {
    return occurrence | method | this.currRuleShortName;
  }
  getLaFuncFromCache(key) {
    return this.lookAheadFuncsCache.get(key);
  }
  setLaFuncCache(key, decide) {
    this.lookAheadFuncsCache.set(key, decide);
  }
}

/** Which token may follow: asked by error recovery alone. */
export class NextTerminalAfterAtLeastOneSepWalker {}
export class NextTerminalAfterAtLeastOneWalker {}
export class NextTerminalAfterManySepWalker {}
export class NextTerminalAfterManyWalker {}

/** `getProdType` and the walks over a grammar ask for more; here a number is handed to a message. */
export const PROD_TYPE = { REPETITION_MANDATORY: 2, REPETITION_MANDATORY_WITH_SEPARATOR: 3 };

/** The patterns of the tokens are functions: no regular expression is taken apart. */
export class RegExpParser {
  pattern() {
    throw new Error('a token has a regular expression as its pattern');
  }
}
export class BaseRegExpVisitor {}
