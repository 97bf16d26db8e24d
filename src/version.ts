/** The version of rmsh, as `rmsh --version` prints it. */
export const VERSION = '0.1.0';
