/**
 * Traces: what a request set in motion, step by step, across processes. Spans are made by the store's own seams (a
 * request, a statement, a job, a call to a provider, a mail); nothing of another package is patched. Until
 * `beginTracing` is called, every function here does nothing but run the work it is given. Names and attributes come
 * from closed lists: never what somebody typed, never an address with its query, never a value of a statement.
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
  /** Which part of the traces that begin here is kept, from 0 to 1. */
  share: number
}

/** How many traces a process begins in a second at most, whatever it is asked. */
export const mostTracesASecond = 50

type Tracing = { tracer: Tracer; share: number; second: number; begun: number }

// The server bundle has its own copy of this module besides the one shop.ts loads.
const key = Symbol.for('sidewall.tracing')
const shared = globalThis as { [key]?: Tracing }

/** Lets spans be made by `tracer`, of which a `share` from 0 to 1 of all traces is kept. */
export function traceWith(tracer: Tracer, share: number): void {
  shared[key] = { tracer, share, second: 0, begun: 0 }
}

/** Makes no spans from now on. */
export function traceNothing(): void {
  delete shared[key]
}

type Step = { name: string; kind?: SpanKind; attributes?: Attributes }

/**
 * Runs `work` as the first step of this process, under the trace that `traceparent` names, or a new one. Of a trace
 * `from: 'ours'` the decision to keep it is taken over; a stranger's only gives the trace its id, since whoever could
 * decide could also fill the memory behind it.
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

/** A span for something that ends elsewhere; whoever asked for it ends it. Undefined where nothing is traced. */
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

/** Says of a span that it failed, by the error's class: its message may name people. */
export function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', error instanceof Error ? error.name : 'thrown')
}

/** The id of the current trace, 32 hexadecimal digits; undefined where nothing is traced. */
export function currentTraceId(): string | undefined {
  return currentSpan()?.spanContext().traceId
}

/** What passes the current trace on, as W3C Trace Context writes it; undefined where nothing is traced. */
export function currentTraceparent(): string | undefined {
  const span = currentSpan()
  return span && traceparentOf(span)
}

/** A span as W3C Trace Context writes it. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

/** Version 00 of W3C Trace Context; undefined for anything else, as the standard asks of who cannot read it. */
export function readTraceparent(text: unknown): { traceId: string; spanId: string; isKept: boolean } | undefined {
  if (typeof text !== 'string' || text.length !== 55) return undefined
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isKept: (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0 }
}

/** Whether one more trace is kept now: by chance, and never more than `mostTracesASecond`. */
function keepsAnother(tracing: Tracing): boolean {
  if (tracing.share < 1 && Math.random() >= tracing.share) return false
  const second = Math.floor(performance.now() / 1_000)
  if (second !== tracing.second) [tracing.second, tracing.begun] = [second, 0]
  tracing.begun += 1
  return tracing.begun <= mostTracesASecond
}
