/** Form intents on an order's back office page, with use case and response. */
import { data } from 'react-router'
import { z } from 'zod'
import { checkForm, formRefusal, type FormReply } from '#app/forms/form.ts'
import { finishReturnRefund } from '#domain/ordering/returns/returns.server.ts'
import { isFresh, type Staff } from '#app/server/office.server.ts'
import { sayRefusal, viewPreview, type PreviewView } from '#app/views/office-refund.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  addOrderNote,
  longestNote,
  readOrder,
  recordVin,
  resendTextAsStaff,
  sendCodesAgain,
  showCodes,
  type OrderCodes,
  type StaffActOutcome,
} from '#domain/ordering/orders/orders.server.ts'
import { decideRefund, readRefundable, refundOrder, retryOrderRefund } from '#domain/ordering/refunds/refunds.server.ts'
import { refundForm } from '#domain/ordering/refunds/refunds.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { writeToCustomer } from '#domain/aftercare/order-conversations/order-conversations.server.ts'
import { longestAnswer } from '#domain/messaging/support/support.ts'
import { longestText } from '#domain/messaging/texts/texts.ts'
import { noTextsText } from '#app/views/office-order-conversation.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { isId } from '#platform/ids.ts'
import { countOf } from '#platform/count-text.ts'

/** The page's data after a form without an effect, with the entered values, and a refund preview. */
export type OrderReply = {
  form: 'refund' | 'note' | 'vin' | 'write' | 'codes' | null
  reply: FormReply
  preview: PreviewView | null
  /** For the whole page. */
  problem: string | null
  /** The customer's codes, if requested. */
  codes?: OrderCodes
}

/** `view` is the list that the page was opened from. */
type Asked = { orderId: number; fields: URLSearchParams; view: string | null }
type Answer = Response | ReturnType<typeof data<OrderReply>>

const intents: Readonly<Record<string, (staff: Staff, asked: Asked) => Promise<Answer>>> = {
  preview: (staff, asked) => refund(staff, asked, { isPreview: true }),
  refund: (staff, asked) => refund(staff, asked, { isPreview: false }),
  approve: (staff, asked) => decide(staff, asked, 'approved'),
  decline: (staff, asked) => decide(staff, asked, 'declined'),
  retry,
  note,
  vin,
  write,
  'text-again': textAgain,
  codes,
  'send-codes': sendCodes,
}

/** Handles a page form, and redirects back to the page, or returns the entered values with the error. */
export async function orderAction(staff: Staff, asked: Asked): Promise<Answer> {
  const intent = intents[asked.fields.get('intent') ?? '']
  return intent ? intent(staff, asked) : refuse(asked, null, technicalMessages.tryAgain, 400)
}

async function refund(
  staff: Staff,
  { orderId, fields, view }: Asked,
  { isPreview }: { isPreview: boolean },
): Promise<Answer> {
  // A preview shows the refund's ledger, so it requires the same permission as the refund.
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
    if (made.ok) return backTo({ orderId, view }, made.value.state === 'draft' ? 'drafted' : 'refunded')
    if (made.reason === 'order-not-found') throw data(null, { status: 404 })
    if (made.reason === 'not-allowed') throw data(null, { status: 403 })
    const { field, message } = sayRefusal(made)
    const status = made.reason === 'over-your-limit' ? 403 : 422
    return preview(staff, { orderId, fields, view }, { said: { field, message }, status })
  }
  return preview(staff, { orderId, fields, view }, { said: null, status: 200 })
}

/** Returns the current refund preview, with the previous refusal, if any. */
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
    // A return's refund continues with its tires.
    if (decision === 'approved') await finishReturnRefund(shop, actor, refundId)
    return backTo({ orderId: decided.value.orderId, view: asked.view }, decision)
  }
  switch (decided.reason) {
    case 'not-allowed':
      throw data(null, { status: 403 })
    case 'refund-not-found':
    case 'order-not-found':
      throw data(null, { status: 404 })
    case 'own-refund':
      return refuse(asked, null, 'You requested this refund. Another team member must approve it.', 403)
    case 'already-decided':
      return refuse(asked, null, `This refund was already ${decided.detail.state}.`, 409)
    default:
      return refuse(asked, null, sayRefusal(decided).message, 409)
  }
}

async function retry({ shop, actor }: Staff, asked: Asked): Promise<Answer> {
  const refundId = asked.fields.get('refund') ?? ''
  if (!isId(refundId)) return refuse(asked, null, technicalMessages.tryAgain, 400)
  const retried = await retryOrderRefund(shop, { refundId, actor })
  if (retried.ok) return backTo({ orderId: retried.value.orderId, view: asked.view }, 'retried')
  if (retried.reason === 'not-allowed') throw data(null, { status: 403 })
  if (retried.reason === 'refund-not-found') throw data(null, { status: 404 })
  return refuse(
    asked,
    null,
    retried.reason === 'nothing-to-retry'
      ? 'This refund was already paid or resent.'
      : 'The remaining charge is too small because part of it was refunded another way.',
    409,
  )
}

async function note({ shop, actor }: Staff, asked: Asked): Promise<Answer> {
  const { orderId, fields } = asked
  const key = fields.get('key') ?? ''
  if (!isId(key)) return refuse(asked, 'note', technicalMessages.tryAgain, 400)
  const added = await addOrderNote(shop, { orderId, body: fields.get('body') ?? '', actor, key })
  if (added.ok) return backTo(asked, 'noted')
  if (added.reason === 'not-allowed') throw data(null, { status: 403 })
  if (added.reason === 'order-not-found') throw data(null, { status: 404 })
  const body = `Write a note of up to ${countOf(longestNote, 'character')}.`
  return data({ form: 'note', reply: formRefusal(fields, 'Fix 1 field:', { body }), preview: null, problem: null }, 422)
}

async function vin({ shop, actor }: Staff, asked: Asked): Promise<Answer> {
  const { orderId, fields } = asked
  const recorded = await recordVin(shop, actor, { orderId, typed: fields.get('vin') ?? '' })
  if (recorded.ok) return backTo(asked, 'vin')
  if (recorded.reason === 'not-allowed') throw data(null, { status: 403 })
  if (recorded.reason === 'order-not-found') throw data(null, { status: 404 })
  const fault = 'A VIN has 17 letters and digits, without I, O and Q.'
  const reply = formRefusal(fields, 'Fix 1 field:', { vin: fault })
  return data({ form: 'vin', reply, preview: null, problem: null }, 422)
}

function refuse({ fields }: Asked, form: OrderReply['form'], problem: string, status: number): Answer {
  return data({ form, reply: formRefusal(fields, problem), preview: null, problem }, status)
}

/** Sends a message of staff by email or text message, or adds a note. */
async function write(staff: Staff, asked: Asked): Promise<Answer> {
  const { orderId, fields } = asked
  const checked = checkForm(writeForm, fields)
  if (!checked.ok) return data({ form: 'write', reply: checked.reply, preview: null, problem: null }, 422)
  const { as, message, once } = checked.value
  const { shop, actor } = staff
  const sent =
    as === 'note'
      ? await addOrderNote(shop, { orderId, body: message, actor, key: once })
      : await writeToCustomer(shop, actor, { orderId, channel: as, body: message, once })
  if (sent.ok) return backTo(asked, as === 'note' ? 'noted' : as === 'text' ? 'texted' : 'emailed')
  switch (sent.reason) {
    case 'not-allowed':
      throw data(null, { status: 403 })
    case 'order-not-found':
      throw data(null, { status: 404 })
    case 'no-texts':
      return refuseWriting(fields, noTextsText(sent.detail.why))
    case 'no-note':
      return refuseWriting(fields, `Please keep a note under ${countOf(longestNote, 'character')}.`)
    case 'no-words':
      return refuseWriting(fields, `Please keep a text message under ${countOf(longestText, 'character')}.`)
  }
}

const writeForm = z.object({
  as: z.enum(['email', 'text', 'note'], 'Choose how to send it.'),
  message: z
    .string('Please write a message.')
    .trim()
    .min(1, 'Please write a message.')
    .max(longestAnswer, `Please keep this under ${countOf(longestAnswer, 'character')}.`),
  once: z.uuid('Reload the page and try again.'),
})

function refuseWriting(fields: URLSearchParams, message: string): Answer {
  const reply = formRefusal(fields, 'Fix 1 field:', { message })
  return data({ form: 'write', reply, preview: null, problem: null }, 422)
}

async function textAgain({ shop, actor }: Staff, asked: Asked): Promise<Answer> {
  const { orderId, fields } = asked
  const [textId, once] = [fields.get('text') ?? '', fields.get('once') ?? '']
  if (!isId(textId) || !isId(once)) return refuse(asked, null, technicalMessages.tryAgain, 400)
  return answerAct(asked, await resendTextAsStaff(shop, actor, { orderId, textId, once }), 'text-again')
}

async function sendCodes({ shop, actor }: Staff, asked: Asked): Promise<Answer> {
  const { orderId, fields } = asked
  const once = fields.get('once') ?? ''
  if (!isId(once)) return refuse(asked, null, technicalMessages.tryAgain, 400)
  return answerAct(asked, await sendCodesAgain(shop, actor, { orderId, once }), 'codes-sent')
}

/** Replaces the button with the codes, which appear on no other page. */
async function codes({ shop, actor }: Staff, asked: Asked): Promise<Answer> {
  const shown = await showCodes(shop, actor, asked.orderId)
  if (!shown.ok) return answerAct(asked, shown, '')
  const reply = { values: {}, errors: {} }
  return data({ form: 'codes', reply, preview: null, problem: null, codes: shown.value }, 200)
}

function answerAct(asked: Asked, outcome: StaffActOutcome, done: string): Answer {
  if (outcome.ok) return backTo(asked, done)
  switch (outcome.reason) {
    case 'not-allowed':
      throw data(null, { status: 403 })
    case 'order-not-found':
      throw data(null, { status: 404 })
    case 'not-possible':
      return refuse(asked, null, outcome.detail.why, 409)
  }
}

/** Leads back to the page, in the view that it was opened from. */
function backTo({ orderId, view }: Pick<Asked, 'orderId' | 'view'>, done: string): Response {
  return seeOther(officePaths.officeOrder(orderId, { done, view: view ?? undefined }))
}
