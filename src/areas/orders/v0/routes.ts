import { Type } from 'typebox'
import { type App, errorResponses, type Routes, sellerOf } from '../../../http/route.ts'
import { ORDERS_PATH, type OrdersV0Operations } from './operations.ts'
import {
  GetOrderAddressResponse,
  GetOrderBuyerInfoResponse,
  GetOrderItemsBuyerInfoResponse,
  GetOrderItemsResponse,
  GetOrderRegulatedInfoResponse,
  GetOrderResponse,
  GetOrdersResponse,
  ItemsQuery,
  OrderParams,
  OrdersQuery,
} from './schema.ts'
import type { OrdersV0WriteOperations } from './write-operations.ts'
import { ConfirmShipmentBody, UpdateShipmentStatusBody, UpdateVerificationStatusBody } from './write-schema.ts'

const tags = ['orders']
const PATH = `${ORDERS_PATH}/:orderId`
const seller = { access: { seller: true } } as const
const rate = { perSecond: 0.5, burst: 30 }
const restricted = { ...seller, restricted: true, rate } as const
const done = { 204: Type.Null({ description: 'Done' }), ...errorResponses }

export function createOrdersV0Routes(reads: OrdersV0Operations, writes: OrdersV0WriteOperations): Routes {
  return (app: App) => {
    app.get(
      ORDERS_PATH,
      {
        config: { ...seller, restricted: true, rate: { perSecond: 0.0167, burst: 20 } },
        schema: {
          operationId: 'getOrders',
          summary: 'List orders created or updated in a period',
          tags,
          querystring: OrdersQuery,
          response: { 200: GetOrdersResponse, ...errorResponses },
        },
      },
      (request) => reads.getOrders(sellerOf(request), request.query),
    )

    app.get(
      PATH,
      {
        config: restricted,
        schema: {
          operationId: 'getOrder',
          summary: 'Get an order',
          tags,
          params: OrderParams,
          response: { 200: GetOrderResponse, ...errorResponses },
        },
      },
      (request) => reads.getOrder(sellerOf(request), request.params.orderId),
    )

    app.get(
      `${PATH}/buyerInfo`,
      {
        config: restricted,
        schema: {
          operationId: 'getOrderBuyerInfo',
          summary: 'Get the buyer of an order',
          tags,
          params: OrderParams,
          response: { 200: GetOrderBuyerInfoResponse, ...errorResponses },
        },
      },
      (request) => reads.getOrderBuyerInfo(sellerOf(request), request.params.orderId),
    )

    app.get(
      `${PATH}/address`,
      {
        config: restricted,
        schema: {
          operationId: 'getOrderAddress',
          summary: 'Get the shipping address of an order',
          tags,
          params: OrderParams,
          response: { 200: GetOrderAddressResponse, ...errorResponses },
        },
      },
      (request) => reads.getOrderAddress(sellerOf(request), request.params.orderId),
    )

    app.get(
      `${PATH}/orderItems`,
      {
        config: restricted,
        schema: {
          operationId: 'getOrderItems',
          summary: 'Get the items of an order',
          tags,
          params: OrderParams,
          querystring: ItemsQuery,
          response: { 200: GetOrderItemsResponse, ...errorResponses },
        },
      },
      (request) => reads.getOrderItems(sellerOf(request), request.params.orderId, request.query.NextToken),
    )

    app.get(
      `${PATH}/orderItems/buyerInfo`,
      {
        config: restricted,
        schema: {
          operationId: 'getOrderItemsBuyerInfo',
          summary: 'Get what the buyer stated for the items of an order',
          tags,
          params: OrderParams,
          querystring: ItemsQuery,
          response: { 200: GetOrderItemsBuyerInfoResponse, ...errorResponses },
        },
      },
      (request) => reads.getOrderItemsBuyerInfo(sellerOf(request), request.params.orderId, request.query.NextToken),
    )

    app.get(
      `${PATH}/regulatedInfo`,
      {
        config: restricted,
        schema: {
          operationId: 'getOrderRegulatedInfo',
          summary: 'Get the regulated information of an order',
          tags,
          params: OrderParams,
          response: { 200: GetOrderRegulatedInfoResponse, ...errorResponses },
        },
      },
      (request) => writes.getOrderRegulatedInfo(sellerOf(request), request.params.orderId),
    )

    app.patch(
      `${PATH}/regulatedInfo`,
      {
        config: { ...seller, rate },
        schema: {
          operationId: 'updateVerificationStatus',
          summary: 'Update the verification of regulated information',
          tags,
          params: OrderParams,
          body: UpdateVerificationStatusBody,
          response: done,
        },
      },
      async (request, reply) => {
        await writes.updateVerificationStatus(sellerOf(request), request.params.orderId, request.body)
        return reply.code(204).send(null)
      },
    )

    app.post(
      `${PATH}/shipment`,
      {
        config: { ...seller, rate: { perSecond: 5, burst: 15 } },
        schema: {
          operationId: 'updateShipmentStatus',
          summary: 'Update the status of an order that is picked up in a store',
          tags,
          params: OrderParams,
          body: UpdateShipmentStatusBody,
          response: done,
        },
      },
      async (request, reply) => {
        await writes.updateShipmentStatus(sellerOf(request), request.params.orderId, request.body)
        return reply.code(204).send(null)
      },
    )

    app.post(
      `${PATH}/shipmentConfirmation`,
      {
        config: { ...seller, rate: { perSecond: 2, burst: 10 } },
        schema: {
          operationId: 'confirmShipment',
          summary: 'Create or edit a shipped package of an order',
          tags,
          params: OrderParams,
          body: ConfirmShipmentBody,
          response: done,
        },
      },
      async (request, reply) => {
        await writes.confirmShipment(sellerOf(request), request.params.orderId, request.body)
        return reply.code(204).send(null)
      },
    )
  }
}
