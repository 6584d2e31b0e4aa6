/** Generates valid, unusual, and invalid API calls from the API's document. */
import fc from 'fast-check'
import {
  withQuery,
  type ApiCall,
  type ApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from '#tests/support/api-document.ts'

/**
 * The cart keys, sessions, and existing objects that a caller can know. `leaving` are sessions that a call can sign out
 * or delete.
 */
export type CallGround = {
  carts: string[]
  session: string
  leaving: string[]
  origin: string
  itemIds: number[]
  shopIds: number[]
  vehicle: string
}

/** A call with its operation. */
export type DrawnCall = ApiCall & { operation: Operation }

export function apiCalls(document: ApiDocument, ground: CallGround): fc.Arbitrary<DrawnCall> {
  return fc.constantFrom(...document.operations).chain((operation) =>
    fc
      .record({
        path: fc.tuple(
          ...operation.parameters
            .filter((parameter) => parameter.in === 'path')
            .map((parameter) => named(document, ground, parameter)),
        ),
        query: fc.tuple(
          ...operation.parameters
            .filter((parameter) => parameter.in === 'query')
            .map((parameter) => maybe(document, ground, parameter)),
        ),
        more: fc.oneof(
          { weight: 8, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(fc.tuple(oddNames, hostileText), { maxLength: 3 }) },
        ),
        headers: headersFor(operation, ground),
        body: operation.body ? bodyFor(document, ground, operation.body) : fc.constant(null),
        type: usually(
          'application/json',
          'application/json; charset=utf-16',
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          '',
        ),
      })
      .map(({ path, query, more, headers, body, type }): DrawnCall => {
        const filled = path.reduce((text, [name, value]) => text.replace(`{${name}}`, pathPart(value)), operation.path)
        const fields = [...query.flat(), ...more].map(([name, value]): [string, unknown] => [name, value])
        return {
          operation,
          method: operation.method,
          path: withQuery(filled, fields),
          headers: { ...headers, ...(body !== null && type !== '' && { 'content-type': type }) },
          body,
        }
      }),
  )
}

/** Usually the first value. */
function usually(first: string, ...others: string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
}

function named(document: ApiDocument, ground: CallGround, parameter: Parameter): fc.Arbitrary<[string, unknown]> {
  return valueOf(document, ground, parameter).map((value): [string, unknown] => [parameter.name, value])
}

function maybe(document: ApiDocument, ground: CallGround, parameter: Parameter): fc.Arbitrary<[string, unknown][]> {
  const drawn = named(document, ground, parameter)
  const once = drawn.map((pair) =>
    Array.isArray(pair[1]) ? pair[1].map((each): [string, unknown] => [parameter.name, each]) : [pair],
  )
  return fc.oneof(
    { weight: parameter.required ? 1 : 9, arbitrary: fc.constant<[string, unknown][]>([]) },
    { weight: parameter.required ? 20 : 6, arbitrary: once },
    { weight: 1, arbitrary: fc.array(drawn, { minLength: 2, maxLength: 2 }) },
  )
}

function valueOf(
  document: ApiDocument,
  ground: CallGround,
  { name, schema, example }: Parameter,
): fc.Arbitrary<unknown> {
  const { itemIds, shopIds } = ground
  const real: Record<string, unknown[]> = {
    itemId: itemIds,
    item: itemIds,
    shopId: shopIds,
    vehicle: [ground.vehicle],
    zip: ['60614', '99501', '96813', '09001'],
  }
  const usual = real[name] ?? (example === undefined ? [] : [example])
  return fc.oneof(
    ...(usual.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...usual) }] : []),
    { weight: 4, arbitrary: ofSchema(document, schema, 0) },
    { weight: 3, arbitrary: edgesOf(schema) },
    { weight: 2, arbitrary: hostileText },
  )
}

/** Values that match the schema. */
function ofSchema(document: ApiDocument, unresolved: Schema, depth: number): fc.Arbitrary<unknown> {
  const schema = document.resolve(unresolved)
  const { const: only, enum: choices, anyOf, oneOf, type, properties, required, items, examples } = schema
  const shown = Array.isArray(examples) ? [{ weight: 2, arbitrary: fc.constantFrom<unknown>(...examples) }] : []
  if ('const' in schema) return fc.constant(only)
  if (Array.isArray(choices)) return fc.constantFrom<unknown>(...choices)
  const ways = (anyOf ?? oneOf) as Schema[] | undefined
  if (ways) return fc.oneof(...ways.map((way) => ofSchema(document, way, depth + 1)))
  switch (type) {
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'integer':
    case 'number': {
      const [least, most] = [Number(schema['minimum'] ?? -1_000), Number(schema['maximum'] ?? 1_000_000)]
      return fc.oneof(...shown, { weight: 1, arbitrary: fc.integer({ min: Math.ceil(least), max: Math.floor(most) }) })
    }
    case 'array': {
      const length = {
        minLength: Number(schema['minItems'] ?? 0),
        maxLength: Math.min(Number(schema['maxItems'] ?? 4), 6),
      }
      return fc.oneof(...shown, {
        weight: 1,
        arbitrary: fc.array(ofSchema(document, items as Schema, depth + 1), length),
      })
    }
    case 'object': {
      const parts = Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, Schema>).map(([name, part]) => [
          name,
          ofSchema(document, part, depth + 1),
        ]),
      )
      return fc.oneof(...shown, {
        weight: 2,
        arbitrary: fc.record(parts, { requiredKeys: (required ?? []) as string[] }),
      })
    }
    case 'string':
      return fc.oneof(...shown, { weight: 2, arbitrary: textOf(schema) })
    default:
      return fc.jsonValue()
  }
}

function textOf({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (format === 'date') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))
  if (format === 'email') return fc.emailAddress()
  if (typeof pattern === 'string' && isDrawable(pattern)) return fc.stringMatching(new RegExp(pattern))
  return fc.string({
    unit: 'grapheme',
    minLength: Number(minLength ?? 0),
    maxLength: Math.min(Number(maxLength ?? 40), 300),
  })
}

/** Whether fast-check can generate text from the pattern. */
function isDrawable(pattern: string): boolean {
  return !/\(\?[=!<]|\\p\{/.test(pattern)
}

/** The minimum, the maximum and one beyond each. */
function edgesOf({ type, minimum, maximum, minLength, maxLength, maxItems }: Schema): fc.Arbitrary<unknown> {
  if (type === 'integer' || type === 'number') {
    const [least, most] = [Number(minimum ?? 0), Number(maximum ?? 2 ** 31)]
    return fc.constantFrom<unknown>(least, least - 1, most, most + 1, -1, 0, 0.5, 1e21, '1e3', '0x10', ' 1', '１')
  }
  if (type === 'array')
    return fc.constantFrom<unknown>(
      [],
      Array.from({ length: Number(maxItems ?? 5) + 1 }, () => '1'),
    )
  return fc.constantFrom<unknown>(
    'x'.repeat(Number(maxLength ?? 200)),
    'x'.repeat(Number(maxLength ?? 200) + 1),
    'x'.repeat(Math.max(0, Number(minLength ?? 0) - 1)),
  )
}

const oddNames = fc.constantFrom('', '__proto__', 'constructor', 'toString', 'a[]', 'ssoUid', 'cursor', 'zq9x')

/** Breaks naive readers of text, numbers, dates, paths, markup and statements. */
const hostileText = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\0',
    '\ud800',
    '\u202e',
    "' or 1=1 --",
    '"><script>zq9x</script>',
    '../../etc/passwd',
    '%2e%2e%2f',
    '${7*7}',
    '9'.repeat(60),
    '-1',
    'NaN',
    '1e309',
    'null',
    '{"$ref":"#"}',
    '('.repeat(500),
    '\u{1f6de}'.repeat(50),
    '2026-02-30',
    '-271821-04-20',
    '0001-01-01T00:00:00Z',
    '+275760-09-14T00:00:00Z',
    'x'.repeat(5_000),
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

function bodyFor(document: ApiDocument, ground: CallGround, schema: Schema): fc.Arbitrary<string> {
  const right = ofSchema(document, schema, 0).map((value) => withReal(value, ground))
  const changed = fc
    .tuple(right, fc.nat(20), fc.oneof(hostileText, fc.jsonValue({ maxDepth: 3 })), fc.nat(4))
    .map(([value, at, other, how]) => spoiled(value, at, other, how))
  return fc.oneof(
    { weight: 6, arbitrary: right.map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: changed.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: right.map((value) => JSON.stringify(value).slice(0, -2)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        'null',
        '[]',
        '0',
        '"x"',
        '{"__proto__":{"a":1}}',
        `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
        `"${'x'.repeat(70_000)}"`,
      ),
    },
  )
}

/** Inserts existing article and shop numbers where required, since random ones would never be found. */
function withReal(value: unknown, ground: CallGround): unknown {
  if (Array.isArray(value)) return value.map((each) => withReal(each, ground))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => {
      const real = name === 'itemId' ? ground.itemIds : name === 'shopId' ? ground.shopIds : undefined
      return [
        name,
        real && typeof each === 'number' ? real[Math.abs(Math.trunc(each)) % real.length] : withReal(each, ground),
      ]
    }),
  )
}

/** Removes, replaces or adds one member. */
function spoiled(value: unknown, at: number, other: unknown, how: number): unknown {
  if (typeof value !== 'object' || value === null) return other
  const entries = Object.entries(value) as [string, unknown][]
  const place = entries.length === 0 ? 0 : at % entries.length
  if (how === 0) return Object.fromEntries(entries.filter((_, index) => index !== place))
  if (how === 1) return { ...value, zq9x: other }
  return Object.fromEntries(entries.map(([name, each], index) => [name, index === place ? other : each]))
}

/** These end the session. */
const lastCalls = new Set(['signOut', 'deleteAccount'])

function headersFor(
  operation: Operation,
  { carts, session, leaving, origin }: CallGround,
): fc.Arbitrary<Record<string, string>> {
  const names = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  const who = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(...carts)
        .map((key): Record<string, string> =>
          operation.security.includes('cartKey') ? { authorization: `Bearer ${key}` } : {},
        ),
    },
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(...(lastCalls.has(operation.id) ? leaving : [session]))
        .map((who): Record<string, string> => ({ cookie: `${who}; sw_zip=60614`, origin })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>(
        {},
        { authorization: 'Bearer x' },
        { cookie: session, origin: 'https://evil.test' },
        { cookie: 'sw_session=x' },
      ),
    },
  )
  return fc
    .record({
      who,
      key: fc.oneof(
        { weight: 6, arbitrary: fc.uuid() },
        { weight: 1, arbitrary: fc.constantFrom('', 'again', 'x'.repeat(255), 'x'.repeat(256)) },
      ),
      etag: fc.constantFrom('*', '"1"', '"x"', 'x', ''),
      accept: usually('application/json', '*/*', 'text/html', ''),
      isKeyed: fc.nat(8),
    })
    .map(({ who, key, etag, accept, isKeyed }) => ({
      ...who,
      accept,
      ...(names.includes('Idempotency-Key') && isKeyed > 0 && { 'idempotency-key': key }),
      ...(names.includes('If-Match') && isKeyed > 1 && { 'if-match': etag }),
    }))
}

/** Never empty, and never "..": either would be a different address. */
function pathPart(value: unknown): string {
  const text = encodeURIComponent(String(value).toWellFormed())
  return text === '' || /^(\.|%2e){1,2}$/i.test(text) ? 'x' : text.slice(0, 3_000)
}
