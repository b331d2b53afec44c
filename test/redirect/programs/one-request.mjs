// Sends the status of one request to the parent, which is a thread or a process.
import { get } from 'node:https'
import { parentPort } from 'node:worker_threads'

get('https://sellingpartnerapi-na.amazon.com/healthz', (response) => {
  const { statusCode } = response.resume()
  if (parentPort) parentPort.postMessage(statusCode)
  else process.send(statusCode, () => process.disconnect())
})
