/** Import texts for staff. Safe in the browser. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import {
  isAtWork,
  supplierKinds,
  type BelowMap,
  type DifferenceKind,
  type FeedKind,
  type ImportAnswer,
  type ImportMode,
  type ImportRun,
  type SupplierKind,
  type Warning,
} from '#domain/catalog/catalog-import/catalog-import.ts'
import type { PictureProblem } from '#domain/catalog/catalog-import/catalog-import.ts'
import { formatCents } from '#platform/money.ts'
import { countOf, countText, pluralForm } from '#platform/count-text.ts'

export const kindWords: Record<FeedKind, string> = {
  products: 'Products',
  prices: 'Prices',
  stock: 'Stock',
  fitment: 'Fitment',
  'item-data': 'Item data (PIES)',
  'brand-fitment': 'Fitment by item (ACES)',
  'vehicle-codes': 'ACES and PIES codes',
  'competitor-prices': 'Competitor prices',
  customers: 'Customers',
  orders: 'Past orders',
}

/** What a supplier's file may hold. */
export const supplierKindWords: Record<SupplierKind, string> = Object.fromEntries(
  supplierKinds.map((kind) => [kind, kindWords[kind]]),
) as Record<SupplierKind, string>

export const modeWords: Record<ImportMode, string> = {
  'all-or-nothing': 'One bad row refuses the file',
  'per-row': 'Good rows are published without the bad ones',
}

/** Why a picture could not be loaded. */
export const pictureWords: Record<PictureProblem, string> = {
  'bad-address': 'The address is invalid.',
  'not-https': 'The address leads to one without https.',
  'private-address': 'The address is not on the public internet.',
  unresolved: 'The server was not found.',
  unreachable: 'The server didn’t respond.',
  timeout: 'The server took longer than 20 seconds.',
  'cut-off': 'The connection ended early.',
  redirects: 'The server redirects too often.',
  'not-found': 'The picture was not found.',
  refused: 'The server refused the request.',
  'too-large': 'The picture is too large.',
  'not-a-picture': 'It is not a PNG, JPEG, or WebP picture.',
  unreadable: 'The picture can’t be read.',
  'too-many-pixels': 'The picture has too many pixels.',
  'too-many': 'The model or tire has the maximum number of photos.',
  'too-many-in-import': 'One import loads up to 10,000 pictures.',
}

const stateWords: Record<ImportRun['state'], { words: string; tone: Tone }> = {
  reading: { words: 'Reading', tone: 'plain' },
  read: { words: 'Reading', tone: 'plain' },
  'waiting-for-yes': { words: 'Ready to publish', tone: 'signal' },
  publishing: { words: 'Publishing', tone: 'plain' },
  published: { words: 'Published', tone: 'go' },
  refused: { words: 'Refused', tone: 'stop' },
  checked: { words: 'Dry run', tone: 'plain' },
  'rolling-back': { words: 'Rolling back', tone: 'plain' },
  'rolled-back': { words: 'Rolled back', tone: 'plain' },
  discarded: { words: 'Discarded', tone: 'plain' },
}

/** Returns a run's state label, where a requested action counts as started. */
export function importState(run: Pick<ImportRun, 'state' | 'asked'>): { words: string; tone: Tone; isAtWork: boolean } {
  const state = run.asked === 'publish' ? 'publishing' : run.asked === 'roll-back' ? 'rolling-back' : run.state
  return { ...stateWords[state], isAtWork: isAtWork(run) }
}

export const differenceWords: Record<DifferenceKind, string> = {
  new: 'New tires',
  gone: 'Unlisted',
  back: 'Listed again',
  'price-up': 'Prices raised',
  'price-down': 'Prices lowered',
  'below-map': 'Prices not changed, below the minimum advertised price',
  'price-in-cart': 'Prices shown as “See price in cart”',
  facts: 'Tires with other changes',
  'new-brand': 'New brands',
  'new-line': 'New lines',
  'line-facts': 'Changed lines',
  'stock-up': 'Counts raised',
  'stock-down': 'Counts lowered',
  'new-vehicle': 'New vehicles',
  'vehicle-facts': 'Changed vehicles',
  'new-size': 'Sizes added to vehicles',
  'removed-size': 'Sizes removed from vehicles',
  'size-facts': 'Changed vehicle sizes',
  'brand-fitment-added': 'Vehicles added, by item',
  'brand-fitment-removed': 'Vehicles removed, by item',
  'part-not-carried': 'Part numbers not in the catalog',
  'competitor-price-added': 'New competitor prices',
  'competitor-price-changed': 'Changed competitor prices',
  'part-withdrawn': 'Tires that the manufacturer withdrew, not changed',
  'code-added': 'New codes',
  'code-changed': 'Changed codes',
  'new-customer': 'New customers',
  'known-customer': 'Existing customers, with empty fields filled in',
  'new-order': 'New past orders',
  'known-order': 'Replaced past orders from an earlier import',
}

/** A guard that the run sets off, as a title and examples. */
export function warningWords(warning: Warning): { title: string; examples: string } {
  const count = countText(warning.count)
  switch (warning.kind) {
    case 'deactivates':
      return {
        title: `Takes ${count} of ${countOf(warning.of, 'tire')} of its brands off sale`,
        examples: listed(warning),
      }
    case 'empties-stock':
      return {
        title: `Leaves ${count} of ${countOf(warning.of, 'stocked tire')} in no warehouse`,
        examples: listed(warning),
      }
    case 'raises-minimums':
      return {
        title: `Sets the minimum advertised price of ${countOf(warning.count, 'tire')} above the advertised price`,
        examples: listed(warning),
      }
    case 'removes-fitments':
      return {
        title: `Removes ${count} of ${countOf(warning.of, 'size')} of its vehicles`,
        examples: listed(warning),
      }
    case 'removes-brand-fitments':
      return {
        title: `Removes ${count} of ${countOf(warning.of, 'vehicle')} listed for the brand’s items`,
        examples: listed(warning),
      }
    case 'moves-prices': {
      const moves = warning.biggest.map(
        ({ sku, fromCents, toCents }) => `${sku} from ${formatCents(fromCents)} to ${formatCents(toCents)}`,
      )
      return {
        title: pluralForm(warning.count, 'Moves 1 price by more than 25%', `Moves ${count} prices by more than 25%`),
        examples: listed({ examples: moves, count: warning.count }),
      }
    }
  }
}

/** What a run does with prices below a minimum advertised price, as a title and examples. */
export function belowMapWords(below: BelowMap): { title: string; examples: string } {
  return { title: belowMapTitle(below), examples: listed(below) }
}

function belowMapTitle({ isRefused, count }: Pick<BelowMap, 'isRefused' | 'count'>): string {
  return isRefused
    ? pluralForm(
        count,
        '1 price isn’t changed because it would be below the minimum advertised price',
        `${countText(count)} prices aren’t changed because they would be below the minimum advertised price`,
      )
    : pluralForm(
        count,
        '1 price is below the minimum advertised price and shown as “See price in cart”',
        `${countText(count)} prices are below the minimum advertised price and shown as “See price in cart”`,
      )
}

const shownExamples = 5

function listed({ examples, count }: { examples: readonly string[]; count: number }): string {
  const shown = examples.slice(0, shownExamples)
  const more = count - shown.length
  return `${shown.join(', ')}${more > 0 ? `, and ${countText(more)} more` : ''}.`
}

/** Returns why the worker didn't perform the request, or not completely. */
export function answerWords(answer: ImportAnswer): { title: string; text: string; laterRuns: readonly number[] } {
  switch (answer.reason) {
    case 'not-allowed':
      return { title: 'Not published', text: 'The requester’s role was revoked.', laterRuns: [] }
    case 'different-now':
      return {
        title: 'Not published. The catalog changed after the preview',
        text: 'The preview below was made again. Check it, then publish.',
        laterRuns: [],
      }
    case 'in-the-way':
      return {
        title: 'Not rolled back',
        text: `A row created since conflicts with one that would return (${answer.constraint}).`,
        laterRuns: [],
      }
    case 'below-minimum':
      return {
        title: belowMapTitle(answer),
        text: `Minimum advertised prices were set since: ${listed(answer)}`,
        laterRuns: [],
      }
    case 'changed-since':
      return {
        title: 'Not rolled back because the same rows changed since',
        text:
          answer.laterRuns.length > 0
            ? 'Roll these back first:'
            : `${countOf(answer.otherwise, 'row was', 'rows were')} changed other than by an import.`,
        laterRuns: answer.laterRuns.map(({ runId }) => runId),
      }
  }
}
