/** A find as a row of a `*.cases` file: the form is described in `test/cases/README.md` of the source. */
import type { Find } from './campaign.js';
import { BASE } from './scenario.js';

/** Bytes that are no text, as hexadecimal. */
function contentOf(content: string | Uint8Array): string | { readonly hex: string } {
  return typeof content === 'string' ? content : { hex: Buffer.from(content).toString('hex') };
}

/** Everything below the base becomes relative to the row's own directory, which is its only root. */
export function caseOf({ property, why, seed, path, scenario }: Find): string {
  const { script, tree, policy, environment, cwd } = scenario;
  const words = why.replaceAll(/\s+/g, ' ').slice(0, 200);
  const lines = [
    `# rmsh fuzz --property ${property} --seed ${seed} --path ${path}`,
    `# ${words}`,
    `=== fuzz ${property} ${seed} ${path}`,
  ];
  const home = script.includes(BASE) ? [`BASE=$PWD`] : [];
  const into = cwd.startsWith(`${BASE}/`) && Object.keys(tree).length > 0 ? [`cd ${cwd.slice(BASE.length + 1)}`] : [];
  const exported = Object.entries(environment).map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'`,
  );
  const body = [...home, ...into, ...exported, script.replaceAll(BASE, '$BASE')].join('\n');
  lines.push(`--- script ${JSON.stringify(body)}`);
  for (const [name, entry] of Object.entries(tree)) {
    const spec =
      typeof entry === 'string' || entry instanceof Uint8Array
        ? contentOf(entry)
        : 'directory' in entry
          ? { dir: true }
          : 'hardlink' in entry
            ? { hardlink: entry.hardlink.slice(BASE.length + 1) }
            : 'special' in entry
              ? { fifo: true }
              : 'symlink' in entry
                ? entry
                : typeof entry.content === 'string'
                  ? { content: entry.content, ...(entry.mode === undefined ? {} : { mode: entry.mode }) }
                  : contentOf(entry.content);
    lines.push(`--- file ${JSON.stringify(name.slice(BASE.length + 1))} ${JSON.stringify(spec)}`);
  }
  const { allowedPaths: _, external: __, version: ___, ...kept } = policy;
  lines.push(`--- policy ${JSON.stringify(kept)}`, `--- differs ${words}`, '');
  return `${lines.join('\n')}\n`;
}
