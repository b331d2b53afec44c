import { ConfigError, type Environment, type TracingConfig } from './config.ts'

/** Undefined if traces are not exported. */
export function readTracing(env: Environment): TracingConfig | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint || env.OTEL_SDK_DISABLED === 'true') return undefined
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT must be the URL of a collector: http://collector:4318.')
  }
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || '1')
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  const serviceName = env.OTEL_SERVICE_NAME
  return {
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: parseHeaders(env.OTEL_EXPORTER_OTLP_HEADERS),
    sampledRatio: ratio,
    ...(serviceName && { serviceName }),
  }
}

/** `name=value,name=value`, percent-encoded. */
function parseHeaders(text: string | undefined): Record<string, string> {
  try {
    const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '')
    const headers = new Headers(
      pairs.map((pair) => pair.split(/=(.*)/s, 2).map((part) => decodeURIComponent(part.trim())) as [string, string]),
    )
    return Object.fromEntries(headers)
  } catch {
    // Without the text: it usually holds a key.
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must be a list of headers: name=value,name=value.')
  }
}
