/**
 * Sending traces over OTLP. Loaded only where an endpoint is set: see `openTracing`. The queue is bounded, so that a
 * collector that is away costs memory for 2,048 spans and no more.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { traceCalls } from './trace-calls.ts'
import { traceNothing, traceWith, type TracingConfig } from './tracing.ts'

const sendEveryMs = 2_000
const timeoutMs = 5_000
const mostWaiting = 2_048

/** Starts tracing this process under the name `service`. The result stops it and exports the rest. */
export function startTracing({
  endpoint,
  share,
  service,
  ownOrigins,
  knownOrigins,
}: TracingConfig & TracedCalls & { service: string }): () => Promise<void> {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url, timeoutMillis: timeoutMs }),
    maxQueueSize: mostWaiting,
    scheduledDelayMillis: sendEveryMs,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'process.pid': process.pid }),
    spanProcessors: [processor],
  })
  const stopCalls = traceCalls({ ownOrigins, knownOrigins, exporter: url })
  traceWith(provider.getTracer('sidewall'), share)
  return async () => {
    traceNothing()
    stopCalls()
    await provider.shutdown().catch(() => {})
  }
}

export type TracedCalls = {
  /** Our own servers, which receive the trace. */
  ownOrigins: readonly string[]
  /** Provider origins, which can have their paths in spans. Excludes third-party URLs. */
  knownOrigins: readonly string[]
}
