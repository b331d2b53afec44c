import { measureRounds } from './support/alternate.ts'
import { startBareHttpServer } from './support/baselines.ts'
import { grantToken, TOKEN_PATH, tokenForm } from './support/demo-client.ts'
import { sendLoad } from './support/load.ts'
import { startSouk } from './support/souk-process.ts'
import { atLeast, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const CONNECTIONS = 32
const ROUNDS = { warmUps: 8, counted: 21 }
const GRANTS_IN_ROUND = 4_000

export async function measureTokens(): Promise<Figure[]> {
  using folder = makeTempFolder()
  await using souk = await startSouk(folder.path, ['--rates', '1000000000'])
  await using bare = await startBareHttpServer(await grantToken(souk.url))
  const rounds = await measureRounds(ROUNDS, 'grants/s', {
    ours: () => grantTokens(souk.url),
    baseline: () => grantTokens(bare.url),
  })
  return [atLeast(0.5, 'createToken with a refresh token, over bare node:http', 'grants/s', rounds)]
}

function grantTokens(url: string): Promise<number> {
  const form = String(tokenForm())
  const lines = [
    `POST ${TOKEN_PATH} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${form.length}`,
  ]
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${form}`)
  return sendLoad({
    url,
    connections: CONNECTIONS,
    count: GRANTS_IN_ROUND,
    expectedStatus: 200,
    nextRequest: () => request,
  })
}
