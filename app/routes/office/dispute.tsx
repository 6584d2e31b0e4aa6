import { formRefusal, readForm, readFormWithFile, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag, Timer } from '#app/ui/office/office-parts.tsx'
import { timerTo } from '#app/views/office-times.ts'
import { supportMessages } from '#content/messages/support.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  acceptDispute,
  addEvidenceFile,
  closeWarning,
  findDispute,
  noteDispute,
  readPacket,
  submitEvidence,
  type Dispute,
  type DisputeRefusal,
} from '#domain/disputes/disputes.server.ts'
import {
  disputeKinds,
  disputeNumber,
  disputeStateWords,
  longestNotes,
  parseDisputeNumber,
  reasonWords,
} from '#domain/disputes/disputes.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import type { Actor } from '#domain/staff/staff.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'
import type { Route } from './+types/dispute.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Dispute ${loaderData.number}` : 'Dispute', officePaths.officeDisputes())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeDispute(params.number)
  const { shop, session } = await requireStaff(context, 'disputes.read', path)
  const found = await findDispute(shop, idOf(params.number))
  if (!found) throw new Response(null, { status: 404 })
  const { dispute, events, files } = found
  const { id, state, kind, dueAt, orderId, notes } = dispute
  const isOpen = state === 'needs-response'
  return {
    number: disputeNumber(id),
    kind,
    kindWords: disputeKinds[kind],
    state: disputeStateWords[state],
    mayAnswer: isOpen && staffCan(session.roles, 'disputes.answer'),
    timer: isOpen && dueAt ? timerTo(dueAt, shop.clock.now()) : null,
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    orderPath: orderId === null ? null : officePaths.officeOrder(orderId),
    facts: factsOf(dispute),
    notes,
    files: files.map(({ kind, name, bytes }) => `${fileKinds[kind] ?? kind}: ${name}, ${Math.ceil(bytes / 1_000)} kB`),
    packet: orderId === null ? [] : ((await readPacket(shop, orderId)) ?? []),
    events: events.map(({ at, actor, words }): [string, string] => [`${timeText(at, storeZone)}, ${actor}`, words]),
  }
}

const fileKinds: Readonly<Record<string, string>> = {
  shipping: 'Proof of delivery',
  completion: 'Signed completion',
  more: 'Added by staff',
}

function idOf(number: string): number {
  const id = parseDisputeNumber(number)
  if (id === undefined) throw new Response(null, { status: 404 })
  return id
}

function factsOf(dispute: Dispute): [string, string][] {
  const { orderId, reason, amountCents, openedAt, dueAt, withdrawnCents, reinstatedCents, feeCents, ref } = dispute
  return [
    ['Reason', reasonWords(reason)],
    ['Amount', formatCents(amountCents)],
    ['Order', orderId === null ? 'A membership' : orderNumber(orderId)],
    ['Opened', timeText(openedAt, storeZone)],
    ...(dueAt ? ([['Answer by', timeText(dueAt, storeZone)]] as [string, string][]) : []),
    ['Withdrawn', formatCents(withdrawnCents)],
    ['Given back', formatCents(reinstatedCents)],
    ['Fee', formatCents(feeCents)],
    ['At the provider', ref],
    ...(dispute.submittedAt
      ? ([['Evidence sent', `${timeText(dispute.submittedAt, storeZone)} by ${dispute.submittedBy}`]] as [
          string,
          string,
        ][])
      : []),
  ]
}

/** `note` keeps the notes, `submit` sends the evidence, `accept` gives the money up, `close` ends a warning. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const path = officePaths.officeDispute(params.number)
  const { shop, actor: by } = await requireStaff(context, 'disputes.answer', path)
  const id = idOf(params.number)
  if (request.headers.get('content-type')?.startsWith('multipart/form-data')) return addFile(request, shop, { id, by })
  const fields = await readForm(request, longestNotes + 1)
  const notes = (fields.get('notes') ?? '').trim()
  if (notes.length > longestNotes)
    return refuseForm(
      formRefusal(fields, 'Fix 1 field:', {
        notes: `Please keep this under ${countOf(longestNotes, 'character')}.`,
      }),
    )
  const intent = fields.get('intent') ?? ''
  const acts = {
    note: () => noteDispute(shop, { id, by, notes }),
    submit: () => submitEvidence(shop, { id, by, notes }),
    accept: () => acceptDispute(shop, { id, by }),
    close: () => closeWarning(shop, { id, by, note: notes.slice(0, 400) }),
  }
  if (!Object.hasOwn(acts, intent)) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const done = await acts[intent as keyof typeof acts]()
  if (done.ok) return seeOther(officePaths.officeDispute(disputeNumber(id), intent))
  return refuseForm(replyTo(fields, done), statuses[done.reason] ?? 409)
}

/** Keeps a picture or PDF that goes out with the evidence. */
async function addFile(request: Request, shop: Shop, about: { id: number; by: Actor }) {
  const { fields, file } = await readFormWithFile(request, 'file')
  if (!file) return refuseForm(formRefusal(fields, 'Fix 1 field:', { file: 'Choose a file.' }))
  const bytes = new Uint8Array(await file.arrayBuffer())
  const added = await addEvidenceFile(shop, { ...about, file: { name: file.name, bytes }, signal: request.signal })
  if (added.ok) return seeOther(officePaths.officeDispute(disputeNumber(about.id), 'file'))
  const words = Object.hasOwn(fileRefusals, added.reason)
    ? fileRefusals[added.reason as keyof typeof fileRefusals]
    : undefined
  if (words !== undefined) return refuseForm(formRefusal(fields, 'Fix 1 field:', { file: words }))
  return refuseForm(replyTo(fields, added as DisputeRefusal), statuses[(added as DisputeRefusal).reason] ?? 409)
}

const fileRefusals = {
  'too-large': supportMessages.tooLarge,
  unreadable: supportMessages.unreadable,
  'other-kind': 'Send a picture or a PDF.',
  'unsafe-pdf': supportMessages.unsafePdf,
  'too-many-pixels': supportMessages.tooManyPixels,
  busy: supportMessages.busy,
} as const

const statuses: Readonly<Partial<Record<DisputeRefusal['reason'], number>>> = {
  'not-allowed': 403,
  'provider-away': 503,
}

function replyTo(fields: URLSearchParams, refusal: DisputeRefusal): FormReply {
  return refusal.reason === 'provider-refused'
    ? formRefusal(fields, `The provider says: ${refusal.detail.message}`)
    : formRefusal(fields, refusals[refusal.reason])
}

const refusals = {
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'dispute-not-found': 'There is no such dispute.',
  answered: 'This dispute does not wait for an answer any more.',
  'no-order': 'There is no order to make evidence of. Answer at the provider.',
  'provider-away': 'The provider does not answer. What you wrote is kept: try again in a minute.',
} as const

const news: Readonly<Record<string, string>> = {
  file: 'The file is kept. It goes out with the evidence.',
  note: 'The notes are kept. They go out with the evidence.',
  submit: 'The evidence is with the bank. Its decision can take weeks.',
  accept: 'Accepted. The money stays with the customer.',
  close: 'The warning is closed.',
}

export default function DisputePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, kindWords, state, timer, news: done, facts, orderPath, packet, events } = loaderData
  return (
    <OfficePage
      title={number}
      crumbs={[{ label: 'Disputes', path: officePaths.officeDisputes() }]}
      tags={
        <>
          <Tag>{kindWords}</Tag>
          <Tag tone="signal">{state}</Tag>
          {timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : null}
        </>
      }
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <Columns
        body={
          <>
            <Panel
              id="dispute"
              title="Dispute"
              end={orderPath === null ? undefined : <a href={orderPath}>Open the order</a>}
            >
              <PanelBody>
                <KeyValues rows={facts} />
              </PanelBody>
            </Panel>
            {packet.map(({ title, rows }, index) => (
              <Panel key={title} id={`evidence-${index}`} title={title} note="Evidence">
                <PanelBody>
                  <Rows rows={rows} />
                </PanelBody>
              </Panel>
            ))}
          </>
        }
        first={
          <>
            <Answer loaderData={loaderData} reply={reply} />
            <Files loaderData={loaderData} reply={reply} />
          </>
        }
        last={
          events.length === 0 ? undefined : (
            <Panel id="events" title="What happened">
              <PanelBody>
                <Rows rows={events} />
              </PanelBody>
            </Panel>
          )
        }
      />
    </OfficePage>
  )
}

/** Rows whose labels may repeat. */
function Rows({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className="office-values">
      {rows.map(([label, value], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type AnswerProps = {
  loaderData: { mayAnswer: boolean; kind: Dispute['kind']; notes: string; orderPath: string | null }
  reply: FormReply | undefined
}

function Answer({ loaderData: { mayAnswer, kind, notes, orderPath }, reply }: AnswerProps) {
  if (!mayAnswer) return null
  const isWarning = kind === 'warning'
  return (
    <Panel id="answer" title={isWarning ? 'Look at the order' : 'Answer'} isOpen>
      <PanelBody>
        <ErrorSummary reply={reply} />
        <form method="post" noValidate>
          <TextAreaField
            name="notes"
            label="Notes"
            reply={reply}
            value={notes}
            rows={6}
            maxLength={longestNotes}
            isRequired={false}
            hint={isWarning ? 'What you did about it.' : 'They go out at the head of the evidence.'}
          />
          {isWarning ? (
            <button className="btn primary" name="intent" value="close">
              Close the warning
            </button>
          ) : (
            <>
              <button className="btn quiet" name="intent" value="note">
                Keep the notes
              </button>{' '}
              {orderPath === null ? null : (
                <button className="btn primary" name="intent" value="submit">
                  Send the evidence
                </button>
              )}{' '}
              <button className="btn stop" name="intent" value="accept">
                Accept the loss
              </button>
            </>
          )}
        </form>
        <p className="muted">
          {isWarning
            ? 'A refund before a dispute saves its fee. Cancel or refund at the order.'
            : 'Evidence is sent once. What is below goes with it.'}
        </p>
      </PanelBody>
    </Panel>
  )
}

/** What goes along as files. */
function Files({
  loaderData: { files, mayAnswer, kind, orderPath },
  reply,
}: {
  loaderData: AnswerProps['loaderData'] & { files: readonly string[] }
  reply: FormReply | undefined
}) {
  const mayAdd = mayAnswer && kind !== 'warning' && orderPath !== null
  if (!mayAdd && files.length === 0) return null
  const fault = reply?.errors['file']
  return (
    <Panel id="files" title="Files" isOpen>
      <PanelBody>
        <ul className="plain-list">
          {files.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
        {mayAdd ? (
          <form method="post" encType="multipart/form-data" noValidate className="stack">
            <label className="field" htmlFor="file">
              A photo or PDF, such as the job or the signed delivery. Up to {UPLOAD_MAX_BYTES / 1024 / 1024} MB
              <input
                className="input"
                id="file"
                name="file"
                type="file"
                accept="image/jpeg,image/png,image/webp,application/pdf"
                aria-describedby={fault ? 'file-error' : undefined}
              />
            </label>
            {fault ? (
              <p className="field-error" id="file-error">
                {fault}
              </p>
            ) : null}
            <button className="btn quiet">Add the file</button>
            <p className="muted">
              Proofs of delivery and of the signed job are drawn and sent by themselves. A second file takes the place
              of the first.
            </p>
          </form>
        ) : null}
      </PanelBody>
    </Panel>
  )
}
