/** The forms of an order's page in the back office: each intent, its use case, and what it answers. */
import { data } from 'react-router'
import { checkForm, formRefusal, type FormReply } from '#app/forms/form.ts'
import { finishReturnRefund } from '#domain/returns/returns.server.ts'
import { isFresh, type Staff } from '#app/server/office.server.ts'
import { sayRefusal, viewPreview, type PreviewView } from '#app/views/office-refund.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { addOrderNote, longestNote, readOrder, recordVin } from '#domain/orders/orders.server.ts'
import { decideRefund, readRefundable, refundOrder, retryOrderRefund } from '#domain/refunds/refunds.server.ts'
import { refundForm } from '#domain/refunds/refunds.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { isId } from '#platform/ids.ts'
import { countOf } from '#platform/count-text.ts'

/** What the page renders after a form that changed nothing: what was typed, and the preview of a refund. */
export type OrderReply = {
  form: 'refund' | 'note' | 'vin' | null
  reply: FormReply
  preview: PreviewView | null
  /** For the whole page. */
  problem: string | null
}

type Asked = { orderId: number; fields: URLSearchParams }
type Answer = Response | ReturnType<typeof data<OrderReply>>

const intents: Readonly<Record<string, (staff: Staff, asked: Asked) => Promise<Answer>>> = {
  preview: (staff, asked) => refund(staff, asked, { isPreview: true }),
  refund: (staff, asked) => refund(staff, asked, { isPreview: false }),
  approve: (staff, asked) => decide(staff, asked, 'approved'),
  decline: (staff, asked) => decide(staff, asked, 'declined'),
  retry,
  note,
  vin,
}

/** Does what a form of the page asks for: leads back to the page, or answers with what was typed and why not. */
export async function orderAction(staff: Staff, asked: Asked): Promise<Answer> {
  const intent = intents[asked.fields.get('intent') ?? '']
  return intent ? intent(staff, asked) : refuse(asked, null, technicalMessages.tryAgain, 400)
}

async function refund(
  staff: Staff,
  { orderId, fields }: Asked,
  { isPreview }: { isPreview: boolean },
): Promise<Answer> {
  // A preview shows the ledger of the refund, so it asks for what the refund asks for.
  if (!staffCan(staff.session.roles, 'refunds.make')) throw data(null, { status: 403 })
  const key = fields.get('key') ?? ''
  const checked = checkForm(refundForm, fields)
  if (!checked.ok) return data({ form: 'refund', reply: checked.reply, preview: null, problem: null }, 422)
  const { shop, actor } = staff
  const agreed = fields.get('agreed') ?? ''
  if (!isPreview && isId(key) && /^\d{1,9}$/.test(agreed)) {
    const made = await refundOrder(shop, {
      ...checked.value,
      orderId,
      actor,
      key,
      agreedCents: Number(agreed),
      isFresh: isFresh(staff),
    })
    if (made.ok)
      return seeOther(officePaths.officeOrder(orderId, { done: made.value.state === 'draft' ? 'drafted' : 'refunded' }))
    if (made.reason === 'order-not-found') throw data(null, { status: 404 })
    if (made.reason === 'not-allowed') throw data(null, { status: 403 })
    const { field, message } = sayRefusal(made)
    const status = made.reason === 'over-your-limit' ? 403 : 422
    return preview(staff, { orderId, fields }, { said: { field, message }, status })
  }
  return preview(staff, { orderId, fields }, { said: null, status: 200 })
}

/** Shows what the refund comes to now, with what was refused before, if anything. */
async function preview(
  { shop }: Staff,
  { orderId, fields }: Asked,
  { said, status }: { said: { field: string | null; message: string } | null; status: number },
): Promise<Answer> {
  const checked = checkForm(refundForm, fields)
  const [order, refundable] = await Promise.all([readOrder(shop.db, orderId), readRefundable(shop.db, orderId)])
  if (!order || !refundable || !checked.ok) throw data(null, { status: 404 })
  const viewed = viewPreview(order, refundable, checked.value)
  const refusal = said ?? (viewed.ok ? null : viewed)
  const reply = refusal
    ? formRefusal(
        fields,
        refusal.field === null ? refusal.message : 'Fix 1 field:',
        refusal.field === null ? {} : { [refusal.field]: refusal.message },
      )
    : { values: Object.fromEntries(fields), errors: {} }
  return data(
    { form: 'refund', reply, preview: viewed.ok ? viewed.view : null, problem: null },
    refusal ? (status === 200 ? 422 : status) : 200,
  )
}

async function decide({ shop, actor }: Staff, asked: Asked, decision: 'approved' | 'declined'): Promise<Answer> {
  const refundId = asked.fields.get('refund') ?? ''
  if (!isId(refundId)) return refuse(asked, null, technicalMessages.tryAgain, 400)
  const decided = await decideRefund(shop, { refundId, decision, actor })
  if (decided.ok) {
    // A refund of a return goes on with its tires.
    if (decision === 'approved') await finishReturnRefund(shop, actor, refundId)
    return seeOther(officePaths.officeOrder(decided.value.orderId, { done: decision }))
  }
  switch (decided.reason) {
    case 'not-allowed':
      throw data(null, { status: 403 })
    case 'refund-not-found':
    case 'order-not-found':
      throw data(null, { status: 404 })
    case 'own-refund':
      return refuse(asked, null, 'You asked for this refund yourself. Somebody else has to approve it.', 403)
    case 'already-decided':
      return refuse(asked, null, `This refund was ${decided.detail.state} meanwhile.`, 409)
    default:
      return refuse(asked, null, sayRefusal(decided).message, 409)
  }
}

async function retry({ shop, actor }: Staff, asked: Asked): Promise<Answer> {
  const refundId = asked.fields.get('refund') ?? ''
  if (!isId(refundId)) return refuse(asked, null, technicalMessages.tryAgain, 400)
  const retried = await retryOrderRefund(shop, { refundId, actor })
  if (retried.ok) return seeOther(officePaths.officeOrder(retried.value.orderId, { done: 'retried' }))
  if (retried.reason === 'not-allowed') throw data(null, { status: 403 })
  if (retried.reason === 'refund-not-found') throw data(null, { status: 404 })
  return refuse(
    asked,
    null,
    retried.reason === 'nothing-to-retry'
      ? 'This refund is paid out, or was sent again meanwhile.'
      : 'The charge has not that much left: the money went back another way.',
    409,
  )
}

async function note({ shop, actor }: Staff, asked: Asked): Promise<Answer> {
  const { orderId, fields } = asked
  const key = fields.get('key') ?? ''
  if (!isId(key)) return refuse(asked, 'note', technicalMessages.tryAgain, 400)
  const added = await addOrderNote(shop, { orderId, body: fields.get('body') ?? '', actor, key })
  if (added.ok) return seeOther(officePaths.officeOrder(orderId, { done: 'noted' }))
  if (added.reason === 'not-allowed') throw data(null, { status: 403 })
  if (added.reason === 'order-not-found') throw data(null, { status: 404 })
  const body = `Write a note of up to ${countOf(longestNote, 'character')}.`
  return data({ form: 'note', reply: formRefusal(fields, 'Fix 1 field:', { body }), preview: null, problem: null }, 422)
}

async function vin({ shop, actor }: Staff, { orderId, fields }: Asked): Promise<Answer> {
  const recorded = await recordVin(shop, actor, { orderId, typed: fields.get('vin') ?? '' })
  if (recorded.ok) return seeOther(officePaths.officeOrder(orderId, { done: 'vin' }))
  if (recorded.reason === 'not-allowed') throw data(null, { status: 403 })
  if (recorded.reason === 'order-not-found') throw data(null, { status: 404 })
  const fault = 'A VIN has 17 letters and digits, without I, O and Q.'
  const reply = formRefusal(fields, 'Fix 1 field:', { vin: fault })
  return data({ form: 'vin', reply, preview: null, problem: null }, 422)
}

function refuse({ fields }: Asked, form: OrderReply['form'], problem: string, status: number): Answer {
  return data({ form, reply: formRefusal(fields, problem), preview: null, problem }, status)
}
