/**
 * What of an error is written into the log: what somebody needs to find its cause, and nothing that was sent, stored or
 * typed.
 */
export type SerializedError = { type: string; message: string; stack: string; cause?: SerializedError } & Partial<
  Record<(typeof told)[number], string | number>
>

/**
 * Members by which errors of Node, PostgreSQL and providers are known. What else they carry (rows, requests, answers)
 * stays out.
 */
const told = [
  'code',
  'constraint',
  'table',
  'column',
  'routine',
  'severity',
  'status',
  'statusCode',
  'requestId',
  'syscall',
  'errno',
] as const

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutSecrets(String(error)), stack: '' }
  const members = told.flatMap((name): [string, string | number][] => {
    const value = (error as unknown as Record<string, unknown>)[name]
    return typeof value === 'number' || typeof value === 'string' ? [[name, value]] : []
  })
  return {
    type: error.name,
    message: withoutSecrets(error.message),
    stack: withoutSecrets(error.stack ?? ''),
    ...Object.fromEntries(members),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  }
}

/**
 * A pattern, what stands for what it finds, and what that must hold besides. Each is read from its beginning only, so
 * that a long text costs little.
 */
const secrets: readonly [pattern: RegExp, name: string, sign?: string][] = [
  // Database and mail servers are named with their password.
  [/\/\/[^/\s:@]+:[^/\s@]+@/g, '//[password]@'],
  [/(?<![^\s<>"'(),:;/[\]@])[^\s<>"'(),:;/[\]@]+@[^\s<>"'(),:;/@]+/g, '[email]', '.'],
  [/\b\d(?:[ -]?\d){12,18}\b/g, '[number]'],
  [/\b(?:sk|pi)_\w+/g, '[secret]', 'secret'],
  [/\b(?:(?:sk|rk)_(?:live|test)|whsec)_\w+/g, '[secret]'],
  [/(?<![\w-])[\w-]+(?:\.[\w-]+){2,}/g, '[token]', 'eyJ'],
]

/**
 * Text without what looks like an address of mail, a card, a key or a token: messages of others quote what they were
 * given.
 */
export function withoutSecrets(text: string): string {
  return secrets.reduce(
    (left, [pattern, name, sign = '']) => left.replace(pattern, (found) => (found.includes(sign) ? name : found)),
    text,
  )
}
