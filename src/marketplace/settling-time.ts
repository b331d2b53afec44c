/**
 * Data of a time can be read completely after this long: a change has the time of its request, and can be committed
 * after a change with a later time, also by a process whose clock is behind.
 */
export const SETTLING_MILLISECONDS = 2 * 60 * 1000
