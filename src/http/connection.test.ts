import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
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
