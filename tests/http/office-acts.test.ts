/** Tests every office action with every role. Refused actions respond with 403 without writes. */
import { glob, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staffOrderActs } from '#domain/ordering/orders/orders.ts'
import { permissions, staffRoles, type Permission, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { contactSubjects } from '#domain/messaging/support/support.ts'
import { newId } from '#platform/ids.ts'
import { acts, doors, subject, type Act } from '#tests/support/office-acts.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'
import { inTurn } from '../../tools/rotation.testing.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
const emailOf = (role: BuiltInRole) => `${role}@example.com`
const db = () => store.database.db
const post = (visitor: Visitor, { path, intent, form }: Act) =>
  visitor.ask(`${store.origin}${path()}`, { form: { ...form, ...(intent !== '' && { intent }) } })
const permits = (permission: Permission, role: BuiltInRole) =>
  (permissions[permission].roles as readonly BuiltInRole[]).includes(role)

beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: emailOf(role) })
  }
  const charged = await db()
    .selectFrom('payment')
    .innerJoin('sales_order', 'sales_order.id', 'payment.order_id')
    .select('sales_order.id')
    .where('payment.state', '=', 'captured')
    .where('sales_order.state', '=', 'confirmed')
    .where('refunded_cents', '=', 0)
    .where('captured_cents', '>', 20_000)
    .orderBy('captured_cents')
    .executeTakeFirstOrThrow()
  subject.order = charged.id
  const approved = await db()
    .selectFrom('company')
    .select('id')
    .where('state', '=', 'approved')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  subject.company = approved.id
  const known = await db()
    .selectFrom('customer')
    .select('id')
    .where('email', '=', 'sam@example.com')
    .executeTakeFirstOrThrow()
  subject.customer = known.id
  subject.message = await sendMessage()
  const form = { key: newId(), name: 'Rosa', email: 'rosa@example.net', phone: '', account: '' }
  const started = await staff.sales.ask(`${store.origin}/office/quotes/new`, { form })
  subject.quote = started.headers.get('location') ?? ''
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

async function sendMessage(): Promise<number> {
  await createVisitor().ask(`${store.origin}/contact`, {
    form: {
      firstName: 'Ann',
      lastName: 'Asker',
      email: 'ann@example.net',
      phone: '3125550142',
      subject: contactSubjects[0],
      message: 'Where is my order?',
    },
  })
  const { id } = await db()
    .selectFrom('support_request')
    .select('id')
    .where('email', '=', 'ann@example.net')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the number of staff audit entries; the store's jobs write their own. */
async function audited(): Promise<number> {
  const { entries } = await db()
    .selectFrom('audit_entry')
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .where('actor', 'in', staffRoles.map(emailOf))
    .executeTakeFirstOrThrow()
  return entries
}

/** Returns the intents in a page's source (its declared steps and buttons, and custom buttons). */
function intentsIn(source: string): string[] {
  const steps = source.matchAll(/^\s*(?:'([\w-]+)'|(\w+)): (?:fresh\(\s*)?(?:step|press)\(/gm)
  const buttons = source.matchAll(/\bbutton\(\s*'([\w-]+)'/g)
  const written = source.matchAll(/name="intent"\s+value=(?:"([\w-]+)"|\{([^}]+)\})/g)
  return [
    ...[...steps].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    ...[...buttons].map(([, intent = '']) => intent),
    ...[...written].flatMap(([, text, code = '']) =>
      text ? [text] : [...code.matchAll(/['`]([\w-]+)/g)].map(([, found = '']) => found),
    ),
  ]
}

test('the table names every action of the office and every step and button of its forms', async () => {
  const modules = new Set(doors)
  const intents = new Set<string>()
  for (const folder of ['../../app/routes/office/', '../../app/office/'].map((path) => new URL(path, import.meta.url)))
    for await (const name of glob('{*,*/*}.{ts,tsx}', { cwd: folder })) {
      const source = await readFile(new URL(name, folder), 'utf8')
      if (/export (?:(?:async )?function|const) action\b/.test(source))
        modules.add(basename(name).replace(/\.tsx?$/, ''))
      for (const intent of intentsIn(source)) intents.add(intent)
    }
  expect([...modules].toSorted()).toEqual([...new Set([...doors, ...acts.map(({ module }) => module)])].toSorted())
  expect(intents.size).toBeGreaterThan(20)
  const named = acts.map(({ intent }) => intent.replace(/-1$/, '-'))
  expect([...intents].filter((intent) => !named.includes(intent))).toEqual([])
  expect(Object.keys(staffOrderActs).filter((act) => !named.includes(act))).toEqual([])
})

/** Acts on one page run in sequence, because some follow others. */
const inTheirTurn = inTurn([...Map.groupBy(acts, ({ module }) => module).values()]).flat()

describe.for(inTheirTurn)('$module $intent', (act) => {
  test('rejects guests and roles without permission, without writes', async () => {
    const before = await audited()
    for (const role of staffRoles.filter((each) => !permits(act.permission, each)))
      expect((await post(staff[role], act)).status, role).toBe(403)
    const guest = await post(createVisitor(), act)
    expect(guest.status).toBe(303)
    expect(guest.headers.get('location')).toMatch(/^\/office\/sign-in\?/)
    expect(await audited()).toBe(before)
  })

  test('is open to every role that has its permission', async () => {
    const [first, ...others] = staffRoles.filter((role) => permits(act.permission, role))
    if (first === undefined) throw new Error('Nobody may do it.')
    const answer = await post(staff[first], act)
    expect(answer.status, `${first} ${await problemsOf(answer)}`).toBe(act.answer)
    for (const role of others) {
      const next = await post(staff[role], act)
      const isRefused = next.status === 403 || next.status >= 500
      const goesToSignIn = next.headers.get('location')?.startsWith('/office/sign-in') ?? false
      expect(isRefused || goesToSignIn, `${role} ${next.status}`).toBe(false)
    }
  })
})

/** Returns a response's error summary, to show after an unexpected status. */
async function problemsOf(answer: Response): Promise<string> {
  const html = await answer.text()
  return `${answer.headers.get('location') ?? ''} ${/<[^>]*role="alert"[^>]*>[\s\S]{0,300}/.exec(html)?.[0] ?? ''}`
}
