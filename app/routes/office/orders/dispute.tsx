import type { FormReply } from '#app/forms/form.ts'
import { disputeActions } from '#app/office/actions/disputes.server.ts'
import { decideActions, doneNews, found, press, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { pictureFaults } from '#app/office/picture.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Tag, Timer } from '#app/ui/office/office-parts.tsx'
import { timerTo } from '#app/views/office/times.ts'
import { supportMessages } from '#content/messages/support.ts'
import { officePaths } from '#content/office-paths.ts'
import { addEvidenceFile, findDispute, readPacket, type Dispute } from '#domain/aftercare/disputes/disputes.server.ts'
import {
  disputeKinds,
  disputeNumber,
  disputeStateWords,
  longestNotes,
  parseDisputeNumber,
  reasonWords,
} from '#domain/aftercare/disputes/disputes.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
import { formatCents } from '#platform/money.ts'
import { refused } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/dispute.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Dispute ${loaderData.number}` : 'Dispute', officePaths.officeDisputes())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeDispute(params.number)
  const { app, session } = await requireStaff(context, 'disputes.read', path)
  const { dispute, events, files } = found(await findDispute(app, found(parseDisputeNumber(params.number))))
  const { id, state, kind, dueAt, orderId, notes } = dispute
  const isOpen = state === 'needs-response'
  return {
    number: disputeNumber(id),
    kind,
    kindWords: disputeKinds[kind],
    state: disputeStateWords[state],
    mayAnswer: isOpen && staffCan(session.roles, 'disputes.answer'),
    timer: isOpen && dueAt ? timerTo(dueAt, app.clock.now()) : null,
    news: doneNews(url, news),
    orderPath: orderId === null ? null : officePaths.officeOrder(orderId),
    facts: factsOf(dispute),
    notes,
    files: files.map(({ kind, name, bytes }) => `${fileKinds[kind] ?? kind}: ${name}, ${Math.ceil(bytes / 1_000)} kB`),
    packet: orderId === null ? [] : ((await readPacket(app, orderId)) ?? []),
    events: events.map(({ at, actor, words }): [string, string] => [`${timeText(at, storeZone)}, ${actor}`, words]),
  }
}

const fileKinds: Readonly<Record<string, string>> = {
  shipping: 'Proof of delivery',
  completion: 'Signed completion',
  more: 'Added by staff',
}

function factsOf(dispute: Dispute): [string, string][] {
  const { orderId, reason, amountCents, openedAt, dueAt, withdrawnCents, reinstatedCents, feeCents, ref } = dispute
  const { submittedAt, submittedBy } = dispute
  return shownRows([
    ['Reason', reasonWords(reason)],
    ['Amount', formatCents(amountCents)],
    ['Order', orderId === null ? 'A membership' : orderNumber(orderId)],
    ['Opened', timeText(openedAt, storeZone)],
    ['Answer by', dueAt && timeText(dueAt, storeZone)],
    ['Withdrawn', formatCents(withdrawnCents)],
    ['Reinstated', formatCents(reinstatedCents)],
    ['Fee', formatCents(feeCents)],
    ['Provider reference', ref],
    ['Evidence submitted', submittedAt && `${timeText(submittedAt, storeZone)} by ${submittedBy}`],
  ])
}

export const action = (args: Route.ActionArgs) => {
  const path = (done?: string) => officePaths.officeDispute(args.params.number, done)
  return decideActions(
    args,
    {
      id: args.params.number,
      path,
      file: 'file',
      longest: longestNotes + 1,
      done: { note: 'note', submit: 'submit', accept: 'accept', close: 'close' },
      more: {
        steps: ({ app, by, file, signal }) => ({
          '': press(async () => {
            if (!file) return refused('no-file')
            const id = found(parseDisputeNumber(args.params.number))
            const bytes = new Uint8Array(await file.arrayBuffer())
            return addEvidenceFile(app, { id, by, file: { name: file.name, bytes }, signal })
          }, 'file'),
        }),
        refusals: {
          ...disputeActions.refusals,
          ...pictureFaults('file'),
          'no-file': { field: 'file', text: 'Choose a file.' },
          'other-kind': { field: 'file', text: 'Upload a picture or PDF.' },
          busy: { field: 'file', text: supportMessages.busy },
        },
      },
    },
    disputeActions,
  )
}

const news = {
  file: 'File added. It is submitted with the evidence.',
  note: 'Notes saved. They are submitted with the evidence.',
  submit: 'Evidence submitted. The bank’s decision can take weeks.',
  accept: 'Dispute accepted. The refund to the customer is final.',
  close: 'Warning closed.',
}

export default function DisputePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, kindWords, state, timer, facts, orderPath, packet, events } = loaderData
  return (
    <DetailPage
      title={number}
      crumbs={[{ label: 'Disputes', path: officePaths.officeDisputes() }]}
      tags={
        <>
          <Tag>{kindWords}</Tag>
          <Tag tone="signal">{state}</Tag>
          {timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : null}
        </>
      }
      news={loaderData.news}
      reply={reply}
      body={
        <>
          <FactsPanel
            id="dispute"
            title="Dispute"
            end={orderPath === null ? undefined : <a href={orderPath}>Open the order</a>}
            rows={facts}
          />
          {packet.map(({ title, rows }, index) => (
            <FactsPanel key={title} id={`evidence-${index}`} title={title} note="Evidence" rows={rows} />
          ))}
        </>
      }
      forms={
        <>
          <Answer loaderData={loaderData} reply={reply} />
          <Files loaderData={loaderData} reply={reply} />
        </>
      }
      side={<FactsPanel id="events" title="Timeline" rows={events} />}
    />
  )
}

type Props = { loaderData: Route.ComponentProps['loaderData']; reply: FormReply | undefined }

function Answer({ loaderData: { mayAnswer, kind, notes, orderPath }, reply }: Props) {
  if (!mayAnswer) return null
  const isWarning = kind === 'warning'
  return (
    <FormPanel
      id="answer"
      title={isWarning ? 'Review the order' : 'Answer'}
      isOpen
      reply={reply}
      fields={{
        notes: {
          label: 'Notes',
          kind: 'area',
          value: notes,
          rows: 6,
          max: longestNotes,
          isOptional: true,
          hint: isWarning ? 'What you did about it.' : 'Included at the top of the evidence.',
        },
      }}
      buttons={
        isWarning
          ? [button('close', 'Close the warning', 'primary')]
          : [
              button('note', 'Save notes', 'quiet'),
              ...(orderPath === null ? [] : [button('submit', 'Submit evidence', 'primary')]),
              button('accept', 'Accept the dispute', 'stop'),
            ]
      }
      note={
        isWarning
          ? 'A refund before a dispute saves its fee. Cancel or refund on the order.'
          : 'Evidence can be submitted once, with everything below.'
      }
    />
  )
}

/** The files that are submitted with the evidence. */
function Files({ loaderData: { files, mayAnswer, kind, orderPath }, reply }: Props) {
  const mayAdd = mayAnswer && kind !== 'warning' && orderPath !== null
  if (!mayAdd && files.length === 0) return null
  return (
    <FormPanel
      id="files"
      title="Files"
      reply={reply}
      text={
        <>
          {files.map((line) => (
            <span key={line}>
              {line}
              <br />
            </span>
          ))}
        </>
      }
      fields={
        mayAdd
          ? {
              file: {
                label: 'Photo or PDF',
                kind: 'file',
                accept: 'image/jpeg,image/png,image/webp,application/pdf',
                hint: `Such as the signed delivery, up to ${UPLOAD_MAX_BYTES / 1024 / 1024} MB. Replaces the file you added before. Proofs of delivery and completion are included automatically.`,
              },
            }
          : {}
      }
      buttons={mayAdd ? [button('', 'Add file', 'quiet')] : []}
    />
  )
}
