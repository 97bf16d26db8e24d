/** A word of a command line as gnulib's `shell_quote` writes it. */
export function quoteWord(word: string): string {
  if (word === '') return "''";
  const special = /[\t\n !"#$&'()*;<=>?[\\\]^`{|}~]/.test(word);
  return special ? `'${word.replaceAll("'", "'\\''")}'` : word;
}
