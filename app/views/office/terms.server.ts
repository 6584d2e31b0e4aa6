/** The business settings in the office, with current and scheduled values and their history. */
import { officePaths } from '#content/office-paths.ts'
import {
  readPlanRows,
  readRatesAt,
  readTermsPage,
  type PlanRow,
  type TermRow,
} from '#domain/kernel/settings/settings.server.ts'
import {
  businessTerms,
  readInstant,
  shippingAmounts,
  shippingTerm,
  shippingZones,
  termGroups,
  termInputText,
  termNames,
  termText,
  type BusinessTerms,
  type ShippingAmount,
  type ShippingZone,
  type TermGroup,
  type TermName,
} from '#domain/kernel/settings/settings.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

type Deps = Pick<Application, 'db' | 'clock'>

const otherGroups = (Object.keys(termGroups) as TermGroup[]).filter((group) => group !== 'shipping')

/** Reads the business settings other than shipping rates; `before` is the page's cursor. */
export async function readBusinessTerms(app: Deps, before: number | null) {
  const { terms, next, ...page } = await readPage(app, before, otherGroups)
  return {
    ...page,
    groups: otherGroups.map((group) => ({
      group,
      title: termGroups[group],
      fields: termNames.filter((name) => businessTerms[name].group === group).map((name) => fieldOf(name, terms)),
    })),
    older: next === null ? null : officePaths.officeBusinessSettings({ before: next }),
  }
}

/** Reads the shipping rates by zone; `before` is the page's cursor. */
export async function readShippingRates(app: Deps, before: number | null) {
  const { terms, next, ...page } = await readPage(app, before, ['shipping'])
  const zones = Object.keys(shippingZones) as ShippingZone[]
  const amounts = Object.keys(shippingAmounts) as ShippingAmount[]
  return {
    ...page,
    amounts: amounts.map((key) => ({ key, label: shippingAmounts[key] })),
    zones: zones.map((zone) => ({
      zone,
      label: shippingZones[zone].label,
      note: shippingZones[zone].note,
      cells: amounts.map((amount) => {
        const name = shippingTerm(zone, amount)
        return { amount, zeroText: businessTerms[name].zeroText, ...fieldOf(name, terms) }
      }),
    })),
    oversize: fieldOf('oversize-above-lb', terms),
    hasHandling: zones.some((zone) => terms[shippingTerm(zone, 'handling')] > 0),
    older: next === null ? null : officePaths.officeShippingRates({ before: next }),
  }
}

async function readPage(app: Deps, before: number | null, groups: readonly TermGroup[]) {
  const { version, terms, scheduled, changes, following, next } = await readTermsPage(app, before, groups)
  const now = app.clock.now()
  // Zones and exceptions are in another table. Each page lists those after the first change on the next page.
  const upTo = before === null ? null : (changes[0]?.setAt ?? null)
  const plans = groups.includes('shipping') ? await readPlanRows(app.db, { after: following?.setAt ?? null, upTo }) : []
  const rows = [
    ...changes.map((row) => ({
      id: String(row.id),
      setAt: row.setAt,
      version: versionOf(row, now),
      cells: changeCells(row, now),
    })),
    ...plans.map((row, index) => ({
      id: `plan-${index}`,
      setAt: row.setAt,
      version: row.setAt.toString(),
      cells: planCells(row),
    })),
  ]
  return {
    version,
    terms,
    next,
    /** The terms in words, for those who may not change them. */
    shown: termNames
      .filter((name) => groups.includes(businessTerms[name].group))
      .map((name) => [businessTerms[name].label, termText(name, terms[name])] as const),
    scheduled: scheduled.map(({ id, name, value, validFrom, setBy }) => ({
      id,
      what: businessTerms[name].label,
      value: termText(name, value),
      from: timeText(validFrom, storeZone),
      by: setBy,
    })),
    changes: rows
      .toSorted((one, other) => Temporal.Instant.compare(other.setAt, one.setAt))
      .map(({ id, version: of, cells }) => ({ id, version: of, cells })),
  }
}

/** When a change took effect, for a version to restore; null for one that didn't. */
function versionOf({ validFrom, canceledAt }: TermRow, now: Temporal.Instant): string | null {
  return canceledAt || Temporal.Instant.compare(validFrom, now) > 0 ? null : validFrom.toString()
}

/**
 * Reads earlier shipping rates as unsaved changes. `rows` lists the differences, `values` fills the form, and `terms` is
 * for the preview. Null for an invalid or future time.
 */
export async function readRestoredRates(app: Deps, version: string | null) {
  const at = version === null ? null : readInstant(version)
  if (at === null || Temporal.Instant.compare(at, app.clock.now()) > 0) return null
  const [{ terms, plan, differences }, { terms: current }] = await Promise.all([
    readRatesAt(app, at),
    readTermsPage(app, null, ['shipping']),
  ])
  const names = termNames.filter((name) => businessTerms[name].group === 'shipping')
  const changed = names.filter((name) => terms[name] !== current[name])
  const rows = [
    ...changed.map((name) => ({
      what: businessTerms[name].label,
      now: termText(name, current[name]),
      restored: termText(name, terms[name]),
    })),
    ...differences.map(({ subject, before, after }) => ({
      what: subject,
      now: before ?? 'None',
      restored: after ?? 'Removed',
    })),
  ]
  return {
    at: timeText(at, storeZone),
    rows: rows.map((cells, index) => ({ id: String(index), cells })),
    values: {
      intent: 'shipping',
      plan: differences.length > 0 ? at.toString() : '',
      ...Object.fromEntries(names.map((name) => [name, termInputText(name, terms[name])])),
    },
    terms: { ...terms, shippingPlan: plan },
  }
}

/** A term as the field of a form. */
function fieldOf(name: TermName, terms: BusinessTerms) {
  const { label, unit, hint } = businessTerms[name]
  const isMoney = unit === 'cents' || unit === 'ppm'
  if (unit === 'yes-no')
    return {
      name,
      label,
      kind: 'choice' as const,
      options: Object.entries({ yes: 'Yes', no: 'No' }),
      value: termInputText(name, terms[name]),
      ...(hint && { hint }),
    }
  return {
    name,
    label,
    kind: isMoney ? ('money' as const) : ('number' as const),
    max: isMoney ? 10 : 4,
    value: termInputText(name, terms[name]),
    ...(hint && { hint }),
  }
}

export type TermField = ReturnType<typeof fieldOf>

function changeCells(
  { name, value, was, validFrom, setAt, setBy, canceledAt, canceledBy }: TermRow,
  now: Temporal.Instant,
) {
  const isLater = Temporal.Instant.compare(validFrom, setAt) > 0
  const from = isLater ? timeText(validFrom, storeZone) : timeText(setAt, storeZone)
  const state = canceledAt ? ` (canceled by ${canceledBy ?? 'staff'})` : ''
  return {
    at: timeText(setAt, storeZone),
    by: setBy,
    what: businessTerms[name].label,
    was: termText(name, was ?? businessTerms[name].standard),
    became: termText(name, value) + state,
    from: Temporal.Instant.compare(validFrom, now) > 0 && !canceledAt ? `${from} (scheduled)` : from,
  }
}

function planCells({ subject, before, after, setAt, setBy }: PlanRow) {
  const at = timeText(setAt, storeZone)
  return { at, by: setBy, what: subject, was: before ?? 'None', became: after ?? 'Removed', from: at }
}
