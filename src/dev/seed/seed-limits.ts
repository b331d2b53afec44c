/** What an import takes, and so what an export has. */
export const MAX_SEED_BYTES = 64 * 1024 * 1024
