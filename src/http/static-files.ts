import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors/api-error.ts'

/** Longer names are an error of the file system, not a missing file. */
const MAX_PATH_LENGTH = 100

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

export interface StaticFilesOptions {
  version: string
  folder: string
  /** Of the URLs: `/docs/`. */
  prefix: string
  /**
   * What paths may look like. The one check between a URL and the disk, so it must not match a path that leaves the
   * folder.
   */
  pattern: RegExp
  /** The error if there is no folder, because nothing was built. */
  notBuilt: { message: string; details: string }
}

export interface StaticFile {
  /** The path of the file on the disk. */
  file: string
  size: number
  etag: string
}

export type StaticFiles = ReturnType<typeof createStaticFiles>

/** Serves the files of a folder that a build wrote. */
export function createStaticFiles({ version, folder, prefix, pattern, notBuilt }: StaticFilesOptions) {
  return {
    /** Throws NotFound unless there is a file for the path, with `extension` added to its name. */
    async find(path: string, extension = ''): Promise<StaticFile> {
      if (path.length > MAX_PATH_LENGTH || !pattern.test(path)) throw noFile(path)
      const file = join(folder, path + extension)
      const { size, mtimeMs } = await stat(file).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' || error.code === 'ENOTDIR' ? noFile(path) : error
      })
      // With the version, because npm gives all files of all packages the same time.
      return { file, size, etag: `"${version}-${Math.trunc(mtimeMs).toString(16)}-${size.toString(16)}"` }
    },

    /** Responds with the file, or without it if the client has it. */
    send({ file, size, etag }: StaticFile, request: FastifyRequest, reply: FastifyReply, headers: Headers) {
      reply.headers({ 'content-type': CONTENT_TYPES[extname(file)], etag, ...headers })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      reply.header('content-length', size)
      return reply.send(request.method === 'HEAD' ? undefined : createReadStream(file))
    },
  }

  function noFile(path: string): ApiError {
    if (!existsSync(folder)) return new ApiError('NotFound', notBuilt.message, notBuilt.details)
    return new ApiError('NotFound', `There is no page ${prefix}${path.slice(0, MAX_PATH_LENGTH)}.`, `See ${prefix}.`)
  }
}

type Headers = Record<'content-security-policy' | 'cache-control', string>
