import type { FastifyServerOptions } from 'fastify'

/**
 * Compilers of schemas that accept every value and write it as JSON, for apps that bring their own or need none. The
 * framework would load its own otherwise, which takes as long as to load the framework.
 */
export const passingCompilers = {
  compilersFactory: {
    buildValidator: () => () => () => true,
    buildSerializer: () => () => JSON.stringify,
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>
