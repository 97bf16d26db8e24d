/** `performance.now()` for the program: the real one loads a dozen modules of Node, which takes longer than a small script. */
export const performance = {
  now() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
};
