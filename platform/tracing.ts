/**
 * Traces of the steps caused by a request, across processes. The store creates spans at its boundaries (a request, a
 * statement, a job, a provider call, an email) without patching other packages. Until `beginTracing` is called, every
 * function here only runs its work. Names and attributes come from fixed lists, and never contain user input, URLs with
 * queries, or statement values.
 */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api'
import type { Tracer } from '@opentelemetry/api'
import { currentSpan, withSpan } from './request-scope.ts'

export type TracingConfig = {
  /** Where traces are sent, without `/v1/traces`. */
  endpoint: string
  /** The sampled fraction of new traces, from 0 to 1. */
  share: number
}

/** The maximum number of new traces per second and process. */
export const mostTracesASecond = 50

type Tracing = { tracer: Tracer; share: number; second: number; begun: number }

// The server bundle has its own copy of this module, different from the one in application.ts.
const key = Symbol.for('sidewall.tracing')
const shared = globalThis as { [key]?: Tracing }

/** Creates spans with `tracer` and samples a `share` from 0 to 1 of all traces. */
export function traceWith(tracer: Tracer, share: number): void {
  shared[key] = { tracer, share, second: 0, begun: 0 }
}

/** Makes no spans from now on. */
export function traceNothing(): void {
  delete shared[key]
}

type Step = { name: string; kind?: SpanKind; attributes?: Attributes }

/**
 * Runs `work` as this process's first step, under the trace in `traceparent` or a new one. A trace `from: 'ours'` also
 * sets the sampling decision. External callers only set the trace ID, because otherwise they could fill the trace
 * storage.
 */
export function beginTrace<Value>(
  step: Step & { traceparent: unknown; from: 'ours' | 'anyone' },
  work: (span: Span | undefined) => Promise<Value>,
): Promise<Value> {
  const tracing = shared[key]
  if (!tracing) return work(undefined)
  const parent = readTraceparent(step.traceparent)
  const isKept = step.from === 'ours' && parent ? parent.isKept : keepsAnother(tracing)
  if (!isKept) return work(undefined)
  const context = parent
    ? trace.setSpanContext(ROOT_CONTEXT, {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: true,
      })
    : ROOT_CONTEXT
  const { name, kind = SpanKind.INTERNAL, attributes = {} } = step
  return measure(tracing.tracer.startSpan(name, { kind, attributes }, context), work)
}

/** Runs `work` as a step of the current trace; without one, it just runs. */
export function traceStep<Value>(
  { name, kind = SpanKind.INTERNAL, attributes = {} }: Step,
  work: (span: Span | undefined) => Promise<Value>,
): Promise<Value> {
  const tracing = shared[key]
  const parent = tracing && currentSpan()
  if (!parent) return work(undefined)
  return measure(tracing.tracer.startSpan(name, { kind, attributes }, trace.setSpan(ROOT_CONTEXT, parent)), work)
}

/** Creates a span for a step that ends elsewhere. The caller must end it. Returns undefined without tracing. */
export function openStep({ name, kind = SpanKind.INTERNAL, attributes = {} }: Step): Span | undefined {
  const tracing = shared[key]
  const parent = tracing && currentSpan()
  return parent && tracing.tracer.startSpan(name, { kind, attributes }, trace.setSpan(ROOT_CONTEXT, parent))
}

async function measure<Value>(span: Span, work: (span: Span) => Promise<Value>): Promise<Value> {
  try {
    return await withSpan(span, () => work(span))
  } catch (error) {
    markFailed(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Marks a span as failed with the error's class, because its message can contain personal data. */
export function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', error instanceof Error ? error.name : 'thrown')
}

/** Returns the current trace's ID, 32 hexadecimal digits. Undefined without tracing. */
export function currentTraceId(): string | undefined {
  return currentSpan()?.spanContext().traceId
}

/** Returns the current trace in W3C Trace Context format. Undefined without tracing. */
export function currentTraceparent(): string | undefined {
  const span = currentSpan()
  return span && traceparentOf(span)
}

/** A span as W3C Trace Context writes it. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

/** Parses version 00 of W3C Trace Context. Returns undefined for anything else, as the standard requires. */
export function readTraceparent(text: unknown): { traceId: string; spanId: string; isKept: boolean } | undefined {
  if (typeof text !== 'string' || text.length !== 55) return undefined
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isKept: (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0 }
}

/** Returns whether to sample another trace. Samples randomly, up to `mostTracesASecond`. */
function keepsAnother(tracing: Tracing): boolean {
  if (tracing.share < 1 && Math.random() >= tracing.share) return false
  const second = Math.floor(performance.now() / 1_000)
  if (second !== tracing.second) [tracing.second, tracing.begun] = [second, 0]
  tracing.begun += 1
  return tracing.begun <= mostTracesASecond
}
