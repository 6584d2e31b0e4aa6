import pino from 'pino'
import { LOG_LEVELS } from '#platform/business-constants.ts'
import { visibleJson } from '#platform/plain-text.ts'
import { currentRequestId } from '#platform/request-scope.ts'
import { currentTraceId } from '#platform/tracing.ts'
import { serializeError } from '#platform/serialized-error.ts'

export type Log = pino.Logger

/**
 * Creates a log with one line of JSON per event on standard output, or on `destination`. The specification's level
 * numbers are error 200, warn 300, and info 400. A line for a request, or for a job that it queued, contains its
 * `requestId`, and `trace_id` if it is traced.
 */
export function createLog(level: string, name: string, destination?: pino.DestinationStream): Log {
  return pino(
    {
      name,
      level,
      mixin: () => {
        const [requestId, traceId] = [currentRequestId(), currentTraceId()]
        return {
          ...(requestId !== undefined && { requestId }),
          ...(traceId !== undefined && { trace_id: traceId }),
        }
      },
      formatters: { level: (label) => ({ level: specifiedLevels[label] ?? label }) },
      serializers: { err: serializeError },
      redact: { paths: hidden.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
    },
    steadied(destination ?? pino.destination(1)),
  )
}

/** JSON already escapes line breaks; this also escapes characters that could control the reader's terminal. */
function steadied(destination: pino.DestinationStream): pino.DestinationStream {
  return { write: (line) => destination.write(visibleJson(line)) }
}

/** Properties with values that must not appear in the log. Errors are handled by serialized-error.ts. */
const hidden = [
  'email',
  'phone',
  'password',
  'client_secret',
  'clientSecret',
  'token',
  'tokens',
  'cookie',
  'authorization',
  'credential',
  'secret',
]

const specifiedLevels: Record<string, number> = { ...LOG_LEVELS, fatal: LOG_LEVELS.error, debug: LOG_LEVELS.info + 100 }
