/** The logged parts of an error. They are enough to find the cause, without sent, stored, or typed data. */
export type SerializedError = { type: string; message: string; stack: string; cause?: SerializedError } & Partial<
  Record<(typeof told)[number], string | number>
>

/**
 * Properties that identify errors of Node, PostgreSQL and providers. Everything else they carry (rows, requests,
 * responses) is left out.
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
 * A pattern, the replacement's name, and a sign the match must also contain. Each match scans from its start only, so
 * that long text stays cheap.
 */
const secrets: readonly [pattern: RegExp, name: string, sign?: string][] = [
  // Database and mail server URLs contain the password.
  [/\/\/[^/\s:@]+:[^/\s@]+@/g, '//[password]@'],
  [/(?<![^\s<>"'(),:;/[\]@])[^\s<>"'(),:;/[\]@]+@[^\s<>"'(),:;/@]+/g, '[email]', '.'],
  [/\b\d(?:[ -]?\d){12,18}\b/g, '[number]'],
  [/\b(?:sk|pi)_\w+/g, '[secret]', 'secret'],
  [/\b(?:(?:sk|rk)_(?:live|test)|whsec)_\w+/g, '[secret]'],
  [/(?<![\w-])[\w-]+(?:\.[\w-]+){2,}/g, '[token]', 'eyJ'],
]

/**
 * Text without anything that looks like an email address, a card, a key or a token: other systems' messages quote their
 * input.
 */
export function withoutSecrets(text: string): string {
  return secrets.reduce(
    (left, [pattern, name, sign = '']) => left.replace(pattern, (found) => (found.includes(sign) ? name : found)),
    text,
  )
}
