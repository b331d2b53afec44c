import { type Static, Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { ConsoleAccount, ConsoleAccountName } from '../../marketplace/accounts/console-accounts.ts'
import { SellerId, strict } from '../../marketplace/schema.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../platform/auth/password.ts'
import {
  operatorConfig as config,
  DEFAULT_PAGE_SIZE,
  PageQuery,
  operatorTags as tags,
} from '../resources/resource-routes.ts'
import type { ConsoleAccountOperations } from './operations.ts'

const ACCOUNTS = '/operator/v1/consoleAccounts'
const ACCOUNT = `${ACCOUNTS}/:name`
const AccountParams = Type.Object({ name: Type.String() })
const Password = Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH })
const AccountList = Type.Object({
  consoleAccounts: Type.Array(ConsoleAccount),
  nextToken: Type.Optional(Type.String()),
})

export function createConsoleAccountRoutes(operations: ConsoleAccountOperations): Routes {
  return (app: App) => {
    app.post(
      ACCOUNTS,
      {
        config,
        schema: {
          operationId: 'createConsoleAccount',
          summary: 'Create an account of the web console',
          tags,
          body: Type.Object(
            {
              name: ConsoleAccountName,
              role: Type.Enum(['operator', 'seller']),
              sellerId: Type.Optional(SellerId),
              password: Password,
            },
            strict,
          ),
          response: { 201: ConsoleAccount, ...errorResponses },
        },
      },
      async (request, reply) => reply.code(201).send(await operations.createConsoleAccount(request.body)),
    )

    app.get(
      ACCOUNTS,
      {
        config,
        schema: {
          operationId: 'listConsoleAccounts',
          summary: 'List accounts of the web console',
          tags,
          querystring: PageQuery,
          response: { 200: AccountList, ...errorResponses },
        },
      },
      async ({ query }): Promise<Static<typeof AccountList>> =>
        operations.listConsoleAccounts({ pageSize: DEFAULT_PAGE_SIZE, ...query }),
    )

    app.get(
      ACCOUNT,
      {
        config,
        schema: {
          operationId: 'findConsoleAccount',
          summary: 'Get an account of the web console',
          tags,
          params: AccountParams,
          response: { 200: ConsoleAccount, ...errorResponses },
        },
      },
      async (request) => operations.findConsoleAccount(request.params.name),
    )

    app.patch(
      ACCOUNT,
      {
        config,
        schema: {
          operationId: 'patchConsoleAccount',
          summary: 'Disable or enable an account of the web console',
          description: 'Its sessions end, and so does its lock after failed sign-ins.',
          tags,
          params: AccountParams,
          body: Type.Object({ isDisabled: Type.Boolean() }, strict),
          response: { 200: ConsoleAccount, ...errorResponses },
        },
      },
      async (request) => operations.setDisabled(request.params.name, request.body.isDisabled),
    )

    app.put(
      `${ACCOUNT}/password`,
      {
        config,
        schema: {
          operationId: 'setConsolePassword',
          summary: 'Set the password of an account of the web console',
          description: 'Its sessions end, and so does its lock after failed sign-ins.',
          tags,
          params: AccountParams,
          body: Type.Object({ password: Password }, strict),
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.setPassword(request.params.name, request.body.password)
        return {}
      },
    )

    app.delete(
      ACCOUNT,
      {
        config,
        schema: {
          operationId: 'deleteConsoleAccount',
          summary: 'Delete an account of the web console and its sessions',
          tags,
          params: AccountParams,
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.deleteConsoleAccount(request.params.name)
        return {}
      },
    )
  }
}
