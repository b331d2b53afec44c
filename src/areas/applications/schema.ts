import { Type } from 'typebox'

/** Clients send no body, an empty object or unknown keys. */
export const IgnoredBody = Type.Optional(Type.Unknown({ description: 'Ignored' }))
