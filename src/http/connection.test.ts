import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../platform/errors/api-error.ts'
import { Connection, setsOwnPace } from './connection.ts'
import { defaultTimeouts } from './timeouts.ts'

const HOUR_MILLISECONDS = 60 * 60 * 1000

describe('a response that sends nothing for an hour', () => {
  const begin = () => {
    const socket = new Socket()
    const request = new IncomingMessage(socket)
    request.complete = true
    const response = new ServerResponse(request)
    const connection = new Connection(socket, defaultTimeouts)
    connection.begin(request, response)
    return { socket, response, connection }
  }

  test('is cut off', () => {
    const { socket, connection } = begin()
    for (const now of [0, HOUR_MILLISECONDS]) connection.check(now)
    expect(socket.destroyed).toBe(true)
  })

  test('is not cut off if another server sets its pace', () => {
    const { socket, response, connection } = begin()
    setsOwnPace(response)
    for (const now of [0, HOUR_MILLISECONDS]) connection.check(now)
    expect(socket.destroyed).toBe(false)
  })
})

describe('a connection whose request was refused before its body had arrived', () => {
  const refuse = () => {
    const socket = new Socket()
    const request = new IncomingMessage(socket)
    const response = new ServerResponse(request)
    const connection = new Connection(socket, defaultTimeouts)
    connection.begin(request, response)
    request.on('error', () => {})
    connection.fail(new ApiError('RequestTimeout', 'The request did not arrive in time.'))
    // As Node.js does after the response.
    socket.destroySoon()
    return { socket, request, connection }
  }

  test('is cut off if the client sends the rest and does not hang up', () => {
    const { socket, request, connection } = refuse()
    request.complete = true
    connection.check(0)
    expect(socket.destroyed).toBe(false)
    connection.check(HOUR_MILLISECONDS)
    expect(socket.destroyed).toBe(true)
  })

  test('takes no further request', () => {
    const { socket, connection } = refuse()
    const next = new IncomingMessage(socket)
    expect(connection.begin(next, new ServerResponse(next))).toBe(false)
  })
})
