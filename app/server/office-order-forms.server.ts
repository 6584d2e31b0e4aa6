/** Form intents on an order's back office page, with declared action and response. */
import { data } from 'react-router'
import { z } from 'zod'
import { checkForm, formRefusal, type FormReply } from '#app/forms/form.ts'
import { orderMessageActions } from '#app/office/actions/order-messages.server.ts'
import { orderRefundActions, refundActions, refundRefusals } from '#app/office/actions/refunds.server.ts'
import { textOf, type RefusalText } from '#app/office/decision.server.ts'
import { formAction, plainAction, uuidOf, type RecordAction } from '#app/office/define-actions.server.ts'
import { isFresh, type Staff } from '#app/server/office.server.ts'
import { sayRefusal, viewPreview, type PreviewView } from '#app/views/office/refund.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { finishReturnRefund } from '#domain/ordering/returns/returns.server.ts'
import { readOrder, saveReplyDraft, showCodes, type OrderCodes } from '#domain/ordering/orders/orders.server.ts'
import { decideRefund, readRefundable } from '#domain/ordering/refunds/refunds.server.ts'
import { refundForm } from '#domain/ordering/refunds/refunds.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { longestAnswer } from '#domain/messaging/support/support.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { isId } from '#platform/ids.ts'

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

/** A form's declared action, with its result for the page's URL. `isOfRefund`: the record is the field `refund`. */
type Button = {
  action: RecordAction
  form: OrderReply['form']
  done: string | ((fields: URLSearchParams) => string)
  isOfRefund?: true
}

/** Staff approve a refund with a recent sign-in, so programs can't. A return's refund continues with its tires. */
const approve = plainAction(
  { summary: 'Approve a refund', permission: refundActions.permission },
  async ({ app, by, id }) => {
    const decided = await decideRefund(app, { refundId: uuidOf(id), decision: 'approved', actor: by })
    if (decided.ok) await finishReturnRefund(app, by, id)
    return decided
  },
)

/** Only the back office saves unsent replies, while they are typed. */
const draft = formAction(
  {
    summary: 'Save an unsent reply',
    permission: 'requests.answer',
    form: z.object({ message: z.string().max(longestAnswer) }),
  },
  ({ app, by, id }, { message: body }) => saveReplyDraft(app, by, { orderId: Number(id), body }),
)

const { note, vin, write, 'text-again': textAgain, 'send-codes': sendCodes } = orderMessageActions.actions
const written: Readonly<Record<string, string>> = { email: 'emailed', text: 'texted', note: 'noted' }
const buttons: Readonly<Record<string, Button>> = {
  approve: { action: approve, form: null, done: 'approved', isOfRefund: true },
  decline: { action: refundActions.actions.decline, form: null, done: 'declined', isOfRefund: true },
  retry: { action: refundActions.actions.retry, form: null, done: 'retried', isOfRefund: true },
  note: { action: note, form: 'note', done: 'noted' },
  vin: { action: vin, form: 'vin', done: 'vin' },
  draft: { action: draft, form: null, done: 'draft' },
  write: { action: write, form: 'write', done: (fields) => written[fields.get('as') ?? ''] ?? '' },
  'text-again': { action: textAgain, form: null, done: 'text-again' },
  'send-codes': { action: sendCodes, form: null, done: 'codes-sent' },
}

/** Handles a page form, and redirects back to the page, or returns the entered values with the error. */
export async function orderAction(staff: Staff, asked: Asked): Promise<Answer> {
  const intent = asked.fields.get('intent') ?? ''
  if (intent === 'preview' || intent === 'refund') return refund(staff, asked, { isPreview: intent === 'preview' })
  if (intent === 'codes') return codes(staff, asked)
  const button = Object.hasOwn(buttons, intent) ? buttons[intent] : undefined
  return button ? press(staff, asked, button) : refuse(asked, null, technicalMessages.tryAgain, 400)
}

async function press(staff: Staff, asked: Asked, { action, form, done, isOfRefund }: Button): Promise<Answer> {
  const { fields } = asked
  const declared = isOfRefund ? refundActions : orderMessageActions
  const isNote = form === 'write' && fields.get('as') === 'note'
  requireMay(staff, (isNote ? undefined : action.permission) ?? declared.permission)
  const id = isOfRefund ? (fields.get('refund') ?? '') : String(asked.orderId)
  if (isOfRefund && !isId(id)) return refuse(asked, null, technicalMessages.tryAgain, 400)
  const result = await action.run({ app: staff.app, by: staff.actor, id, isFresh: isFresh(staff) }, fields)
  if ('value' in result) {
    if (form === 'write') await saveReplyDraft(staff.app, staff.actor, { orderId: asked.orderId, body: '' })
    return backTo(asked, doneOf(done, fields))
  }
  if ('reply' in result)
    return form === null || 'key' in result.reply.errors
      ? refuse(asked, form, technicalMessages.tryAgain, 400)
      : data({ form, reply: result.reply, preview: null, problem: null }, 422)
  return refuseWith(asked, form, textOf(result.refusal, declared.refusals, declared.noun))
}

function doneOf(done: Button['done'], fields: URLSearchParams): string {
  return typeof done === 'string' ? done : done(fields)
}

function requireMay({ session }: Staff, permission: Parameters<typeof staffCan>[1]): void {
  if (!staffCan(session.roles, permission)) throw data(null, { status: 403 })
}

async function refund(staff: Staff, asked: Asked, { isPreview }: { isPreview: boolean }): Promise<Answer> {
  const { orderId, fields } = asked
  // A preview shows the refund's ledger, so it requires the same permission as the refund.
  requireMay(staff, orderRefundActions.permission)
  const checked = checkForm(refundForm, fields)
  if (!checked.ok) return data({ form: 'refund', reply: checked.reply, preview: null, problem: null }, 422)
  const isAgreed = isId(fields.get('key') ?? '') && /^\d{1,9}$/.test(fields.get('agreed') ?? '')
  if (isPreview || !isAgreed) return preview(staff, asked, { said: null, status: 200 })
  const { app, actor: by } = staff
  const result = await orderRefundActions.actions.add.run(
    { app, by, id: String(orderId), isFresh: isFresh(staff) },
    fields,
  )
  if ('value' in result) return backTo(asked, result.value.state === 'draft' ? 'drafted' : 'refunded')
  if (!('refusal' in result)) return preview(staff, asked, { said: null, status: 200 })
  if (result.refusal.reason === 'order-not-found') throw data(null, { status: 404 })
  if (result.refusal.reason === 'not-allowed') throw data(null, { status: 403 })
  const text = textOf(result.refusal, refundRefusals, 'refund')
  const status = (typeof text === 'object' && text?.status) || 422
  return preview(staff, asked, { said: sayRefusal(result.refusal), status })
}

/** Returns the current refund preview, with the previous refusal, if any. */
async function preview(
  { app }: Staff,
  { orderId, fields }: Asked,
  { said, status }: { said: { field: string | null; message: string } | null; status: number },
): Promise<Answer> {
  const checked = checkForm(refundForm, fields)
  const [order, refundable] = await Promise.all([readOrder(app.db, orderId), readRefundable(app.db, orderId)])
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

function refuseWith(asked: Asked, form: OrderReply['form'], text: RefusalText): Answer {
  if (text === null) throw data(null, { status: 404 })
  if (typeof text === 'string') return refuse(asked, null, text, 409)
  if ('fields' in text || text.field === undefined || form === null)
    return refuse(asked, null, 'text' in text ? text.text : technicalMessages.tryAgain, text.status ?? 409)
  const reply = formRefusal(asked.fields, 'Fix 1 field:', { [text.field]: text.text })
  return data({ form, reply, preview: null, problem: null }, text.status ?? 422)
}

function refuse({ fields }: Asked, form: OrderReply['form'], problem: string, status: number): Answer {
  return data({ form, reply: formRefusal(fields, problem), preview: null, problem }, status)
}

/** Replaces the button with the codes, which appear on no other page. */
async function codes({ app, actor }: Staff, asked: Asked): Promise<Answer> {
  const shown = await showCodes(app, actor, asked.orderId)
  if (!shown.ok && shown.reason === 'not-allowed') throw data(null, { status: 403 })
  if (!shown.ok) return refuseWith(asked, null, textOf(shown, orderMessageActions.refusals, 'order'))
  const reply = { values: {}, errors: {} }
  return data({ form: 'codes', reply, preview: null, problem: null, codes: shown.value }, 200)
}

/** Leads back to the page, in the view that it was opened from. */
function backTo({ orderId, view }: Pick<Asked, 'orderId' | 'view'>, done: string): Response {
  return seeOther(officePaths.officeOrder(orderId, { done, view: view ?? undefined }))
}
