import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../http/route.ts'
import { StorageError } from '../platform/errors/storage-error.ts'
import { documentsHostOf, vendorServiceOf } from '../platform/vendor-hosts.ts'

/**
 * Requests that a redirect, a proxy or TLS brought here have a host of the vendor. Their responses link to a host of S3,
 * as on the live service: some clients download with node:https, which refuses links to http://127.0.0.1.
 */
export class VendorLinks {
  readonly #origin = new AsyncLocalStorage<string>()
  /** Most clients use one host. */
  #ordinaryHost: string | undefined

  /** The origin of the links in the response to the current request; undefined for a host that is not the vendor's. */
  origin(): string | undefined {
    return this.#origin.getStore()
  }

  /** Hooks on all routes. */
  readonly routes: Routes = (app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const { host } = request.headers
      if (host === this.#ordinaryHost || host === undefined) return done()
      const service = vendorServiceOf(host)
      if (service === undefined) {
        this.#ordinaryHost = host
        return done()
      }
      if (service === 'documents') {
        if (!isPublic(request)) return done(notInS3())
        request.vendorOrigin = `https://${host}`
      } else {
        request.vendorOrigin = `https://${documentsHostOf(host)}`
      }
      this.#origin.run(request.vendorOrigin, done)
    })
    // Again, because the context is lost while a body arrives.
    app.addHook('preHandler', ({ vendorOrigin }, _reply, done) => {
      if (vendorOrigin === undefined) done()
      else this.#origin.run(vendorOrigin, done)
    })
    app.decorateRequest('vendorOrigin', undefined)
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The origin of links in the response; undefined for a host that is not the vendor's. */
    vendorOrigin: string | undefined
  }
}

/** Signed URLs and schemas are. Everything else that a client asks S3 for is not here. */
const isPublic = ({ routeOptions }: FastifyRequest) => routeOptions?.config?.access === 'public'

const notInS3 = () =>
  new StorageError('NoSuchBucket', 'Souk stands in for S3 only at the signed URLs that its own responses contain.')
