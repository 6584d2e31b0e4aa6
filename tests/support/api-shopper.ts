/** An API shopper that calls with the document's examples and uses earlier responses in later calls. */
import { randomUUID } from 'node:crypto'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import {
  exampleCall,
  makeCall,
  type ApiAnswer,
  type ApiCall,
  type ApiDocument,
  type Known,
  type Operation,
} from '#tests/support/api-document.ts'
import { codeIn, newestMail } from '#tests/support/mailbox.ts'

/** Responses so far, by operation. */
type Found = {
  createCart?: { key: string }
  createWebhook?: { id: string }
  listShopChoices?: { shop: { id: number } }[]
  listTimes?: {
    days: { date: string; times: { start: string; free: boolean }[]; dropOffs: { window: string; free: boolean }[] }[]
  }
  openPayment?: { clientSecret: string }
  openMembershipPayment?: { clientSecret: string }
  listApps?: { id: string }[]
  listSessions?: { id: string; isThis: boolean }[]
  readPayment?: object
  priceCart?: { agreedPrice: string }
  placeOrder?: { orderId: number }
  lookUpOrder?: { look: string }
  requestOrderCode?: { request: string; look: string }
  readOrder?: { receipt: string; contact: { email: string }; totals: { totalCents: number } }
  keepVehicle?: { id: string }[]
  saveAddress?: { id: string }
  inviteCompanyMember?: { id: string }[]
  listCompanyMembers?: { members: { accountId: string }[] }
  [id: string]: unknown
}

type Options = {
  /** The headers that identify the shopper to an operation. */
  headersFor: (operation: Operation, found: Found) => Record<string, string>
  /** This shopper's values that replace an operation's example. */
  own?: Record<string, Known>
}

export type ApiShopper = ReturnType<typeof createApiShopper>

export function createApiShopper(
  store: { origin: string; sandboxOrigin: string },
  document: ApiDocument,
  { headersFor, own = {} }: Options,
) {
  const found: Found = {}

  const operationOf = (id: string): Operation => {
    const operation = document.operations.find((each) => each.id === id)
    if (!operation) throw new Error(`The document has no ${id}.`)
    return operation
  }

  /** Values that the document's examples lack or that must be current. */
  async function sayFor(operation: Operation): Promise<Known> {
    const { values, body } = { ...(await known[operation.id]?.()), ...own[operation.id] }
    const asks = (header: string) => operation.parameters.some(({ name }) => name === header)
    const headers = {
      ...headersFor(operation, found),
      ...(asks('If-Match') && { 'if-match': await etagOfCart() }),
      ...(asks('Idempotency-Key') && { 'idempotency-key': randomUUID() }),
    }
    return { ...(values && { values }), body, headers }
  }

  async function callOf(operation: Operation, values: Record<string, unknown> = {}): Promise<ApiCall> {
    const said = await sayFor(operation)
    return exampleCall(document, operation, { ...said, values: { ...said.values, ...values } })
  }

  async function make(operation: Operation): Promise<ApiAnswer> {
    const answer = await makeCall(store.origin, await callOf(operation))
    if (answer.status < 300 && answer.text !== '') found[operation.id] = JSON.parse(answer.text)
    return answer
  }

  async function etagOfCart(): Promise<string> {
    const answer = await fetch(`${store.origin}/api/cart`, { headers: headersFor(operationOf('readCart'), found) })
    return answer.headers.get('etag') ?? ''
  }

  const known: Record<string, () => Known | Promise<Known>> = {
    listTires: () => ({ values: { size: '225-65r17' } }),
    recommendTires: () => ({ values: { size: '225-65r17' } }),
    noteReadings: () => ({ values: { id: found.keepVehicle?.[0]?.id } }),
    ...Object.fromEntries(
      [
        'showWebhookSecret',
        'rotateWebhookSecret',
        'changeWebhook',
        'testWebhook',
        'listWebhookDeliveries',
        'replayWebhook',
        'deleteWebhook',
      ].map((id) => [id, () => ({ values: { webhookId: found.createWebhook?.id } })]),
    ),
    removeVehicle: () => ({ values: { id: found.keepVehicle?.[0]?.id } }),
    removeAddress: () => ({ values: { id: found.saveAddress?.id } }),
    withdrawInvitation: () => ({ values: { invitationId: found.inviteCompanyMember?.[0]?.id } }),
    setMemberRole: () => ({ values: { accountId: found.listCompanyMembers?.members.at(-1)?.accountId } }),
    removeMember: () => ({ values: { accountId: found.listCompanyMembers?.members.at(-1)?.accountId } }),
    addToCart: () => ({ body: { lines: [{ itemId: 100002, quantity: 2 }] } }),
    removeLine: () => ({ values: { itemId: 100002 } }),
    listTimes: () => ({ values: { shopId: shopId() } }),
    holdSlot: () => ({ body: { shopId: shopId(), ...firstFree() } }),
    openPayment: () => ({ body: { flow: 'fields' } }),
    async readPayment() {
      if (found.openPayment && !found.readPayment) await pay(found.openPayment.clientSecret)
      return {}
    },
    openMembershipPayment: () => ({ body: { flow: 'fields' } }),
    async joinMembership() {
      if (found.openMembershipPayment && !found['joinMembership']) await pay(found.openMembershipPayment.clientSecret)
      return {}
    },
    revokeApp: () => ({ values: { appId: found.listApps?.[0]?.id } }),
    allowApp: () => ({ values: { appId: found.listApps?.[0]?.id } }),
    endSession: () => ({ values: { sessionId: found.listSessions?.find(({ isThis }) => !isThis)?.id } }),
    placeOrder: () => ({
      body: { agreedPrice: found.priceCart?.agreedPrice ?? 'none', termsAccepted: true, conditionsAccepted: true },
    }),
    readOrder: () => ({ values: { orderId: orderId() } }),
    confirmOrder: () => ({ values: { orderId: orderId() } }),
    cancelOrder: () => ({ values: { orderId: orderId() } }),
    lookUpOrder: () => ({ body: { order: `S-${orderId()}`, zip: '60614' } }),
    requestOrderCode: () => ({ body: { order: `S-${orderId()}`, look: found.lookUpOrder?.look ?? '' } }),
    async verifyOrderCode() {
      const { request = randomUUID(), look = '' } = found.requestOrderCode ?? {}
      const code = found.requestOrderCode && !found['verifyOrderCode'] ? await codeFromMail() : '000000'
      return { body: { order: `S-${orderId()}`, request, look, code } }
    },
  }

  async function codeFromMail(): Promise<string> {
    const mail = await newestMail(store, found.readOrder?.contact.email ?? '', 'Your code for order')
    return codeIn(mail)
  }

  /** Pays, as the provider's fields do in a browser. */
  async function pay(clientSecret: string) {
    await payWithFields({ origin: store.sandboxOrigin, storeOrigin: store.origin }, clientSecret, '4242424242424242')
  }

  function firstFree() {
    const { days } = found.listTimes ?? { days: [] }
    const start = days.flatMap(({ times }) => times).find(({ free }) => free)?.start
    if (start !== undefined) return { start }
    return days.flatMap(({ date, dropOffs }) =>
      dropOffs.filter(({ free }) => free).map(({ window }) => ({ date, window })),
    )[0]
  }

  function shopId(): number {
    return found.listShopChoices?.[0]?.shop.id ?? 1
  }

  function orderId(): number {
    return found.placeOrder?.orderId ?? 1
  }

  return {
    found,
    operationOf,
    /** Builds this shopper's current call of an operation, with `values` added. */
    callOf,
    /** Makes the call. */
    make,
  }
}
