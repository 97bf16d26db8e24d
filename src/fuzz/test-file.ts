/** A find as a test that runs as it stands: `node --test FILE`, where rmsh and fast-check are installed. */
import type { MemoryEntry } from '../files/memory.js';
import type { Find } from './campaign.js';

const LIBRARY = 'rmsh/fuzz';

/** As JavaScript: JSON, but for bytes. */
function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `Uint8Array.of(${value.join(', ')})`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  const fields = Object.entries(value).filter(([, one]) => one !== undefined && typeof one !== 'bigint');
  return `{ ${fields.map(([key, one]) => `${JSON.stringify(key)}: ${literal(one)}`).join(', ')} }`;
}

const treeLines = (tree: Readonly<Record<string, MemoryEntry>>): string =>
  Object.entries(tree)
    .map(([path, entry]) => `      ${JSON.stringify(path)}: ${literal(entry)},\n`)
    .join('');

/** `builtins`: the address of the module that the user's commands come from. Each test brings all that it needs: a file may have many. */
export function testOf({ property, why, seed, path, scenario }: Find, builtins: string | undefined): string {
  const { script, tree, policy, environment, cwd, expected } = scenario;
  const given =
    builtins === undefined ? '' : `, { builtins: Object.values(await import(${literal(builtins)})).flat() }`;
  return `// rmsh fuzz --property ${property} --seed ${seed} --path ${path}
// ${why.replaceAll(/\s+/g, ' ').slice(0, 200)}
(await import('node:test')).test(${literal(`${property}, seed ${seed}, path ${path}`)}, async () => {
  const { whyNot } = await import(${literal(LIBRARY)});
  const scenario = {
    script: ${literal(script)},
    tree: {
${treeLines(tree)}    },
    policy: ${literal(policy)},
    environment: ${literal(environment)},
    cwd: ${literal(cwd)},
${expected === undefined ? '' : `    expected: ${literal(expected)},\n`}  };
  const why = await whyNot(${literal(property)}, scenario${given});
  if (why !== undefined) throw new Error(why);
});
`;
}
