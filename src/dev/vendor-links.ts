import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../http/route.ts'
import { StorageError } from '../platform/errors/storage-error.ts'
import { documentsHostOf, REDIRECT_HEADER, vendorServiceOf } from '../platform/vendor-hosts.ts'

/**
 * Responses to requests that a redirect, a proxy or TLS brought here link to a host of S3, as on the live service: some
 * clients download with node:https, which refuses links to http://127.0.0.1. The Host header alone does not decide,
 * because some clients send the vendor's host to whatever address they were given.
 */
export class VendorLinks {
  readonly #origin = new AsyncLocalStorage<string>()
  /** Most clients use one host. */
  #ordinaryHost: string | undefined
  readonly #redirected = new WeakSet<Socket>()

  /** The origin of the links in the response to the current request; undefined for a host that is not the vendor's. */
  origin(): string | undefined {
    return this.#origin.getStore()
  }

  /** A hook on all routes. */
  readonly routes: Routes = (app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const { host } = request.headers
      if (host === this.#ordinaryHost || host === undefined) return done()
      const service = vendorServiceOf(host)
      if (service === undefined) {
        this.#ordinaryHost = host
        return done()
      }
      const isDocument = service === 'documents'
      if (isDocument && !isPublic(request)) return done(notInS3())
      if (!isDocument && !this.#reachesS3(request)) return done()
      // Bodies are read by promises, so the handler has the context, too.
      this.#origin.run(`https://${isDocument ? host : documentsHostOf(host)}`, done)
    })
  }

  /** Whether the client's requests to hosts of S3 arrive here, too. */
  #reachesS3({ headers, socket }: FastifyRequest): boolean {
    if (headers[REDIRECT_HEADER] !== undefined) this.#redirected.add(socket)
    return this.#redirected.has(socket) || 'encrypted' in socket
  }
}

/** Signed URLs and schemas are. Everything else that a client asks S3 for is not here. */
const isPublic = ({ routeOptions }: FastifyRequest) => routeOptions?.config?.access === 'public'

const notInS3 = () =>
  new StorageError('NoSuchBucket', 'Souk stands in for S3 only at the signed URLs that its own responses contain.')
