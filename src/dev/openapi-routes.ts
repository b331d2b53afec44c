import { Type } from 'typebox'
import { CONTROL_PLANE_DOCUMENT, controlPlaneDocument } from '../http/openapi.ts'
import type { Routes } from '../http/route.ts'

/** The OpenAPI document of the control plane, made from its routes. */
export const openApiRoutes: Routes = (app) => {
  app.get(
    CONTROL_PLANE_DOCUMENT,
    {
      config: { access: 'public', ungated: true },
      schema: {
        operationId: 'getControlPlaneDocument',
        summary: 'Get the OpenAPI document of the control plane',
        tags: ['stand-in'],
        response: { 200: Type.Object({}, { additionalProperties: true, description: 'This document' }) },
      },
    },
    async () => controlPlaneDocument(app),
  )
}
