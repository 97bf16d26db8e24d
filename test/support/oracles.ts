/** The real shells that rows are compared with: the fuzzer has the same ones. */
export * from '../../src/sandbox/oracle-shells.js';
