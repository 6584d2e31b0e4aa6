import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { answerWords, importState, kindWords, modeWords, warningWords } from '#app/views/office-import-words.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  canDiscard,
  differenceKinds,
  importActForm,
  isAtWork,
  type ImportRun,
} from '#domain/catalog-import/catalog-import.ts'
import {
  askImport,
  awaitImport,
  discardImport,
  findImport,
  listRefusedRows,
  selectDifference,
  type AskRefusal,
} from '#domain/catalog-import/catalog-import.server.ts'
import type { Actor } from '#domain/staff/staff.server.ts'
import { staffCan, type StaffRole } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Shop } from '#shop'
import { catalogId } from './catalog-id.ts'
import { ImportActs, type ImportActsOpen } from './import-acts.tsx'
import { DifferencePanel, RefusedPanel } from './import-panels.tsx'
import type { Route } from './+types/import.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Import ${params.id}`, officePaths.officeImports())

/** Rows shown of each kind; the file has the others. */
const shownOfKind = 20
const mostShown = shownOfKind * differenceKinds.length

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { shop, session } = await requireStaff(context, 'catalog.read', officePaths.officeImport(id))
  const done = news[url.searchParams.get('done') ?? '']
  const run = done ? await awaitImport(shop, id) : await findImport(shop, id)
  if (!run) throw new Response(null, { status: 404 })
  const state = importState(run)
  const warnings = run.summary.warnings ?? []
  return {
    id,
    state,
    news: done ? newsOf(run, done) : null,
    answer: run.answer && answerWords(run.answer),
    warnings: warnings.map(warningWords),
    facts: factsOf(run),
    seen: run.summary.previewedAt ?? '',
    acts: actsOf(run, session.roles),
    difference: await readDifference(shop, run),
    refused: await listRefusedRows(shop, { runId: id, count: shownOfKind }),
    refusedCount: run.refusedCount,
  }
}

/** What the reader can do with the run now. */
function actsOf(run: ImportRun, roles: readonly StaffRole[]): ImportActsOpen {
  const mayImport = staffCan(roles, 'catalog.import')
  const mayPublish = (run.summary.warnings ?? []).length > 0 ? staffCan(roles, 'catalog.publish') : mayImport
  const isIdle = run.asked === null
  const isWaiting = isIdle && run.state === 'waiting-for-yes'
  const isPreviewed = isWaiting && run.summary.previewedAt !== undefined
  return {
    publish: isPreviewed && mayPublish,
    note: isPreviewed && mayImport && !mayPublish ? 'manager' : isWaiting && !isPreviewed ? 'command' : null,
    discard: mayImport ? discardOf(run) : null,
    rollBack: isIdle && run.state === 'published' && mayImport,
  }
}

function discardOf(run: ImportRun): ImportActsOpen['discard'] {
  if (!canDiscard(run)) return null
  return isAtWork(run) ? 'cancel' : 'discard'
}

function newsOf(run: ImportRun, done: News): string | null {
  if (isAtWork(run)) return done.begun
  return run.answer ? null : (done.words[run.state] ?? null)
}

async function readDifference({ db }: Shop, { id, summary }: ImportRun) {
  const counts = summary.difference ?? null
  const rows = counts && (await selectDifference(db, id, { after: null, limit: mostShown, perKind: shownOfKind }))
  return (
    counts &&
    rows && {
      counts: differenceKinds.flatMap((kind) => counts.find((each) => each.kind === kind) ?? []),
      rows,
    }
  )
}

function factsOf(run: ImportRun): [string, string][] {
  return [
    ['Holds', kindWords[run.kind]],
    ['File', run.fileName.split('/').at(-1) ?? ''],
    ['Bad rows', modeWords[run.mode]],
    ['Rows', run.rowCount.toLocaleString('en-US')],
    ['Refused', run.refusedCount.toLocaleString('en-US')],
    ['Started', timeText(run.startedAt, storeZone)],
    ...(run.startedBy ? [['By', run.startedBy] satisfies [string, string]] : []),
    ...(run.finishedAt ? [['Finished', timeText(run.finishedAt, storeZone)] satisfies [string, string]] : []),
  ]
}

/** `begun` while the worker is at it; afterward the words for the state it led to. */
type News = { begun: string; words: Partial<Record<ImportRun['state'], string>> }
const news: Readonly<Record<string, News>> = {
  uploaded: {
    begun: 'The file is being read. Large files take minutes: load the page again.',
    words: { 'waiting-for-yes': 'Read. Nothing has changed yet: check the difference, then publish.' },
  },
  publish: {
    begun: 'Publishing. Large files take minutes: load the page again.',
    words: { published: 'Published. Carts and checkout use it now, listings within seconds.' },
  },
  'roll-back': {
    begun: 'Rolling back. Large files take minutes: load the page again.',
    words: { 'rolled-back': 'Rolled back. Every row it changed is as it was before.' },
  },
  discarded: {
    begun: 'Canceling. The import stops after its current step: reload the page.',
    words: { discarded: 'Discarded. Nothing was changed.' },
  },
}

/** `publish`, `discard` or `roll-back`. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const id = catalogId(params.id)
  const { shop, actor } = await requireStaff(context, 'catalog.import', officePaths.officeImport(id))
  const fields = await readForm(request)
  const checked = checkForm(importActForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const intent = fields.get('intent')
  switch (intent) {
    case 'publish':
    case 'roll-back': {
      const asked = await askImport(shop, actor, { runId: id, act: intent, ...checked.value })
      return asked.ok ? seeOther(officePaths.officeImport(id, intent)) : refuseAct(fields, asked.reason)
    }
    case 'discard':
      return discard(shop, actor, { id, fields, reason: checked.value.reason })
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

async function discard(
  shop: Shop,
  actor: Actor,
  { id, fields, reason }: { id: number; fields: URLSearchParams; reason: string | null },
) {
  const done = await discardImport(shop, actor, { runId: id, reason })
  return done.ok ? seeOther(officePaths.officeImport(id, 'discarded')) : refuseAct(fields, done.reason)
}

function refuseAct(fields: URLSearchParams, reason: AskRefusal['reason']) {
  if (reason === 'not-found') throw new Response(null, { status: 404 })
  if (reason === 'no-reason')
    return refuseForm(formRefusal(fields, 'Fix 1 field:', { reason: 'Say why these changes are right.' }))
  return refuseForm(formRefusal(fields, refusals[reason]), reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role does not publish imports with warnings. Nothing was changed.',
  'asked-already': 'A colleague asked for something else with this import. Load the page again.',
  'not-now': 'The import is in another state by now. Load the page again.',
  'shown-another': 'The preview was made again since you opened this page. Check the new one, then publish.',
} as const

export default function ImportPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, state, answer, warnings, facts, difference, refused, refusedCount } = loaderData
  return (
    <OfficePage
      title={`Import ${id}`}
      crumbs={[{ label: 'Imports', path: officePaths.officeImports() }]}
      tags={<Tag tone={state.tone}>{state.words}</Tag>}
    >
      {loaderData.news && !reply ? <Notice tone="go" title={loaderData.news} isNews /> : null}
      {answer && !reply ? (
        <Notice tone="stop" title={answer.title} isNews>
          <p>
            {answer.text}{' '}
            {answer.laterRuns.map((run) => (
              <a key={run} href={officePaths.officeImport(run)}>
                Import {run}{' '}
              </a>
            ))}
          </p>
        </Notice>
      ) : null}
      {warnings.map(({ title, examples }) => (
        <Notice key={title} tone="signal" title={title}>
          <p>{examples}</p>
        </Notice>
      ))}
      <Columns
        first={<ImportActs acts={loaderData.acts} seen={loaderData.seen} isRisky={warnings.length > 0} reply={reply} />}
        body={
          <>
            {difference ? <DifferencePanel id={id} {...difference} /> : null}
            {refused.length > 0 ? <RefusedPanel id={id} rows={refused} count={refusedCount} /> : null}
            {!difference && refused.length === 0 ? (
              <Panel id="difference" title="Difference">
                <PanelBody>
                  <p>{state.isAtWork ? 'The file is being read. Load the page again.' : 'Nothing to show.'}</p>
                </PanelBody>
              </Panel>
            ) : null}
          </>
        }
        last={
          <Panel id="facts" title="File">
            <PanelBody>
              <KeyValues rows={facts} />
            </PanelBody>
          </Panel>
        }
      />
    </OfficePage>
  )
}
