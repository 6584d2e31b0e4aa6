/** The messages of `npm run import`. */
import type { BelowMap, ChangeCount, ImportRun, Warning } from '#domain/catalog/catalog-import/catalog-import.ts'
import type {
  ChangedSince,
  ResumeRefusal,
  RollBackRefusal,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'

export const usage = `npm run import -- products|prices|stock|fitment|item-data|brand-fitment|vehicle-codes|competitor-prices FILE
    --dry-run          do everything but publish
    --all-or-nothing   one bad row refuses the file (this is how it is done when nothing is said)
    --per-row          publish the good rows without the bad ones
    --yes              publish also what asks for a yes
    --report FILE      write what is wrong, row by row
npm run import -- resume RUN [FILE] [--yes]   go on with a run that was stopped, or say yes to one that waits
npm run import -- rollback [RUN]              put back what a run changed; the last one when none is named
npm run import -- list                        the last twenty runs`

const stateWords: Record<ImportRun['state'], string> = {
  reading: 'stopped while reading',
  read: 'stopped before publishing',
  'waiting-for-yes': 'waiting for a yes',
  publishing: 'stopped half published',
  published: 'published',
  refused: 'refused',
  checked: 'dry run',
  'rolling-back': 'stopped half rolled back',
  'rolled-back': 'rolled back',
  discarded: 'discarded',
}

/** One line of the list. */
export function lineOfRun(run: ImportRun): string {
  const when = run.startedAt.toString().slice(0, 16).replace('T', ' ')
  const rows = `${countOf(run.rowCount, 'row')}${run.refusedCount > 0 ? `, ${count(run.refusedCount)} refused` : ''}`
  return `${String(run.id).padStart(5)}  ${when}  ${run.kind.padEnd(8)}  ${stateWords[run.state].padEnd(24)}  ${rows}  ${run.fileName}`
}

/** How a run ended, its result, and what to do next. */
export function outcomeOfRun(run: ImportRun): string {
  const { changes = [], warnings = [], belowMap = null } = run.summary
  const rows = `${countOf(run.rowCount, 'row')}, ${count(run.refusedCount)} refused`
  const seconds = run.finishedAt ? ` in ${run.finishedAt.since(run.startedAt).total('seconds').toFixed(1)} s` : ''
  const done =
    { ...headlines(run.id), ...(run.isDry ? { refused: 'No rows would be published.' } : {}) }[run.state] ??
    stateWords[run.state]
  return [
    `Run ${run.id}: ${done} ${rows}${seconds}.`,
    ...warnings.map(warningText),
    ...belowMapLines(belowMap),
    ...changes.map(changeText),
    ...nothingChanged(run),
  ].join('\n')
}

function headlines(id: number): Partial<Record<ImportRun['state'], string>> {
  return {
    published: 'Published.',
    checked: 'Dry run, not published.',
    refused: 'Rejected, not published. Fix the rows below, or let the good ones in with --per-row.',
    'waiting-for-yes': `Waiting, not published. To confirm the changes below: npm run import -- resume ${id} --yes.`,
  }
}

function nothingChanged({ state, summary }: ImportRun): string[] {
  return ['published', 'checked'].includes(state) && summary.changes?.length === 0 && !summary.belowMap
    ? ['  Everything was so already.']
    : []
}

/** The prices below a minimum advertised price, one per line. */
export function belowMapLines(below: BelowMap | null): string[] {
  if (!below) return []
  const { isRefused, count: all, examples } = below
  const title = isRefused
    ? `  Leaves ${countOf(all, 'price')} unchanged, below the minimum advertised price:`
    : `  Shows ${countOf(all, 'price')} below the minimum advertised price in the cart only:`
  const more = all > examples.length ? [`    and ${count(all - examples.length)} more`] : []
  return [title, ...examples.map((example) => `    ${example}`), ...more]
}

function warningText(warning: Warning): string {
  switch (warning.kind) {
    case 'deactivates':
      return `  Takes ${count(warning.count)} of ${countOf(warning.of, 'tire')} off sale: ${listed(warning.examples, warning.count)}`
    case 'empties-stock':
      return `  Leaves ${count(warning.count)} of ${countOf(warning.of, 'tire')} in stock in no warehouse: ${listed(warning.examples, warning.count)}`
    case 'raises-minimums':
      return `  Sets the minimum advertised price of ${countOf(warning.count, 'tire')} above the advertised price: ${listed(warning.examples, warning.count)}`
    case 'removes-fitments':
      return `  Removes ${count(warning.count)} of ${countOf(warning.of, 'size')} listed for these vehicles: ${listed(warning.examples, warning.count)}`
    case 'removes-brand-fitments':
      return `  Removes ${count(warning.count)} of ${countOf(warning.of, 'vehicle')} listed for the brand’s items: ${listed(warning.examples, warning.count)}`
    case 'moves-prices': {
      const moves = warning.biggest.map(
        ({ sku, fromCents, toCents }) => `${sku} ${formatCents(fromCents)} to ${formatCents(toCents)}`,
      )
      return `  Moves ${countOf(warning.count, 'price')} by more than a quarter: ${listed(moves, warning.count)}`
    }
  }
}

const entityWords: Record<ChangeCount['entity'], string> = {
  brand: 'brands',
  product_line: 'lines',
  size: 'sizes',
  item: 'tires',
  stock: 'stock counts',
  vehicle: 'vehicles',
  oe_fitment: 'listed sizes',
  size_list: 'lists of sizes',
  vehicle_code: 'codes',
  competitor_price: 'prices at competitors',
  brand_catalog: 'brand catalogs',
  brand_fitment: 'vehicles of items',
}

function changeText({ entity, action, count: rows }: ChangeCount): string {
  return `  ${entityWords[entity]} ${action}: ${count(rows)}`
}

function listed(examples: readonly string[], all: number): string {
  return `${examples.join(', ')}${all > examples.length ? ` and ${count(all - examples.length)} more` : ''}`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** Why an import did not start or resume. */
export function explainStart(refusal: ResumeRefusal): string {
  switch (refusal.reason) {
    case 'busy':
      return 'Another import is at work. Wait until it is done, then start this one again.'
    case 'half-done':
      return halfDone(refusal.detail.run)
    case 'not-found':
      return 'Run not found. See npm run import -- list.'
    case 'over':
      return `The run is over: ${stateWords[refusal.detail.state]}.`
    case 'another-file':
      return 'The file doesn’t match the run. Restore the original file, or start a new import.'
  }
}

/** Why a run was not rolled back. */
export function explainRollBack(refusal: RollBackRefusal): string {
  switch (refusal.reason) {
    case 'busy':
      return 'Another import is at work. Wait until it is done, then try again.'
    case 'half-done':
      return halfDone(refusal.detail.run)
    case 'not-found':
      return 'No published run found. See npm run import -- list.'
    case 'not-published':
      return `Only a published run can be rolled back. This one: ${stateWords[refusal.detail.state]}.`
    case 'changed-since':
      return changedSince(refusal.detail)
    case 'not-allowed':
      return 'You may not roll back imports.'
    case 'in-the-way':
      return `Newer records conflict (${refusal.detail.constraint}). The import wasn’t rolled back.`
  }
}

function halfDone(run: ImportRun): string {
  const command = run.state === 'rolling-back' ? `rollback ${run.id}` : `resume ${run.id}`
  return `Run ${run.id} is ${stateWords[run.state]}. Finish it first: npm run import -- ${command}.`
}

function changedSince({ laterRuns, otherwise }: ChangedSince): string {
  const runs = laterRuns.map(({ runId, rows }) => `run ${runId} (${countOf(rows, 'row')})`)
  const by = [
    ...runs,
    ...(otherwise.count > 0 ? [`something else than a feed (${listed(otherwise.examples, otherwise.count)})`] : []),
  ].join(', ')
  return `The same rows were changed since by ${by}. Roll those back first. The import wasn’t rolled back.`
}
