import { importActions } from '#app/office/actions/imports.server.ts'
import { decideActions, found, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import {
  answerWords,
  belowMapWords,
  importState,
  kindWords,
  modeWords,
  pictureWords,
  warningWords,
} from '#app/views/office/import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  canDiscard,
  canRollBack,
  differenceKinds,
  isAtWork,
  type ImportRun,
} from '#domain/catalog/catalog-import/catalog-import.ts'
import {
  awaitImport,
  findImport,
  isCheckable,
  listRefusedRows,
  listUnknownCategories,
  readImportPictures,
  selectDifference,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import { catalogId } from './catalog-id.ts'
import { ImportActs, type ImportActsOpen } from './import-acts.tsx'
import {
  DifferencePanel,
  PicturesPanel,
  RefusedPanel,
  UnknownCategoriesPanel,
  type PicturesView,
} from './import-panels.tsx'
import type { Route } from './+types/import.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Import ${params.id}`, officePaths.officeImports())

/** Rows shown of each kind; the file has the others. */
const shownOfKind = 20
const mostShown = shownOfKind * differenceKinds.length

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { app, session } = await requireStaff(context, 'catalog.read', officePaths.officeImport(id))
  const done = news[url.searchParams.get('done') ?? '']
  const run = found(done ? await awaitImport(app, id) : await findImport(app, id))
  const state = importState(run)
  const warnings = run.summary.warnings ?? []
  const mayImport = staffCan(session.roles, 'catalog.import')
  return {
    id,
    state,
    news: done ? newsOf(run, done) : null,
    answer: run.answer && answerWords(run.answer),
    warnings: warnings.map(warningWords),
    below: run.summary.belowMap ? belowMapWords(run.summary.belowMap) : null,
    facts: factsOf(run),
    seen: run.summary.previewedAt ?? '',
    acts: { ...actsOf(run, session.roles), checkAgain: mayImport && (await isCheckable(app, run)) },
    difference: await readDifference(app, run),
    refused: await listRefusedRows(app, { runId: id, count: shownOfKind }),
    refusedCount: run.refusedCount,
    pictures: await readPictures(app, run),
    unknown: run.kind === 'products' ? await listUnknownCategories(app, id) : [],
    mayAdd: staffCan(session.roles, 'catalog.edit'),
  }
}

/** What the reader can do with the run now. */
function actsOf(run: ImportRun, roles: readonly StaffRole[]): Omit<ImportActsOpen, 'checkAgain'> {
  const mayImport = staffCan(roles, 'catalog.import')
  const mayPublish = (run.summary.warnings ?? []).length > 0 ? staffCan(roles, 'catalog.publish') : mayImport
  const isIdle = run.asked === null
  const isWaiting = isIdle && run.state === 'waiting-for-yes'
  const isPreviewed = isWaiting && run.summary.previewedAt !== undefined
  return {
    publish: isPreviewed && mayPublish,
    note: isPreviewed && mayImport && !mayPublish ? 'manager' : isWaiting && !isPreviewed ? 'command' : null,
    discard: mayImport ? discardOf(run) : null,
    rollBack: isIdle && canRollBack(run) && mayImport,
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

async function readDifference({ db }: Application, { id, summary }: ImportRun) {
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

/** Returns picture counts and failures for a published products file; null without pictures. */
async function readPictures({ db }: Application, { id, kind }: ImportRun): Promise<PicturesView | null> {
  const { failures, ...counts } = await readImportPictures(db, id, shownOfKind)
  if (kind !== 'products' || counts.waiting + counts.added + counts.failed === 0) return null
  return { ...counts, failures: failures.map(({ url, problem }) => ({ url, text: pictureWords[problem] })) }
}

function factsOf(run: ImportRun): [string, string][] {
  const { finishedAt } = run
  return shownRows([
    ['Contents', kindWords[run.kind]],
    ['File', run.fileName.split('/').at(-1) ?? ''],
    ['Bad rows', modeWords[run.mode]],
    ['Rows', run.rowCount.toLocaleString('en-US')],
    ['Rejected', run.refusedCount.toLocaleString('en-US')],
    ['Started', timeText(run.startedAt, storeZone)],
    ['By', run.startedBy],
    ['Finished', finishedAt && timeText(finishedAt, storeZone)],
  ])
}

/** `begun` while the worker is at it; afterward the words for the state it led to. */
type News = { begun: string; words: Partial<Record<ImportRun['state'], string>> }
const news: Readonly<Record<string, News>> = {
  uploaded: {
    begun: 'The file is being read. Large files take minutes. Reload the page.',
    words: { 'waiting-for-yes': 'File read. Review the changes, then publish.' },
  },
  'check-again': {
    begun: 'The file is being checked again. Large files take minutes. Reload the page.',
    words: {
      'waiting-for-yes': 'File checked again. Review the changes, then publish.',
      refused: 'File checked again. It still has errors.',
    },
  },
  'category-added': {
    begun: 'Category added.',
    words: {
      'waiting-for-yes': 'Category added. Check the file again to import its rows.',
      refused: 'Category added. Check the file again to import its rows.',
      published: 'Category added. Import the file again to add its rows.',
    },
  },
  publish: {
    begun: 'Publishing. Large files take minutes. Reload the page.',
    words: { published: 'Published. Carts and checkout use it now, listings within seconds.' },
  },
  'roll-back': {
    begun: 'Rolling back. Large files take minutes. Reload the page.',
    words: { 'rolled-back': 'Rolled back. All changed rows are restored.' },
  },
  discarded: {
    begun: 'Canceling. The import stops after its current step. Reload the page.',
    words: { discarded: 'Discarded.' },
  },
}

/** `publish`, `discard`, `check-again` or `roll-back`. */
export const action = (args: Route.ActionArgs) => {
  const runId = catalogId(args.params.id)
  return decideActions(
    args,
    {
      id: String(runId),
      path: (done) => officePaths.officeImport(runId, done),
      done: { publish: undefined, 'roll-back': undefined, 'check-again': undefined, discard: 'discarded' },
    },
    importActions,
  )
}

export default function ImportPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, state, answer, warnings, below, facts, difference, refused, refusedCount, pictures, unknown } = loaderData
  return (
    <DetailPage
      title={`Import ${id}`}
      crumbs={[{ label: 'Imports', path: officePaths.officeImports() }]}
      tags={<Tag tone={state.tone}>{state.words}</Tag>}
      news={loaderData.news}
      reply={reply}
      forms={<ImportActs acts={loaderData.acts} seen={loaderData.seen} isRisky={warnings.length > 0} reply={reply} />}
      body={
        <>
          {difference ? <DifferencePanel id={id} {...difference} /> : null}
          {unknown.length > 0 ? <UnknownCategoriesPanel id={id} words={unknown} mayAdd={loaderData.mayAdd} /> : null}
          {pictures ? <PicturesPanel {...pictures} /> : null}
          {refused.length > 0 ? <RefusedPanel id={id} rows={refused} count={refusedCount} /> : null}
          {!difference && refused.length === 0 ? (
            <Panel id="difference" title="Difference">
              <PanelBody>
                <p>{state.isAtWork ? 'The file is being read. Load the page again.' : 'No rows to show.'}</p>
              </PanelBody>
            </Panel>
          ) : null}
        </>
      }
      side={<FactsPanel id="facts" title="File" rows={facts} />}
    >
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
      {below ? (
        <Notice tone="signal" title={below.title}>
          <p>
            {below.examples} <a href={officePaths.officeMapPrices({ state: 'below' })}>All tires below their minimum</a>
          </p>
        </Notice>
      ) : null}
      {warnings.map(({ title, examples }) => (
        <Notice key={title} tone="signal" title={title}>
          <p>{examples}</p>
        </Notice>
      ))}
    </DetailPage>
  )
}
