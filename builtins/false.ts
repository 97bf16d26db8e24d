/** false: fail. */
import { defineBuiltin } from './kit/define.js';

export const falseCommand = defineBuiltin({
  name: 'false',
  summary: 'fail',
  needs: [],
  usage: 'false [ignored arguments]',
  flags: {},
  options: 'none',
  helpless: true,
  statuses: { 1: 'always' },
  run: () => 1,
});
