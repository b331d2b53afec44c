import type { Command } from 'commander'
import { HOSTS_FILE_NAMES } from '../platform/vendor-hosts.ts'
import { explainDataError, prepareDataFolder } from './data-folder.ts'
import { origin } from './parse-options.ts'

interface TlsOptions {
  data: string
  proxy: string
}

/** Prints lines to copy, so that a user need not know the settings of each language. */
export function addTlsCommand(program: Command): void {
  program
    .command('tls')
    .description('Print the settings with which clients trust souk dev and reach it')
    .option('--data <folder>', 'data folder of souk dev', '.souk')
    .option('--proxy <url>', 'address of souk dev', origin('--proxy'), 'http://127.0.0.1:4700')
    .action((options: TlsOptions) => printSettings(options))
}

async function printSettings({ data, proxy }: TlsOptions): Promise<void> {
  const folder = prepareDataFolder(data)
  const { openAuthority } = await import('../platform/certificates/certificate-authority.ts')
  try {
    const authority = openAuthority(folder.certificates, (message) => console.error(`souk: ${message}`))
    console.log(formatSettings(authority, proxy))
  } catch (error) {
    throw explainDataError(error, folder)
  }
}

function formatSettings({ file, bundleFile }: { file: string; bundleFile: string }, proxy: string): string {
  const ca = quote(file)
  const bundle = quote(bundleFile)
  const store = quote(file.replace(/ca\.pem$/, 'truststore.p12'))
  const { protocol, hostname, port } = new URL(proxy)
  const proxyPort = port || (protocol === 'https:' ? 443 : 80)
  return `# The certificate of the local authority: ${file}
# Only programs with these settings trust it. Set them where the client runs, not for the whole system.

# The proxy: requests to the vendor's hosts arrive at souk dev.
export HTTPS_PROXY=${quote(proxy)}

# Node.js
export NODE_EXTRA_CA_CERTS=${ca} NODE_USE_ENV_PROXY=1
# Python, Ruby, OpenSSL; on Linux also Go and .NET
export SSL_CERT_FILE=${bundle}
# Python with requests
export REQUESTS_CA_BUNDLE=${bundle}
# AWS clients
export AWS_CA_BUNDLE=${bundle}
# curl
export CURL_CA_BUNDLE=${bundle}
# PHP
php -d curl.cainfo=${bundle} -d openssl.cafile=${bundle} app.php
# Java: create a trust store once, then run with it
keytool -importcert -noprompt -alias souk -file ${ca} -keystore ${store} -storetype PKCS12 -storepass changeit
java -Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=changeit -Dhttps.proxyHost=${hostname} -Dhttps.proxyPort=${proxyPort} App
# .NET and Go on Windows
certutil -user -addstore Root ${quoteForWindows(file)}
# .NET and Go on macOS
security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${ca}

# Without a proxy: start souk dev --tls --tls-port 443, and add these lines to /etc/hosts.
${HOSTS_FILE_NAMES.map((host) => `127.0.0.1 ${host}`).join('\n')}

# See ${new URL('/docs/tls', proxy)}`
}

/** For a shell, where the text is not a plain word. */
const quote = (text: string) => (/^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** For cmd.exe and PowerShell. A path on Windows contains no quotes. */
const quoteForWindows = (text: string) => (/^[\w.:\\/-]+$/.test(text) ? text : `"${text}"`)
