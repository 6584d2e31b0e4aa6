/** What a button of the work order does. */
import type { RouterContextProvider } from 'react-router'
import { formRefusal, readFormWithFile, refuseForm } from '#app/forms/form.ts'
import { uploadOf } from '#app/forms/public-form.ts'
import { visitorContext } from '#app/server/context.ts'
import type { AtShop } from '#app/server/portal.server.ts'
import { supportMessages } from '#content/messages/support.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { workOrderMessages } from '#content/messages/work-orders.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import {
  isJobPhotoKind,
  readJobForm,
  refusalReasons,
  pieceReportKinds,
  type NotReady,
  type RefusalReason,
} from '#domain/installer-portal/work-orders/work-orders.ts'
import {
  countPiece,
  finishJob,
  markNoShow,
  moveJob,
  reportPieces,
  saveJob,
  saveJobPhoto,
  notifyDelay,
  type Job,
  type RecalledTire,
} from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { notReadyText } from '#app/views/portal-job.server.ts'
import { timeText } from '#platform/time-text.ts'
import { answerShopPlate } from './plate-lookup.server.ts'

type At = AtShop & { shopCode: string; job: Job; networkKey: string; signal: AbortSignal }

/** The report with its photo has the most parts. */
const mostParts = 20

/** Reads a job's posted form and runs its action. */
export async function actOnJob(
  request: Request,
  context: Readonly<RouterContextProvider>,
  at: AtShop & { shopCode: string; job: Job },
) {
  const { fields, file } = await readFormWithFile(request, 'photo', mostParts)
  const { networkKey } = context.get(visitorContext)
  const all: At = { ...at, networkKey, signal: request.signal }
  if (fields.get('intent') === 'plate') return fillVin(context, at.job, fields)
  const act = acts.get(fields.get('intent') ?? '')
  return act ? act(all, fields, file) : refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
}

type Act = (at: At, fields: URLSearchParams, file: File | null) => Promise<Response | ReturnType<typeof refuseForm>>

/** Handlers by intent. */
const acts: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['save', keep],
  ['check', keep],
  ['vin-matches', matchVin],
  ['finish', keep],
  ['scan', count],
  ['more', count],
  ['less', count],
  ['report', report],
  ['photo', addPhoto],
  ['arrived', (at, fields) => moveOn(at, fields, 'arrived')],
  ['in-bay', (at, fields) => moveOn(at, fields, 'in-bay')],
  ['late', tell],
  ['no-show', miss],
  ['wrong-vehicle', (at, fields) => giveUp(at, fields, 'wrong-vehicle')],
  ['wrong-tires', (at, fields) => giveUp(at, fields, 'wrong-tires')],
  ['refused', (at, fields) => giveUp(at, fields, 'refused')],
])

function back({ shopCode, job }: At, done: string, part = '') {
  return seeOther(`${portalPaths.job(shopCode, job.booking.id, done)}${part}`)
}

/** Fills in the VIN of the plate in the form, unless one was typed, if it is the order's. */
function fillVin(context: Readonly<RouterContextProvider>, { vinEnd: known }: Job, fields: URLSearchParams) {
  return answerShopPlate(context, fields, ({ name, vinEnd }) => {
    const message = `The plate is for a ${name}. Its VIN ends in ${vinEnd}.`
    if (known !== null && known !== vinEnd)
      return { problem: `${message} The order is for the VIN that ends in ${known}. Is this the right car?` }
    return { values: { vin: fields.get('vin')?.trim() || vinEnd }, message: `${message} Compare it with the car.` }
  })
}

/** Saves the order's VIN as read on the car. */
function matchVin(at: At, fields: URLSearchParams) {
  fields.set('vin', at.job.vinEnd ?? '')
  return keep(at, fields)
}

async function keep(at: At, fields: URLSearchParams) {
  const { app, actor, job } = at
  const typed = readJobForm(fields, job.tires, {
    day: job.today,
    maxAgeYears: app.businessTerms.at(job.placedAt)['tire-age-years'],
    knownVinEnd: job.vinEnd,
    hasPacket: job.packet !== null,
  })
  if (!typed.ok) return refuseForm({ values: Object.fromEntries(fields), errors: typed.errors })
  const input = { bookingId: job.booking.id, input: typed.value }
  const intent = fields.get('intent')
  if (intent === 'check' && typed.value.code === null && job.codeMatchedAt === null)
    return refuseForm(formRefusal(fields, workOrderMessages.noCode, { code: workOrderMessages.noCode }))
  if (intent !== 'finish') {
    const saved = await saveJob(app, actor, input)
    if (!saved.ok) return refuse(fields, saved)
    const part = { check: '#proof', 'vin-matches': '#car' }[intent ?? ''] ?? '#wheels'
    return back(at, intent === 'check' ? 'checked' : 'saved', part)
  }
  const finished = await finishJob(app, actor, input)
  if (finished.ok) return back(at, at.job.facts.service === null ? 'finished' : 'finished-service')
  if (finished.reason !== 'incomplete') return refuse(fields, finished)
  const errors = Object.fromEntries(finished.detail.map(({ name }) => [name, workOrderMessages.missing]))
  return refuseForm(formRefusal(fields, workOrderMessages.incomplete(finished.detail.length), errors))
}

type Refusal =
  | { reason: keyof typeof workOrderMessages.refusals }
  | { reason: 'code-wrong'; detail: { left: number } }
  | { reason: 'not-ready'; detail: NotReady }
  | { reason: 'recalled'; detail: readonly RecalledTire[] }

function refuse(fields: URLSearchParams, refusal: Refusal) {
  if (refusal.reason === 'code-wrong' && 'detail' in refusal) {
    const words = workOrderMessages.codeWrong(refusal.detail.left)
    return refuseForm(formRefusal(fields, words, { code: words }))
  }
  if (refusal.reason === 'not-ready' && 'detail' in refusal)
    return refuseForm(formRefusal(fields, notReadyText(refusal.detail)), 409)
  if (refusal.reason === 'recalled' && 'detail' in refusal) {
    const errors = refusal.detail.map(({ name, ...recall }): [string, string] => [
      name,
      workOrderMessages.recalled(recall),
    ])
    return refuseForm(formRefusal(fields, workOrderMessages.recalledTires, Object.fromEntries<string>(errors)), 409)
  }
  const { words, field, status } = workOrderMessages.refusals[refusal.reason]
  return refuseForm(formRefusal(fields, words, field ? { [field]: words } : {}), status)
}

async function count(at: At, fields: URLSearchParams) {
  const { app, actor, job } = at
  const bookingId = job.booking.id
  const intent = fields.get('intent')
  const scanned = (fields.get('scanned') ?? '').slice(0, 60)
  const counted =
    intent === 'scan'
      ? await countPiece(app, actor, { bookingId, scanned })
      : await countPiece(app, actor, {
          bookingId,
          lineNo: lineOf(fields.get('line')),
          change: intent === 'more' ? 1 : -1,
        })
  return counted.ok ? back(at, 'counted', '#pieces') : refuse(fields, counted)
}

async function report(at: At, fields: URLSearchParams, file: File | null) {
  const { app, actor, job, networkKey, signal } = at
  const errors = faultsOfReport(fields, file)
  if (Object.keys(errors).length > 0) return refuseForm({ values: Object.fromEntries(fields), errors })
  const sent = await reportPieces(
    app,
    actor,
    {
      bookingId: job.booking.id,
      key: fields.get('key') ?? '',
      kind: fields.get('kind') === 'damaged' ? 'damaged' : 'short',
      lineNo: lineOf(fields.get('reportLine')),
      pieces: Number(fields.get('count')),
      note: (fields.get('note') ?? '').trim() || null,
      photo: await uploadOf(file),
    },
    { networkKey, signal },
  )
  if (sent.ok) return back(at, 'reported', '#pieces')
  switch (sent.reason) {
    case 'no-photo':
      return refuseForm(formRefusal(fields, workOrderMessages.noPhoto, { photo: workOrderMessages.noPhoto }))
    case 'photo': {
      const words = workOrderMessages.photo[sent.detail.why]
      return refuseForm(formRefusal(fields, words, { photo: words }))
    }
    default:
      return refuse(fields, sent)
  }
}

/** Adds or replaces a job photo. */
async function addPhoto(at: At, fields: URLSearchParams, file: File | null) {
  const { app, actor, job, networkKey, signal } = at
  const kind = fields.get('kind') ?? ''
  if (!isJobPhotoKind(kind)) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const refuseFile = (words: string, status = 422) =>
    refuseForm(formRefusal(fields, words, { [`photo-${kind}`]: words }), status)
  if (file && file.size > maxAttachmentBytes) return refuseFile(workOrderMessages.photo['too-large'])
  const photo = { bookingId: job.booking.id, kind, photo: await uploadOf(file) }
  const saved = await saveJobPhoto(app, actor, photo, { networkKey, signal })
  if (saved.ok) return back(at, 'photo', '#photos')
  switch (saved.reason) {
    case 'no-photo':
      return refuseFile(workOrderMessages.chooseFile)
    case 'photo':
      return refuseFile(workOrderMessages.photo[saved.detail.why])
    case 'too-many-photos':
      return refuseFile(workOrderMessages.refusals[saved.reason].words, 429)
    default:
      return refuse(fields, saved)
  }
}

/** What is wrong with a report before anything is looked up. */
function faultsOfReport(fields: URLSearchParams, file: File | null): Record<string, string> {
  return {
    ...(Object.hasOwn(pieceReportKinds, fields.get('kind') ?? '') ? {} : { kind: 'Choose a reason.' }),
    ...(/^[1-9]\d?$/.test(fields.get('count') ?? '') ? {} : { count: 'Enter how many tires.' }),
    ...(file && file.size > maxAttachmentBytes ? { photo: supportMessages.tooLarge } : {}),
    ...((fields.get('note') ?? '').trim().length > 500 ? { note: 'Please keep this under 500 characters.' } : {}),
  }
}

/** The number of a line, or one that no order has. */
function lineOf(text: string | null): number {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : -1
}

async function moveOn(at: At, fields: URLSearchParams, to: 'arrived' | 'in-bay') {
  const moved = await moveJob(at.app, at.actor, { bookingId: at.job.booking.id, to })
  return moved.ok ? back(at, to) : refuse(fields, moved)
}

async function tell(at: At, fields: URLSearchParams) {
  const minutes = Number(fields.get('late'))
  const told = await notifyDelay(at.app, at.actor, { bookingId: at.job.booking.id, minutes })
  return told.ok ? back(at, 'told', '#next') : refuse(fields, told)
}

async function miss(at: At, fields: URLSearchParams) {
  const { app, actor, job } = at
  const marked = await markNoShow(app, actor, { bookingId: job.booking.id })
  if (marked.ok) return back(at, 'no-show')
  if (marked.reason !== 'too-early') return refuse(fields, marked)
  const from = timeText(marked.detail.from, job.booking.timeZone)
  return refuseForm(formRefusal(fields, workOrderMessages.tooEarly(from)), 409)
}

/** Ends a job that cannot be done, or stops it for another car, with the technician's words. */
async function giveUp(at: At, fields: URLSearchParams, to: 'wrong-vehicle' | 'wrong-tires' | 'refused') {
  const words = (fields.get(`why-${to}`) ?? '').trim()
  const because = fields.get('because') ?? ''
  const known = to === 'refused' && Object.hasOwn(refusalReasons, because) ? (because as RefusalReason) : null
  const mustSayMore = known === null || known === 'other'
  const errors: Record<string, string> = {}
  if (words.length > 300) errors[`why-${to}`] = 'Please keep this under 300 characters.'
  if (to === 'refused' && known === null) errors['because'] = 'Choose a reason.'
  else if (words === '' && mustSayMore) errors[`why-${to}`] = 'Describe the problem in a sentence.'
  if (Object.keys(errors).length > 0) return refuseForm({ values: Object.fromEntries(fields), errors })
  const reason = [known === null || known === 'other' ? '' : refusalReasons[known], words].filter(Boolean).join('. ')
  const moved = await moveJob(at.app, at.actor, { bookingId: at.job.booking.id, to, reason })
  return moved.ok ? back(at, to) : refuse(fields, moved)
}
