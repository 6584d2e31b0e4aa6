import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { withRequestId } from '#platform/request-scope.ts'
import {
  beginTrace,
  currentTraceparent,
  mostTracesASecond,
  readTraceparent,
  traceNothing,
  traceStep,
  traceWith,
} from '#platform/tracing.ts'

const exporter = new InMemorySpanExporter()
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test')
const spans = () => exporter.getFinishedSpans()
const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331'

beforeEach(() => exporter.reset())
afterEach(traceNothing)

test('steps share the trace of their request, each under the one it is part of', async () => {
  traceWith(tracer, 1)
  await withRequestId('request-1', () =>
    beginTrace({ name: 'request', traceparent: `${given}-01`, from: 'anyone' }, () =>
      traceStep({ name: 'outer' }, () => traceStep({ name: 'inner' }, () => Promise.resolve())),
    ),
  )
  const [inner, outer, request] = spans()
  expect(spans().map(({ name }) => name)).toEqual(['inner', 'outer', 'request'])
  expect(new Set(spans().map((span) => span.spanContext().traceId))).toEqual(
    new Set(['0af7651916cd43dd8448eb211c80319c']),
  )
  expect([inner, outer, request].map((span) => span?.parentSpanContext?.spanId)).toEqual([
    outer?.spanContext().spanId,
    request?.spanContext().spanId,
    'b7ad6b7169203331',
  ])
})

test('a stranger gives a trace its id, and does not decide whether it is kept', async () => {
  traceWith(tracer, 0)
  await beginTrace({ name: 'request', traceparent: `${given}-01`, from: 'anyone' }, () => Promise.resolve())
  expect(spans()).toEqual([])
  await beginTrace({ name: 'job', traceparent: `${given}-01`, from: 'ours' }, () => Promise.resolve())
  expect(spans()).toHaveLength(1)
  traceWith(tracer, 1)
  await beginTrace({ name: 'job', traceparent: `${given}-00`, from: 'ours' }, () => Promise.resolve())
  expect(spans()).toHaveLength(1)
})

test('a process starts a limited number of traces per second', async () => {
  traceWith(tracer, 1)
  const asked = 10 * mostTracesASecond
  for (let index = 0; index < asked; index += 1)
    await beginTrace({ name: 'request', traceparent: `${given}-01`, from: 'anyone' }, () => Promise.resolve())
  // The loop may run over the end of a second.
  expect(spans().length).toBeGreaterThanOrEqual(mostTracesASecond)
  expect(spans().length).toBeLessThan(asked)
})

test('a failure is marked by its class, without its words', async () => {
  traceWith(tracer, 1)
  const failing = beginTrace({ name: 'job', traceparent: undefined, from: 'ours' }, () =>
    Promise.reject(new RangeError('dana@example.com')),
  )
  await expect(failing).rejects.toThrow('dana@example.com')
  expect(JSON.stringify(spans()[0]?.attributes)).toBe('{"error.type":"RangeError"}')
  expect(spans()[0]?.events).toEqual([])
})

test('without a tracer the work just runs', async () => {
  const done = await beginTrace({ name: 'request', traceparent: `${given}-01`, from: 'ours' }, () =>
    traceStep({ name: 'inner' }, (span) => Promise.resolve([span, currentTraceparent()])),
  )
  expect(done).toEqual([undefined, undefined])
})

test('log lines name the trace', async () => {
  traceWith(tracer, 1)
  const lines: string[] = []
  const log = createLog('info', 'test', { write: (line) => void lines.push(line) })
  log.info('before')
  await beginTrace({ name: 'request', traceparent: `${given}-01`, from: 'ours' }, () => {
    log.info('within')
    return Promise.resolve()
  })
  expect(lines.map((line) => (JSON.parse(line) as { trace_id?: string }).trace_id)).toEqual([
    undefined,
    '0af7651916cd43dd8448eb211c80319c',
  ])
})

test.for([
  [`${given}-01`, true],
  [`${given}-00`, false],
  [`01${given.slice(2)}-01`, undefined],
  [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined],
  [`00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`, undefined],
  [`${given.toUpperCase()}-01`, undefined],
  [`${given}-01, ${given}-01`, undefined],
  ['', undefined],
  [['a'], undefined],
  [undefined, undefined],
])('%s is read as %s', ([text, isKept]) => {
  expect(readTraceparent(text)?.isKept).toBe(isKept)
})
