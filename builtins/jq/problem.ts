/** What is wrong with a program, found before it runs. Caught where the program is parsed, nowhere else. */
export class SyntaxProblem extends Error {
  /** Where in the text. */
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
