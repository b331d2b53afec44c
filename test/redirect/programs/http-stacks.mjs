// Requests to a host of the vendor through every HTTP client that programs use.
import { fork } from 'node:child_process'
import http from 'node:http'
import https, { get as namedGet } from 'node:https'
import tls, { connect as namedConnect } from 'node:tls'
import { Worker } from 'node:worker_threads'
import axios from 'axios'
import got from 'got'
import * as undici from 'undici'

const url = 'https://sellingpartnerapi-na.amazon.com/healthz'
const results = {}

const read = (get, target, options = {}) =>
  new Promise((resolve, reject) => {
    const request = get(target, options, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode, reused: request.reusedSocket }))
    })
    request.on('error', reject)
  })

results.https = (await read(https.get, url)).status
results.namedImport = (await read(namedGet, url)).status
results.http = (await read(http.get, url.replace('https', 'http'))).status
results.fetch = (await fetch(url)).status
results.undiciFetch = (await undici.fetch(url)).status
results.undiciRequest = (await undici.request(url)).statusCode
results.undiciHttp2 = (await undici.request(url, { dispatcher: new undici.Agent({ allowH2: true }) })).statusCode
results.axios = (await axios.get(url)).status
results.got = (await got(url)).statusCode
results.gotHttp2 = (await got(url, { http2: true })).statusCode
const tight = { lookup: 5000, connect: 5000, secureConnect: 5000, socket: 5000, response: 5000, request: 9000 }
results.gotTimeouts = (await got(url, { timeout: tight })).statusCode

const agent = new https.Agent({ keepAlive: true, maxSockets: 1, timeout: 5000, rejectUnauthorized: true })
await read(https.get, url, { agent })
results.keepsAlive = (await read(https.get, url, { agent })).reused
agent.destroy()

const socket = await new Promise((resolve, reject) => {
  const connecting = namedConnect(443, 'sellingpartnerapi-na.amazon.com', () => resolve(connecting))
  connecting.on('error', reject)
})
results.socket = [socket.encrypted, socket.authorized, socket.alpnProtocol, socket.getProtocol()]
socket.destroy()

// A tunnel through a proxy: only the server name says where it leads.
const proxy = http.createServer().on('connect', (_request, tunnel) => tunnel.write('HTTP/1.1 200 OK\r\n\r\n'))
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))
const proxyUrl = `http://127.0.0.1:${proxy.address().port}`
results.proxyAgent = (await undici.request(url, { dispatcher: new undici.ProxyAgent(proxyUrl) })).statusCode
proxy.close()

const aborting = new AbortController()
const aborted = fetch(url, { signal: aborting.signal }).catch((error) => error.name)
aborting.abort()
results.aborted = await aborted

const oneRequest = new URL('./one-request.mjs', import.meta.url)
results.thread = await new Promise((resolve) => new Worker(oneRequest).once('message', resolve))
results.childProcess = await new Promise((resolve) => fork(oneRequest).once('message', resolve))

const own = http.createServer((_request, response) => response.end('mine')).listen(0, '127.0.0.1')
await new Promise((resolve) => own.once('listening', resolve))
results.otherHost = await (await fetch(`http://127.0.0.1:${own.address().port}`)).text()
own.close()
own.closeAllConnections()

const otherTls = tls.connect({ host: '127.0.0.1', port: 1, servername: 'other.example' })
results.otherTls = await new Promise((resolve) => otherTls.once('error', ({ message }) => resolve(message)))

console.log(JSON.stringify(results))
