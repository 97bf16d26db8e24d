/** true: succeed. */
import { defineBuiltin } from './kit/define.js';

export const trueCommand = defineBuiltin({
  name: 'true',
  summary: 'succeed',
  needs: [],
  usage: 'true [ignored arguments]',
  flags: {},
  options: 'none',
  statuses: { 0: 'always' },
  run: () => 0,
});
