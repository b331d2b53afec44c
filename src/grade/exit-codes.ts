/** Of a command that was stopped because it took too long, as of the shell's `timeout`. */
export const EXIT_TIMED_OUT = 124
